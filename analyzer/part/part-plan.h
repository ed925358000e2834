/* SPDX-License-Identifier: MIT */
/* Which chunks of a log a stretch of time needs; by headers alone. */
#ifndef RA_PART_PLAN_H
#define RA_PART_PLAN_H

#include "analyzer/read-log/chunks/chunks.h"
#include "format/read/reader.h"
#include "format/wire.h"

/* A stretch of time, in ticks; rows belong to it by the latest time that their stream had shown
 * until then, as readers take them. */
struct ra_part_window {
	uint64_t from; /* 0: from the begin on */
	uint64_t to;   /* the first that is outside; UINT64_MAX: to the end */
};

/* The chunks of a stream, by their place in ra_chunks. */
struct ra_part_stream {
	uint32_t stream;
	size_t first;
	size_t end;
	size_t in_first; /* has the first row in the window, unless it is in_end: no row is */
	size_t in_end;
	size_t seed;          /* what is open at in_first is known by reading from here on */
	uint64_t seed_before; /* latest time before that chunk */
	bool seed_tells;      /* that chunk tells what is open; else nothing is */
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
