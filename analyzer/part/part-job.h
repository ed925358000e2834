/* SPDX-License-Identifier: MIT */
/* A part of a log while it is being written: what its steps share. */
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

/* What is known of the GPU's rows (part-gpu.h). Zero is that of a log without them. */
struct ra_part_gpu {
	int64_t from_ns; /* the stretch, since the log's time 0; INT64_MIN: from the begin on */
	int64_t to_ns;   /* the first that is outside; INT64_MAX: to the end */
	struct ra_clock real;
	size_t segment;  /* of `real`, that was used last */
	uint64_t *calls; /* owned, ascending: a call's id and when it began */
	size_t call_count;
	size_t call_capacity;
	struct ra_part_gpu_chunk *chunks; /* owned; by index into ra_part.chunks */
	uint32_t low_corr;                /* of calls that began in the stretch */
	uint32_t high_corr;
	struct ra_util_map wanted; /* OS id of a thread → 0 or 1 */
	uint64_t bad_rows;         /* of chunks that could not be understood */
};

struct ra_part {
	struct rlog_reader *reader; /* borrowed */
	const struct ra_part_options *options;
	struct ra_part_result *result;
	struct ra_model *model; /* owned, but for its reader: threads and their names, time 0 */
	struct ra_builder builder;
	struct ra_gpu_streams gpu_streams; /* owned */
	struct ra_part_gpu gpu;
	struct ra_clock clock;
	struct ra_chunks chunks;
	struct ra_part_window window;
	uint64_t end_ticks;             /* of the capture, as far as is known */
	struct ra_part_stream *streams; /* owned */
	struct ra_part_stack *stacks;   /* owned; of each stream, when the window begins */
	size_t stream_count;
	struct ra_part_spans spans;
	struct rlog_batch batch; /* what was decoded */
	struct rlog_batch cut;   /* what is written of it */
	struct rlog_writer *writer;
	uint64_t whole_events; /* of the program */
	uint64_t gap_rows;     /* rows missing in the whole log for which the part has a gap */
};

/* Decodes a chunk. Return: false if it cannot be understood; it then counts as missing rows. */
bool ra_part_job_decode(struct ra_part *part, const struct rlog_chunk *chunk);

/* True if the thread's name and number have the text that is wanted. */
bool ra_part_job_wants_track(const struct ra_part *part, const struct ra_track *track);

/* True if a thread with this OS id is wanted. @tid: 0: no thread. */
bool ra_part_job_wants(const struct ra_part *part, uint64_t tid);

/* Writes a chunk as it stands in the whole log. Events are not counted. Return: as the writer. */
int ra_part_job_put_packed(struct ra_part *part, const struct rlog_chunk *chunk,
                           struct rlog_error *err);

/* Finds the first row by which the stream has reached this time, and which does not belong to the
 * row before it. @latest: before the first row. */
size_t ra_part_job_find_row(const struct rlog_batch *batch, uint64_t ticks, uint64_t latest);

#endif
