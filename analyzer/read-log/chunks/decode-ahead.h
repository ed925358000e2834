/* SPDX-License-Identifier: MIT */
/* Lets threads inflate and decode chunks of a log ahead of the thread that takes them in order. */
#ifndef RA_DECODE_AHEAD_H
#define RA_DECODE_AHEAD_H

#include "analyzer/base/side/pool.h"
#include "analyzer/read-log/chunks/chunks.h"
#include "format/batch.h"

/* The most chunks that wait or are being decoded. This also limits the number of threads that have
 * work at the same time. */
#define RA_DECODE_AHEAD_MOST 16

struct ra_decode_ahead;

/* A chunk that is decoded. */
struct ra_decoded {
	struct rlog_batch batch;
	int rc; /* code of rlog_reader_decode_kept() */
};

/*
 * Begins to decode, from the first chunk on.
 *
 * @pool: decodes the chunks; NULL is allowed.
 * @chunks: in the order in which they will be taken; borrowed until destroy.
 * Return: NULL: there is no pool.
 */
struct ra_decode_ahead *ra_decode_ahead_create(struct ra_pool *pool,
                                               const struct rlog_reader *reader,
                                               const struct ra_chunks *chunks);

/* NULL is allowed. */
void ra_decode_ahead_destroy(struct ra_decode_ahead *ahead);

/*
 * Takes a chunk. The chunks before it can't be taken any more.
 *
 * Return: valid until the next call. NULL: the caller must decode the chunk, because it is too
 * large to wait, or there was no memory for it while others wait.
 */
const struct ra_decoded *ra_decode_ahead_take(struct ra_decode_ahead *ahead,
                                              const struct rlog_chunk *chunk);

#endif
