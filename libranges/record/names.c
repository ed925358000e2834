/* SPDX-License-Identifier: MIT */
/* The table of names: open addressing, read without a lock, written under one. */
#include "libranges/record/names.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "libranges/spool/arena.h"
#include "libranges/spool/process.h"

/* Stands for every name that found no place; interned first, so its id is 1. */
#define PLACEHOLDER "(name table full)"

static struct {
	/* Hash in the high half, id in the low one; 0 = empty. Written under the lock with release
	 * after the text is in texts[]; read with acquire. */
	_Atomic uint64_t *slots;
	uint32_t mask;
	const char **texts; /* by id: the copy in the arena; its record stands in front of it */
	size_t bytes;       /* mapped */
	size_t text_bytes;  /* stored so far */
	uint32_t count;
} names;

uint32_t rcap_names_hash(const char *bytes, size_t length)
{
	const uint64_t factor = 0x9E3779B97F4A7C15u; /* 2^64 / golden ratio */
	uint64_t hash = length * factor;
	uint64_t word;

	for (; length >= 8; bytes += 8, length -= 8) {
		memcpy(&word, bytes, 8);
		hash = (hash ^ word) * factor;
		hash ^= hash >> 29;
	}
	word = 0;
	memcpy(&word, bytes, length);
	hash = (hash ^ word) * factor;
	hash ^= hash >> 32;
	return (uint32_t) (hash | 1); /* never 0 */
}

bool rcap_names_reset(void)
{
	const uint64_t max = rcap_process.config.names_max;
	uint64_t slots = 1024;
	size_t bytes;
	char *memory;
	bool lost = false;

	if (names.slots) {
		munmap((void *) names.slots, names.bytes);
	}
	memset(&names, 0, sizeof(names));
	while (slots < 2 * (max + 2)) {
		slots *= 2;
	}
	bytes = slots * sizeof(uint64_t) + (size_t) (max + 2) * sizeof(char *);
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		return false;
	}
	names.slots = (_Atomic uint64_t *) (void *) memory;
	names.mask = (uint32_t) slots - 1;
	names.texts = (const char **) (void *) (memory + slots * sizeof(uint64_t));
	names.bytes = bytes;
	return rcap_names_intern(PLACEHOLDER, sizeof(PLACEHOLDER) - 1, 0, NULL, &lost) == 1;
}

static const struct rcap_record *record_of(const char *text)
{
	return (const struct rcap_record *) (const void *) text - 1;
}

static bool is_same(const char *text, const struct rlog_string *string)
{
	const struct rcap_record *record = record_of(text);

	return record->bytes == string->length && record->full_length == string->full_length &&
	       memcmp(text, string->bytes, string->length) == 0;
}

/* Return: id, or 0 and the slot where the search ended. */
static uint32_t find(const struct rlog_string *string, uint32_t hash, uint32_t *slot)
{
	uint32_t at = hash & names.mask;

	for (;; at = (at + 1) & names.mask) {
		const uint64_t entry = atomic_load_explicit(&names.slots[at], memory_order_acquire);
		const uint32_t id = (uint32_t) entry;

		if (entry == 0) {
			*slot = at;
			return 0;
		}
		if ((uint32_t) (entry >> 32) == hash && is_same(names.texts[id], string)) {
			return id;
		}
	}
}

/* Under the lock. @max: strings that there may be. Return: id, 0 if there is no room. */
static uint32_t insert(const struct rlog_string *string, uint32_t hash, uint64_t max)
{
	const char *text = NULL;
	uint32_t slot = 0;
	uint32_t id = find(string, hash, &slot); /* another thread may have been first */

	if (id != 0) {
		return id;
	}
	if (names.count > max ||
	    names.text_bytes + string->length > rcap_process.config.names_bytes ||
	    rcap_arena_add_string(&rcap_process.spool, string, &text) != 0) {
		return 0;
	}
	id = ++names.count;
	names.text_bytes += string->length;
	names.texts[id] = text;
	atomic_store_explicit(&names.slots[slot], (uint64_t) hash << 32 | id, memory_order_release);
	return id;
}

/* Return: id, 0 if it is new and there is no room. */
static uint32_t find_or_insert(const struct rlog_string *string, uint64_t max)
{
	const uint32_t hash = rcap_names_hash(string->bytes, string->length);
	uint32_t slot = 0;
	uint32_t id = find(string, hash, &slot);

	if (id == 0) {
		rcap_process_lock();
		id = insert(string, hash, max);
		rcap_process_unlock();
	}
	return id;
}

uint32_t rcap_names_intern_detail(const void *bytes, size_t length)
{
	const struct rlog_string string = { .bytes = bytes,
		                            .length = (uint32_t) length,
		                            .full_length = (uint32_t) length };

	/* Half of the table is out of reach: a flood of definitions must not cost ranges their
	 * names. */
	return length > RLOG_MAX_STRING_BYTES
	               ? 0
	               : find_or_insert(&string, rcap_process.config.names_max / 2);
}

uint32_t rcap_names_intern(const char *bytes, size_t length, size_t full_length, const char **copy,
                           bool *lost)
{
	const size_t max = rcap_process.config.string_max_bytes;
	struct rlog_string string = { .bytes = bytes, .length = (uint32_t) length };
	uint32_t id;

	if (full_length < length) {
		full_length = length;
	}
	if (length > max) {
		string.length = (uint32_t) max;
	}
	string.full_length = full_length > UINT32_MAX ? UINT32_MAX : (uint32_t) full_length;
	id = find_or_insert(&string, rcap_process.config.names_max);
	if (id == 0) {
		*lost = true;
		id = names.count > 0 ? 1 : 0;
		string.length = 0; /* no copy to compare with */
		string.full_length = 1;
	}
	if (copy) {
		/* A text with a NUL inside can't be compared with strcmp either: such come from
		 * registered strings only, whose callers ask for no copy. */
		*copy = string.length == string.full_length ? names.texts[id] : NULL;
	}
	return id;
}
