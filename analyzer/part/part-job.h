/* SPDX-License-Identifier: MIT */
/* What the steps of writing a part of a log share. */
#ifndef RA_PART_JOB_H
#define RA_PART_JOB_H

#include "analyzer/base/util-map.h"
#include "analyzer/clock/clock.h"
#include "analyzer/model/build/builder.h"
#include "analyzer/part/part-options.h"
#include "analyzer/part/part-plan.h"
#include "analyzer/part/part-state.h"
#include "analyzer/read-log/gpu/gpu-streams.h"
#include "format/write/writer.h"

struct ra_part_gpu_chunk;

/* What is known about the GPU's rows (part-gpu.h). All zero for a log without such rows. */
struct ra_part_gpu {
	/* begin of the part, since the log's time 0; INT64_MIN: from the beginning */
	int64_t from_ns;
	int64_t to_ns; /* the first ns outside; INT64_MAX: to the end */
	struct ra_clock real;
	size_t segment;  /* the segment of `real` that was used last */
	uint64_t *calls; /* owned, ascending: for each call, its id and when it began */
	size_t call_count;
	size_t call_capacity;
	struct ra_part_gpu_chunk *chunks; /* owned; by index into ra_part.chunks */
	/* smallest id of the calls that began during the part, and the largest */
	uint32_t low_corr;
	uint32_t high_corr;
	struct ra_util_map wanted; /* OS id of a thread → 0 or 1 */
	uint64_t bad_rows;         /* number of rows in chunks that can't be decoded */
};

struct ra_part {
	struct rlog_reader *reader; /* borrowed */
	const struct ra_part_options *options;
	struct ra_part_result *result;
	struct ra_model *model; /* owned except its reader: threads and their names, time 0 */
	struct ra_builder builder;
	struct ra_gpu_streams gpu_streams; /* owned */
	struct ra_part_gpu gpu;
	struct ra_clock clock;
	struct ra_chunks chunks;
	struct ra_part_window window;
	uint64_t end_ticks;             /* end of the capture, as far as it is known */
	struct ra_part_stream *streams; /* owned */
	struct ra_part_stack *stacks; /* owned; by stream: the ranges open when the window begins */
	size_t stream_count;
	struct ra_part_spans spans;
	struct rlog_batch batch; /* the rows of the chunk decoded last */
	struct rlog_batch cut;   /* the rows of that chunk to write */
	struct rlog_writer *writer;
	uint64_t whole_events; /* number of the program's events in the whole log */
	uint64_t gap_rows;     /* rows missing in the whole log for which the part has a gap */
};

/* Decodes a chunk. Return: false if it can't be decoded; then its rows are counted as missing. */
bool ra_part_job_decode(struct ra_part *part, const struct rlog_chunk *chunk);

/* True if the thread's name and number contain the text that the user gave. */
bool ra_part_job_wants_track(const struct ra_part *part, const struct ra_track *track);

/* True if a thread with this OS id is wanted. @tid: 0: no thread. */
bool ra_part_job_wants(const struct ra_part *part, uint64_t tid);

/* Writes a chunk in the form that it has in the whole log. Does not count its events. Return: the
 * writer's code. */
int ra_part_job_put_packed(struct ra_part *part, const struct rlog_chunk *chunk,
                           struct rlog_error *err);

/* Finds the first row at which the stream's latest time is at least `ticks`, and which is no
 * continuation of the row before. @latest: the latest time before row 0. */
size_t ra_part_job_find_row(const struct rlog_batch *batch, uint64_t ticks, uint64_t latest);

#endif
