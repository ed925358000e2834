/* SPDX-License-Identifier: MIT */
/* Reads a thread of a log only around a stretch of time. Finds the ranges open at its start, and
 * their ends, from the lists of open ranges in chunks. */
#ifndef RA_LOG_PART_H
#define RA_LOG_PART_H

#include "analyzer/model/input.h"
#include "analyzer/read-log/hierarchy/hierarchy.h"
#include "format/read/reader.h"

/* Returned if nothing was done, and the thread must be read from its beginning. */
#define RA_LOG_PART_WHOLE 1

/* A thread of a log, and what takes its rows. Everything is borrowed. */
struct ra_log_part {
	const struct rlog_reader *reader;
	const struct ra_input_window *window;
	const struct rlog_chunk *const *rows; /* the chunks of the thread */
	size_t count;
	struct ra_hierarchy *hierarchy; /* the track must have been begun */
	struct rlog_batch *batch;       /* for decoding */
	/* Takes a chunk into the hierarchy. @expected: ordinal of the row that should come next;
	 * updated. Return: 0, -RLOG_E_NO_MEMORY, or the code for which it refuses rows. */
	int (*take)(void *context, const struct rlog_chunk *chunk, uint64_t *expected);
	void *context;
};

/*
 * Reads the ranges and marks that overlap the window, with their whole duration, just as if the
 * whole thread had been read. In the rest of the thread, only the number of events is counted.
 *
 * Return: 0; RA_LOG_PART_WHOLE: something is lost or missing, or depends on rows elsewhere, or the
 * chunks do not tell which ranges are open; or the code that `take` returned.
 */
int ra_log_part_read(const struct ra_log_part *thread);

#endif
