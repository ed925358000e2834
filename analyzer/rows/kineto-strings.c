/* SPDX-License-Identifier: MIT */
/* Stores the strings of a trace, each distinct text once, and gives them ids. */
#include "analyzer/rows/kineto-strings.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

#define FIRST_SLOTS 4096
#define ARENA_BYTES ((size_t) 1 << 18)

/* A block of bytes of strings. The newest block is the head of the list. */
struct block {
	struct block *next;
	char bytes[];
};

static uint64_t read_8(const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

static uint32_t read_4(const char *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* Makes a number from a text below eight bytes; texts of equal length get different numbers. Does
 * not use memcpy() of @length bytes into a word, because the processor stalls when it loads a word
 * that was just stored byte by byte. */
static inline uint64_t read_short(const char *bytes, size_t length)
{
	if (length >= 4) {
		return (uint64_t) read_4(bytes + length - 4) << 32 | read_4(bytes);
	}
	return length == 0
	               ? 0
	               : (uint64_t) (uint8_t) bytes[length - 1] << 16 |
	                         (uint64_t) (uint8_t) bytes[length / 2] << 8 | (uint8_t) bytes[0];
}

/* Hashes eight bytes at a time, because kernel names are hundreds of bytes long. */
static uint64_t hash_bytes(const char *bytes, size_t length)
{
	uint64_t h = length * UINT64_C(0x9E3779B97F4A7C15);

	while (length >= 8) {
		h = (h ^ read_8(bytes)) * UINT64_C(0xBF58476D1CE4E5B9);
		h ^= h >> 32;
		bytes += 8;
		length -= 8;
	}
	h = (h ^ read_short(bytes, length)) * UINT64_C(0x94D049BB133111EB);
	return h ^ h >> 29;
}

/* True if a string has this text. Most texts are short, and calling memcmp() would take longer than
 * comparing them here. */
static inline bool has_text(const struct ra_kineto *k, uint32_t id, const char *bytes,
                            size_t length)
{
	const struct rlog_string text = k->strings[id];

	if (text.length != length) {
		return false;
	}
	if (length < 4) {
		return read_short(text.bytes, length) == read_short(bytes, length);
	}
	if (length < 8) {
		return read_4(text.bytes) == read_4(bytes) &&
		       read_4(text.bytes + length - 4) == read_4(bytes + length - 4);
	}
	for (size_t i = 0; i + 8 < length; i += 8) {
		if (read_8(text.bytes + i) != read_8(bytes + i)) {
			return false;
		}
	}
	return read_8(text.bytes + length - 8) == read_8(bytes + length - 8);
}

static void grow_slots(struct ra_kineto_strings *strings)
{
	const size_t count = strings->slot_count == 0 ? FIRST_SLOTS : strings->slot_count * 2;
	uint32_t *slots = ra_alloc_bytes(count * 2 * sizeof(*slots));

	memset(slots, 0xFF, count * 2 * sizeof(*slots));
	for (size_t i = 0; i < strings->slot_count; i++) {
		const uint32_t *old = &strings->slots[2 * i];
		size_t slot = old[0] & (count - 1);

		if (old[1] == RA_KINETO_NONE) {
			continue;
		}
		while (slots[2 * slot + 1] != RA_KINETO_NONE) {
			slot = (slot + 1) & (count - 1);
		}
		slots[2 * slot] = old[0];
		slots[2 * slot + 1] = old[1];
	}
	free(strings->slots);
	strings->slots = slots;
	strings->slot_count = count;
}

/* Copies a text into the arena and returns the copy. */
static const char *keep_bytes(struct ra_kineto_strings *strings, const char *bytes, size_t length)
{
	char *place;

	if (length > strings->arena_left) {
		const size_t size = length > ARENA_BYTES / 4 ? length : ARENA_BYTES;
		struct block *block = ra_alloc_bytes(sizeof(*block) + size);

		block->next = strings->kineto->arena;
		strings->kineto->arena = block;
		if (size == length) {
			return memcpy(block->bytes, bytes, length);
		}
		strings->arena_next = block->bytes;
		strings->arena_left = size;
	}
	place = strings->arena_next;
	memcpy(place, bytes, length);
	strings->arena_next += length;
	strings->arena_left -= length;
	return place;
}

static uint32_t add_string(struct ra_kineto_strings *strings, const char *bytes, size_t length)
{
	struct ra_kineto *k = strings->kineto;

	if (length > UINT32_MAX / 2 || k->string_count >= RA_KINETO_NONE - 1) {
		ra_alloc_end();
	}
	ra_util_grow(&k->strings, &strings->capacity, k->string_count + 1, sizeof(*k->strings));
	k->strings[k->string_count] = (struct rlog_string){
		length == 0 ? "" : keep_bytes(strings, bytes, length),
		(uint32_t) length,
		(uint32_t) length,
	};
	return (uint32_t) k->string_count++;
}

uint32_t ra_kineto_strings_add(struct ra_kineto_strings *strings, const char *bytes, size_t length)
{
	struct ra_kineto *k = strings->kineto;
	const uint32_t hash = (uint32_t) hash_bytes(bytes, length);
	uint32_t *recent = &strings->recent[hash % RA_KINETO_STRINGS_RECENT];
	size_t slot;

	if (length == 0) {
		return 0;
	}
	if (has_text(k, *recent, bytes, length)) {
		return *recent;
	}
	if (k->string_count >= strings->slot_count / 8 * 5) {
		grow_slots(strings);
	}
	for (slot = hash & (strings->slot_count - 1);;
	     slot = (slot + 1) & (strings->slot_count - 1)) {
		const uint32_t *known = &strings->slots[2 * slot];

		if (known[1] == RA_KINETO_NONE) {
			break;
		}
		if (known[0] == hash && has_text(k, known[1], bytes, length)) {
			*recent = known[1];
			return known[1];
		}
	}
	*recent = add_string(strings, bytes, length);
	strings->slots[2 * slot] = hash;
	strings->slots[2 * slot + 1] = *recent;
	return *recent;
}

uint32_t ra_kineto_strings_add_likely(struct ra_kineto_strings *strings, uint32_t *likely,
                                      const char *bytes, size_t length)
{
	if (!has_text(strings->kineto, *likely, bytes, length)) {
		*likely = ra_kineto_strings_add(strings, bytes, length);
	}
	return *likely;
}

uint32_t ra_kineto_strings_add_key(struct ra_kineto_strings *strings, uint32_t before,
                                   const char *bytes, size_t length)
{
	return ra_kineto_strings_add_likely(
		strings, &strings->followers[before % RA_KINETO_STRINGS_FOLLOWERS], bytes, length);
}

void ra_kineto_strings_init(struct ra_kineto_strings *strings, struct ra_kineto *kineto)
{
	*strings = (struct ra_kineto_strings){ .kineto = kineto };
	/* The empty string has id 0, and is never looked up. */
	grow_slots(strings);
	add_string(strings, "", 0);
}

void ra_kineto_strings_fini(struct ra_kineto_strings *strings)
{
	free(strings->slots);
	memset(strings, 0, sizeof(*strings));
}
