/* SPDX-License-Identifier: MIT */
/* Reads a thread of a log only around a stretch of time. Finds the ranges open at its start, and
 * their ends, from the lists of open ranges in chunks. */
#ifndef RA_LOG_PART_H
#define RA_LOG_PART_H

#include "analyzer/model/input.h"
#include "analyzer/read-log/hierarchy/hierarchy.h"
#include "format/read/reader.h"

/* Nothing was done: the thread must be read from its beginning. */
#define RA_LOG_PART_WHOLE 1

/* A thread of a log, and who takes it. All is borrowed. */
struct ra_log_part {
	const struct rlog_reader *reader;
	const struct ra_input_window *window;
	const struct rlog_chunk *const *rows; /* the chunks of the thread */
	size_t count;
	struct ra_hierarchy *hierarchy; /* its track was begun */
	struct rlog_batch *batch;       /* for decoding */
	/* Takes a chunk into the hierarchy. @expected: ordinal of the row that should come next,
	 * moved on. Return: 0, -RLOG_E_NO_MEMORY, or what rows may be refused by. */
	int (*take)(void *context, const struct rlog_chunk *chunk, uint64_t *expected);
	void *context;
};

/*
 * Reads what overlaps the window, as it would come out of all of the thread: ranges and marks, with
 * their whole duration. Of the rest of the thread only events are counted.
 *
 * Return: 0; RA_LOG_PART_WHOLE: something is lost or missing, or has to do with rows elsewhere, or
 * the chunks do not tell what is open; else what `take` returned.
 */
int ra_log_part_read(const struct ra_log_part *thread);

#endif
