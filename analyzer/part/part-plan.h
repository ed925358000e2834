/* SPDX-License-Identifier: MIT */
/* Finds which chunks of a log a stretch of time needs, from headers alone. */
#ifndef RA_PART_PLAN_H
#define RA_PART_PLAN_H

#include "analyzer/read-log/chunks/chunks.h"
#include "format/read/reader.h"
#include "format/wire.h"

/* A stretch of time, in ticks. What counts for a row is the latest time of its stream up to that
 * row, as for readers. */
struct ra_part_window {
	uint64_t from; /* 0: from the begin on */
	uint64_t to;   /* the first that is outside; UINT64_MAX: to the end */
};

/* The chunks of a stream, by their place in ra_chunks. */
struct ra_part_stream {
	uint32_t stream;
	size_t first;
	size_t end;
	size_t in_first; /* the chunk with the first row in the window; in_end if no row is in it */
	size_t in_end;
	size_t seed;          /* reading from this chunk on tells the ranges open at in_first */
	uint64_t seed_before; /* latest time before that chunk */
	bool seed_tells;      /* that chunk lists the open ranges; else none is open */
	bool is_gpu;          /* rows of the GPU: part-gpu.h has what belongs to the part */
	bool is_empty;        /* nothing of the window: the thread is not wanted */
};

/* Plans for the stream whose chunks begin at `first`. */
void ra_part_plan_stream(struct ra_part_stream *plan, const struct ra_chunks *chunks, size_t first,
                         const struct ra_part_window *window);

/* True if the chunk has nothing but pushes, pops and marks, and says so. */
static inline bool ra_part_plan_is_plain(const struct rlog_chunk *chunk)
{
	return (chunk->flags & (RLOG_FLAG_OPEN | RLOG_FLAG_OTHERS)) == RLOG_FLAG_OPEN;
}

#endif
