/* SPDX-License-Identifier: MIT */
/*
 * Lets threads inflate and decode chunks of a log ahead of the thread that takes them in order.
 *
 * Waiting chunks have a limited size, which their headers tell, so a log of any size takes the same
 * memory. A chunk whose header claims more than the limit is left to the thread that takes it.
 */
#include "analyzer/read-log/chunks/decode-ahead.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "format/error.h"

/* The most memory of all slots together, and the most memory that a slot keeps for its next chunk:
 * a chunk of our writer takes up to 1 MB. */
#define MOST_BYTES ((size_t) 12 << 20)
#define KEPT_BYTES ((size_t) 2 << 20)

/* Bytes that a row of a batch takes; and bytes that a byte of a payload takes, because two bytes
 * become an attribute of twelve. */
#define ROW_BYTES     25u
#define PAYLOAD_BYTES 7u

struct slot {
	struct ra_pool_task task;
	struct ra_decode_ahead *ahead;
	const struct rlog_chunk *chunk;
	struct ra_decoded decoded; /* owned */
	size_t bytes;
};

struct ra_decode_ahead {
	struct ra_pool *pool; /* borrowed, like `reader` and `chunks` */
	const struct rlog_reader *reader;
	const struct ra_chunks *chunks;
	struct ra_pool_line line;
	struct slot slots[RA_DECODE_AHEAD_MOST]; /* used as a ring */
	size_t slot_count;
	size_t first;   /* the oldest slot */
	size_t waiting; /* number of slots with a chunk, beginning at the oldest */
	size_t bytes;   /* memory of these slots */
	size_t next;    /* index of the next chunk that gets a slot */
	bool is_held;   /* the caller is using the chunk in the oldest slot */
};

/* Context: a task. */
static void decode(void *context)
{
	struct slot *slot = context;
	const struct ra_decode_ahead *ahead = slot->ahead;
	struct ra_decoded *decoded = &slot->decoded;

	decoded->rc = rlog_reader_decode_kept(ahead->reader, slot->chunk, &decoded->batch, NULL);
}

static size_t measure(const struct rlog_chunk *chunk)
{
	return (size_t) chunk->count * ROW_BYTES + (size_t) chunk->raw_bytes * PAYLOAD_BYTES;
}

/* Gives slots to as many chunks as may wait. */
static void put_more(struct ra_decode_ahead *ahead)
{
	while (ahead->waiting < ahead->slot_count && ahead->next < ahead->chunks->count) {
		struct slot *slot =
			&ahead->slots[(ahead->first + ahead->waiting) % ahead->slot_count];
		const struct rlog_chunk *chunk = ahead->chunks->rows[ahead->next];
		const size_t bytes = measure(chunk);

		if (ahead->bytes + bytes > MOST_BYTES) {
			return;
		}
		slot->chunk = chunk;
		slot->bytes = bytes;
		ahead->bytes += bytes;
		ahead->waiting++;
		ahead->next++;
		ra_pool_put(ahead->pool, &ahead->line, &slot->task);
	}
}

static void free_slot(struct slot *slot)
{
	rlog_batch_fini(&slot->decoded.batch);
	slot->decoded = (struct ra_decoded){ 0 };
}

/* Frees the oldest slot for another chunk. */
static void pass_oldest(struct ra_decode_ahead *ahead)
{
	struct slot *slot = &ahead->slots[ahead->first];

	if (slot->bytes > KEPT_BYTES) {
		free_slot(slot);
	}
	ahead->bytes -= slot->bytes;
	ahead->first = (ahead->first + 1) % ahead->slot_count;
	ahead->waiting--;
	ahead->is_held = false;
}

struct ra_decode_ahead *ra_decode_ahead_create(struct ra_pool *pool,
                                               const struct rlog_reader *reader,
                                               const struct ra_chunks *chunks)
{
	struct ra_decode_ahead *ahead;
	const size_t wanted = 2 * ra_pool_threads(pool);

	if (pool == NULL) {
		return NULL;
	}
	ahead = ra_alloc_zeros(1, sizeof(*ahead));
	ahead->pool = pool;
	ahead->reader = reader;
	ahead->chunks = chunks;
	ahead->slot_count = wanted < RA_DECODE_AHEAD_MOST ? wanted : RA_DECODE_AHEAD_MOST;
	for (size_t i = 0; i < ahead->slot_count; i++) {
		ahead->slots[i].ahead = ahead;
		ahead->slots[i].task.run = decode;
		ahead->slots[i].task.context = &ahead->slots[i];
	}
	ra_pool_add_line(pool, &ahead->line);
	put_more(ahead);
	return ahead;
}

static void take_oldest(struct ra_decode_ahead *ahead)
{
	ra_pool_take(ahead->pool, &ahead->slots[ahead->first].task);
}

void ra_decode_ahead_destroy(struct ra_decode_ahead *ahead)
{
	if (ahead == NULL) {
		return;
	}
	ra_pool_drop_line(ahead->pool, &ahead->line);
	for (size_t i = 0; i < ahead->slot_count; i++) {
		free_slot(&ahead->slots[i]);
	}
	free(ahead);
}

/* Skips all chunks up to this one, which has no slot, so the caller decodes it. */
static void leave(struct ra_decode_ahead *ahead, const struct rlog_chunk *chunk)
{
	while (ahead->next < ahead->chunks->count && ahead->chunks->rows[ahead->next++] != chunk) {
	}
}

const struct ra_decoded *ra_decode_ahead_take(struct ra_decode_ahead *ahead,
                                              const struct rlog_chunk *chunk)
{
	struct slot *slot;

	if (ahead->is_held) {
		pass_oldest(ahead);
	}
	while (ahead->waiting > 0 && ahead->slots[ahead->first].chunk != chunk) {
		take_oldest(ahead);
		pass_oldest(ahead);
	}
	if (ahead->waiting == 0) {
		leave(ahead, chunk);
		put_more(ahead);
		return NULL;
	}
	slot = &ahead->slots[ahead->first];
	put_more(ahead);
	take_oldest(ahead);
	ahead->is_held = true;
	if (slot->decoded.rc == -RLOG_E_NO_MEMORY) {
		free_slot(slot);
		return NULL;
	}
	return &slot->decoded;
}
