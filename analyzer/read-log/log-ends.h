/* SPDX-License-Identifier: MIT */
/* Finds out in advance how open ranges will end, from the lists of open ranges in chunks. So a
 * thread of a log is read only once, although its ranges are shown when they begin. */
#ifndef RA_LOG_ENDS_H
#define RA_LOG_ENDS_H

#include "analyzer/clock/clock.h"
#include "analyzer/model/build/builder.h"
#include "analyzer/read-log/stream/slice-ends.h"
#include "format/read/reader.h"

/* A thread of a log. Everything is borrowed. */
struct ra_log_ends {
	const struct rlog_reader *reader;
	const struct rlog_chunk *const *rows; /* the chunks of the thread */
	size_t count;
	const struct ra_clock *clock;
	int64_t zero_ns;
	int64_t open_end_ns; /* ranges that are never closed end at this time, or at the thread's
	                        last event if that is later */
	struct rlog_batch *scratch; /* used to decode chunks in advance */
	size_t *decodes_left;       /* number of chunks that may still be decoded in advance */
	size_t next;                /* the chunk after the rows that were shown … */
	/* … and the rows that were decoded from the chunk before it */
	const struct rlog_batch *batch;
	size_t segment; /* clock cursor */
};

/* True if the headers of a thread's chunks tell two things: nothing was lost or is missing; all
 * chunks but the first have only nested pushes and pops, and marks, and list the open ranges. */
bool ra_log_ends_can_read(const struct rlog_chunk *const *rows, size_t count);

/* True if a batch has only pushes, pops and marks, all of its names and domains are known, and the
 * meaning of its rows does not depend on later rows. */
bool ra_log_ends_is_known(const struct ra_builder *builder, const struct rlog_batch *batch);

/* Does what `find` of struct ra_slice_ends must do. @context: a struct ra_log_ends. */
bool ra_log_ends_find(void *context, size_t open, size_t known, struct ra_slice_end *ends);

#endif
