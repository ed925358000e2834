/* SPDX-License-Identifier: MIT */
/* Lets a thread of a log be read only once, though its ranges are shown when they begin: finds the
 * ends of open ranges ahead, from the lists of open ranges in chunks. */
#ifndef RA_LOG_ENDS_H
#define RA_LOG_ENDS_H

#include "analyzer/clock/clock.h"
#include "analyzer/model/build/builder.h"
#include "analyzer/read-log/stream/slice-ends.h"
#include "format/read/reader.h"

/* A thread of a log. All is borrowed. */
struct ra_log_ends {
	const struct rlog_reader *reader;
	const struct rlog_chunk *const *rows; /* the chunks of the thread */
	size_t count;
	const struct ra_clock *clock;
	int64_t zero_ns;
	int64_t open_end_ns; /* ranges that are never closed end then, or at the thread's last event
	                        if that is later */
	struct rlog_batch *scratch;     /* for decoding */
	size_t *decodes_left;           /* so many chunks may be decoded ahead */
	size_t next;                    /* the chunk behind what is shown … */
	const struct rlog_batch *batch; /* … and what it says */
	size_t segment;                 /* clock cursor */
};

/* True if headers say this of a thread's chunks: nothing was lost or is missing; all but the first
 * have only pushes, pops and marks, which nest, and list the open ranges. */
bool ra_log_ends_can_read(const struct rlog_chunk *const *rows, size_t count);

/* True if a batch has only pushes, pops and marks, all of its names and domains are known, and the
 * meaning of its rows does not depend on later rows. */
bool ra_log_ends_is_known(const struct ra_builder *builder, const struct rlog_batch *batch);

/* As `find` of struct ra_slice_ends. @context: a struct ra_log_ends. */
bool ra_log_ends_find(void *context, size_t open, size_t known, struct ra_slice_end *ends);

#endif
