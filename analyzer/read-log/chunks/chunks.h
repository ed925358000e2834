/* SPDX-License-Identifier: MIT */
/* Lists the event chunks of a log, in the order of their streams. */
#ifndef RA_CHUNKS_H
#define RA_CHUNKS_H

#include "format/read/reader.h"

struct ra_chunks {
	const struct rlog_chunk **rows; /* owned; the chunks belong to the reader */
	size_t count;
};

/*
 * Collects all event chunks, without repeats, ordered by stream, sequence and offset. Call
 * ra_chunks_fini() afterwards in either case.
 */
void ra_chunks_collect(struct ra_chunks *chunks, const struct rlog_reader *reader);

/* Calls rlog_reader_compare_chunks(), for RA_SORT() of pointers to chunks. */
int ra_chunks_compare(const void *left, const void *right);

void ra_chunks_fini(struct ra_chunks *chunks);

#endif
