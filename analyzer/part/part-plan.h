/* SPDX-License-Identifier: MIT */
/* Finds which chunks of a log are needed for a stretch of time. Reads only chunk headers. */
#ifndef RA_PART_PLAN_H
#define RA_PART_PLAN_H

#include "analyzer/read-log/chunks/chunks.h"
#include "format/read/reader.h"
#include "format/wire.h"

/* A stretch of time, in ticks. The time of a row is the latest time in its stream up to that row;
 * readers take it so, too. */
struct ra_part_window {
	uint64_t from; /* 0: from the beginning */
	uint64_t to;   /* the first tick outside; UINT64_MAX: to the end */
};

/* The chunks of a stream, by their index in ra_chunks. */
struct ra_part_stream {
	uint32_t stream;
	size_t first;
	size_t end;
	/* the chunk with the first row in the window; equals in_end if no row is in the window */
	size_t in_first;
	size_t in_end;
	size_t seed;          /* who reads from this chunk on knows the ranges open at in_first */
	uint64_t seed_before; /* latest time of the stream before that chunk */
	/* that chunk lists the ranges open before it; false: no range is open before it */
	bool seed_tells;
	bool is_gpu; /* the rows are the GPU's: part-gpu.h tells which of them belong to the part */
	bool is_empty; /* no row belongs to the part, because the thread is not wanted */
};

/* Finds the chunks to read of the stream whose chunks begin at `first`. */
void ra_part_plan_stream(struct ra_part_stream *plan, const struct ra_chunks *chunks, size_t first,
                         const struct ra_part_window *window);

/* True if the chunk's header says that its rows are only pushes, pops and marks. */
static inline bool ra_part_plan_is_plain(const struct rlog_chunk *chunk)
{
	return (chunk->flags & (RLOG_FLAG_OPEN | RLOG_FLAG_OTHERS)) == RLOG_FLAG_OPEN;
}

#endif
