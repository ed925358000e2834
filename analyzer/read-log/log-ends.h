/* SPDX-License-Identifier: MIT */
/* Reading a thread of a log only once, though its ranges are shown when they begin: how ranges end
 * that are open somewhere is found ahead, by what chunks tell of it. */
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

/* True if headers say of all chunks of a thread that nothing was lost or is missing, and, but of
 * the first, that nothing but pushes, pops and marks is in them, that these nest, and that they
 * tell what is open. */
bool ra_log_ends_can_read(const struct rlog_chunk *const *rows, size_t count);

/* True if all names and domains in a batch are known, and what its rows mean does not depend on
 * rows behind it. */
bool ra_log_ends_is_known(const struct ra_builder *builder, const struct rlog_batch *batch);

/* As `find` of struct ra_slice_ends. @context: a struct ra_log_ends. */
bool ra_log_ends_find(void *context, size_t open, size_t known, struct ra_slice_end *ends);

#endif
