/* SPDX-License-Identifier: MIT */
/* The hash table of streams. */
#include "format/write/streams.h"

#include <stdlib.h>

#include "format/error.h"

void rlog_streams_fini(struct rlog_streams *streams)
{
	free(streams->slots);
	*streams = (struct rlog_streams){ 0 };
}

/* Returns the slot of a stream, or the free slot where it belongs. The table is never full. */
static struct rlog_streams_slot *find_slot(const struct rlog_streams *streams, uint32_t stream)
{
	/* Fibonacci hashing, because streams are small consecutive numbers. The table's address is
	 * mixed into the factor, so that no file can be made to collide. */
	const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15) ^ (uintptr_t) streams->slots;
	size_t at = (size_t) (stream * (factor | 1) >> 32) & (streams->capacity - 1);

	while (streams->slots[at].stream != 0 && streams->slots[at].stream != stream) {
		at = (at + 1) & (streams->capacity - 1);
	}
	return &streams->slots[at];
}

int rlog_streams_reserve(struct rlog_streams *streams)
{
	struct rlog_streams bigger = { .count = streams->count };

	if (streams->count + 1 < streams->capacity / 2) {
		return 0;
	}
	bigger.capacity = streams->capacity ? streams->capacity * 2 : 64;
	bigger.slots = calloc(bigger.capacity, sizeof(*bigger.slots));
	if (!bigger.slots) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < streams->capacity; i++) {
		if (streams->slots[i].stream != 0) {
			*find_slot(&bigger, streams->slots[i].stream) = streams->slots[i];
		}
	}
	free(streams->slots);
	*streams = bigger;
	return 0;
}

uint64_t rlog_streams_get(const struct rlog_streams *streams, uint32_t stream)
{
	return streams->capacity ? find_slot(streams, stream)->next : 0;
}

bool rlog_streams_has(const struct rlog_streams *streams, uint32_t stream)
{
	return streams->capacity && find_slot(streams, stream)->stream != 0;
}

void rlog_streams_set(struct rlog_streams *streams, uint32_t stream, uint64_t next)
{
	struct rlog_streams_slot *const slot = find_slot(streams, stream);

	streams->count += slot->stream == 0;
	slot->stream = stream;
	slot->next = next;
}
