/* SPDX-License-Identifier: MIT */
/* Numbers texts, and finds texts by their hash. */
#include "analyzer/protobuf/protobuf-texts.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

void ra_protobuf_texts_fini(struct ra_protobuf_texts *texts)
{
	ra_protobuf_bytes_fini(&texts->bytes);
	free(texts->ends);
	free(texts->slots);
	*texts = (struct ra_protobuf_texts){ 0 };
}

/* Hashes by FNV-1a. The seed is an address, so that a hostile file can't contain names that
 * collide. */
static uint64_t hash(const struct ra_protobuf_texts *texts, const void *text, size_t length)
{
	const unsigned char *at = text;
	uint64_t sum = UINT64_C(0xcbf29ce484222325) ^ length ^ (uint64_t) (uintptr_t) texts;

	for (size_t i = 0; i < length; i++) {
		sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
	}
	return sum ^ sum >> 29;
}

const char *ra_protobuf_texts_get(const struct ra_protobuf_texts *texts, uint32_t number,
                                  size_t *length)
{
	*length = texts->ends[number] - texts->ends[number - 1];
	return *length == 0 ? "" : (const char *) texts->bytes.bytes + texts->ends[number - 1];
}

/* Return: the slot of a text, or the free slot for it. */
static size_t find_slot(const struct ra_protobuf_texts *texts, const void *text, size_t length)
{
	size_t slot = (size_t) hash(texts, text, length) & (texts->slot_count - 1);

	while (texts->slots[slot] != 0) {
		size_t own_length;
		const char *own = ra_protobuf_texts_get(texts, texts->slots[slot], &own_length);

		if (own_length == length && (length == 0 || memcmp(own, text, length) == 0)) {
			break;
		}
		slot = (slot + 1) & (texts->slot_count - 1);
	}
	return slot;
}

/* Doubles the slots, so that at most half are used. */
static void grow_slots(struct ra_protobuf_texts *texts)
{
	const size_t count = texts->slot_count == 0 ? 1024 : texts->slot_count * 2;
	uint32_t *slots = ra_alloc_zeros(count, sizeof(*slots));

	free(texts->slots);
	texts->slots = slots;
	texts->slot_count = count;
	for (uint32_t number = 1; number <= texts->count; number++) {
		size_t length;
		const char *text = ra_protobuf_texts_get(texts, number, &length);

		slots[find_slot(texts, text, length)] = number;
	}
}

uint32_t ra_protobuf_texts_put(struct ra_protobuf_texts *texts, const void *text, size_t length)
{
	size_t slot;

	if (((size_t) texts->count + 1) * 2 > texts->slot_count) {
		grow_slots(texts);
	}
	slot = find_slot(texts, text, length);
	if (texts->slots[slot] == 0) {
		ra_util_grow(&texts->ends, &texts->capacity, (size_t) texts->count + 2,
		             sizeof(*texts->ends));
		texts->ends[0] = 0;
		ra_protobuf_bytes_put(&texts->bytes, text, length);
		texts->ends[++texts->count] = texts->bytes.used;
		texts->slots[slot] = texts->count;
	}
	return texts->slots[slot];
}
