/* SPDX-License-Identifier: MIT */
/* Finds which GPU rows belong to a part: those of calls that began during the part, whenever they
 * ran. */
#include "analyzer/part/part-gpu.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"
#include "analyzer/clock/gpu-clock.h"
#include "format/wire.h"

/* When the first call with an id began. These values, and the flag for a thread that is not wanted,
 * are the low bits of an entry of `calls`. So when entries are sorted, the earliest call with an id
 * comes first. */
enum began {
	BEGAN_BEFORE,
	BEGAN_IN,
	BEGAN_AFTER,
	BEGAN_NEVER, /* no call with the id is known */
};
#define UNWANTED   1u
#define BEGAN_BITS 1
#define CORR_BITS  3

/* About the chunk with the same index: which ids its rows have, and when they ran. */
struct ra_part_gpu_chunk {
	uint32_t low_corr;
	uint32_t high_corr;
	int64_t first_ns;
	int64_t end_ns; /* less than first_ns: the chunk has no rows that can be read */
};

/* A position in the rows of a decoded chunk. */
struct rows {
	const struct rlog_batch *batch;
	uint32_t clock; /* enum rlog_stream_clock */
	size_t row;
	/* by attribute: its first entry that is not before the current row */
	size_t next[RLOG_ATTRS];
};

/* The value of an attribute in the current row; 0: none. O(1) on average, because rows come in
 * order. */
static uint64_t find_value(struct rows *rows, enum rlog_attr attr)
{
	const struct rlog_attr_column *column = &rows->batch->attr[attr];
	size_t next = rows->next[attr];

	while (next < column->count && column->row[next] < rows->row) {
		next++;
	}
	rows->next[attr] = next;
	return next < column->count && column->row[next] == rows->row ? column->value[next] : 0;
}

/* True if a thread with this OS id is wanted. */
static bool is_wanted(struct ra_part *part, uint64_t tid)
{
	uint32_t is;

	if (part->options->thread == NULL) {
		return true;
	}
	is = ra_util_map_find(&part->gpu.wanted, tid);
	if (is == RA_UTIL_MAP_NONE) {
		is = ra_part_job_wants(part, tid);
		ra_util_map_put(&part->gpu.wanted, tid, is);
	}
	return is != 0;
}

/* Reads a correlation id. Larger ids are ignored, as in readers of logs. */
static uint32_t find_corr(struct rows *rows)
{
	const uint64_t corr = find_value(rows, RLOG_ATTR_CORR);

	return corr < UINT32_MAX ? (uint32_t) corr : UINT32_MAX;
}

/* Converts a time of a GPU stream to ns since the log's time 0. @clock: enum rlog_stream_clock. */
static int64_t since_zero(struct ra_part *part, uint32_t clock, uint64_t ticks)
{
	const int64_t zero_ns = part->model->zero_ns;

	if (clock == RLOG_STREAM_CLOCK_REALTIME) {
		return ra_clock_convert(&part->gpu.real, ticks, &part->gpu.segment) - zero_ns;
	}
	return (int64_t) (ticks - (uint64_t) zero_ns);
}

static int64_t find_begin(struct ra_part *part, const struct rows *rows)
{
	return since_zero(part, rows->clock, rows->batch->ticks[rows->row]);
}

static int64_t find_end(struct rows *rows, int64_t begin_ns)
{
	const uint64_t dur = find_value(rows, RLOG_ATTR_DUR);

	return ra_util_add_time(begin_ns, dur < INT64_MAX ? (int64_t) dur : INT64_MAX);
}

static enum began find_began(const struct ra_part *part, int64_t begin_ns)
{
	if (begin_ns < part->gpu.from_ns) {
		return BEGAN_BEFORE;
	}
	return begin_ns < part->gpu.to_ns ? BEGAN_IN : BEGAN_AFTER;
}

static void begin_rows(const struct ra_part *part, const struct rlog_chunk *chunk,
                       struct rows *rows)
{
	*rows = (struct rows){
		.batch = &part->batch,
		.clock = ra_gpu_streams_find(&part->gpu_streams, chunk->stream)->clock,
	};
}

/* ---- Calls ---- */

static void note_row(struct ra_part *part, struct rows *rows, struct ra_part_gpu_chunk *of_chunk)
{
	struct ra_part_gpu *gpu = &part->gpu;
	const uint32_t corr = find_corr(rows);
	const int64_t begin_ns = find_begin(part, rows);
	const int64_t end_ns = find_end(rows, begin_ns);

	of_chunk->first_ns = begin_ns < of_chunk->first_ns ? begin_ns : of_chunk->first_ns;
	of_chunk->end_ns = end_ns > of_chunk->end_ns ? end_ns : of_chunk->end_ns;
	if (corr == 0) {
		return;
	}
	of_chunk->low_corr = corr < of_chunk->low_corr ? corr : of_chunk->low_corr;
	of_chunk->high_corr = corr > of_chunk->high_corr ? corr : of_chunk->high_corr;
	if (rows->batch->op[rows->row] == RLOG_OP_API) {
		const uint64_t began = find_began(part, begin_ns);
		uint64_t call = (uint64_t) corr << CORR_BITS | began << BEGAN_BITS;

		call |= is_wanted(part, find_value(rows, RLOG_ATTR_TID)) ? 0 : UNWANTED;
		RA_UTIL_APPEND(gpu->calls, gpu->call_count, gpu->call_capacity, call);
	}
}

/* A call of the runtime and the call of the driver that it makes have the same id. Keeps the call
 * that began first. */
static void keep_first(struct ra_part_gpu *gpu)
{
	size_t kept = 0;

	gpu->low_corr = UINT32_MAX;
	RA_SORT(gpu->calls, gpu->call_count, ra_order_uint64);
	for (size_t i = 0; i < gpu->call_count; i++) {
		const uint64_t call = gpu->calls[i];
		const uint32_t corr = (uint32_t) (call >> CORR_BITS);

		if (kept > 0 && gpu->calls[kept - 1] >> CORR_BITS == corr) {
			continue;
		}
		gpu->calls[kept++] = call;
		if ((call >> BEGAN_BITS & BEGAN_NEVER) == BEGAN_IN) {
			gpu->low_corr = corr < gpu->low_corr ? corr : gpu->low_corr;
			gpu->high_corr = corr;
		}
	}
	gpu->call_count = kept;
}

int64_t ra_part_gpu_find_last(struct ra_part *part)
{
	int64_t last_ns = INT64_MIN;

	for (size_t i = 0; i < part->chunks.count; i++) {
		const struct rlog_chunk *chunk = part->chunks.rows[i];
		const struct ra_gpu_stream *stream =
			ra_gpu_streams_find(&part->gpu_streams, chunk->stream);

		if (stream != NULL) {
			const int64_t ns = since_zero(part, stream->clock, chunk->last_ticks);

			last_ns = ns > last_ns ? ns : last_ns;
		}
	}
	return last_ns;
}

void ra_part_gpu_find_calls(struct ra_part *part)
{
	struct ra_part_gpu *gpu = &part->gpu;

	gpu->from_ns = part->window.from == 0 ? INT64_MIN : part->options->from_ns;
	gpu->to_ns = part->options->to_ns;
	gpu->chunks = ra_alloc_zeros(part->chunks.count + 1, sizeof(*gpu->chunks));
	for (size_t s = 0; s < part->stream_count; s++) {
		const struct ra_part_stream *plan = &part->streams[s];

		for (size_t i = plan->first; i < plan->end && plan->is_gpu; i++) {
			struct rows rows;

			gpu->chunks[i] = (struct ra_part_gpu_chunk){ .low_corr = UINT32_MAX,
				                                     .first_ns = INT64_MAX,
				                                     .end_ns = INT64_MIN };
			if (!ra_part_job_decode(part, part->chunks.rows[i])) {
				gpu->bad_rows =
					ra_util_add(gpu->bad_rows, part->chunks.rows[i]->count);
				continue;
			}
			begin_rows(part, part->chunks.rows[i], &rows);
			for (; rows.row < rows.batch->count; rows.row++) {
				note_row(part, &rows, &gpu->chunks[i]);
			}
		}
	}
	keep_first(gpu);
}

/* ---- Rows ---- */

/* When the first call with an id began. @wanted: set to whether its thread is wanted, if there is
 * such a call. */
static enum began find_call(const struct ra_part_gpu *gpu, uint32_t corr, bool *wanted)
{
	struct ra_search at = ra_search_in(0, gpu->call_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, gpu->calls[at.middle] >> CORR_BITS < corr);
	}
	if (corr == 0 || at.low == gpu->call_count || gpu->calls[at.low] >> CORR_BITS != corr) {
		return BEGAN_NEVER;
	}
	*wanted = (gpu->calls[at.low] & UNWANTED) == 0;
	return (enum began)(gpu->calls[at.low] >> BEGAN_BITS & BEGAN_NEVER);
}

static bool is_work(uint8_t op)
{
	return op == RLOG_OP_KERNEL || op == RLOG_OP_COPY || op == RLOG_OP_SET ||
	       op == RLOG_OP_GRAPH_LAUNCH;
}

/* Counts work of an earlier call, with its time during the part. */
static void count_before(struct ra_part *part, struct rows *rows)
{
	const struct ra_part_gpu *gpu = &part->gpu;
	const int64_t begin_ns = find_begin(part, rows);
	const int64_t end_ns = find_end(rows, begin_ns);
	const int64_t from_ns = begin_ns > gpu->from_ns ? begin_ns : gpu->from_ns;
	const int64_t to_ns = end_ns < gpu->to_ns ? end_ns : gpu->to_ns;

	if (is_work(rows->batch->op[rows->row]) && from_ns < to_ns) {
		part->result->gpu_before++;
		part->result->gpu_before_ns = ra_util_add(part->result->gpu_before_ns,
		                                          (uint64_t) to_ns - (uint64_t) from_ns);
	}
}

/* True if the current row belongs to the part. @is_in: the same for the row before. */
static bool is_row_in(struct ra_part *part, struct rows *rows, bool is_in)
{
	const uint8_t op = rows->batch->op[rows->row];
	bool is_thread_wanted = true;
	enum began began;

	if (op == RLOG_OP_MORE || op == RLOG_OP_DEPTH) {
		return is_in; /* it continues the row before */
	}
	began = find_call(&part->gpu, find_corr(rows), &is_thread_wanted);
	if (began == BEGAN_NEVER) {
		is_thread_wanted = is_wanted(part, find_value(rows, RLOG_ATTR_TID));
		began = find_began(part, find_begin(part, rows));
	} else if (began == BEGAN_BEFORE && is_thread_wanted) {
		count_before(part, rows);
	}
	return began == BEGAN_IN && is_thread_wanted;
}

/* Copies the values of the rows that are kept. @places: by row, the row's new index; UINT32_MAX:
 * not kept. */
static void copy_values(struct rlog_batch *to, const struct rlog_batch *from,
                        const uint32_t *places)
{
	int code = 0;

	for (size_t a = 0; a < RLOG_ATTRS; a++) {
		const struct rlog_attr_column *column = &from->attr[a];

		for (size_t i = 0; i < column->count; i++) {
			if (places[column->row[i]] != UINT32_MAX) {
				code |= rlog_batch_add_attr(to, (enum rlog_attr) a,
				                            places[column->row[i]],
				                            column->value[i]);
			}
		}
	}
	for (size_t i = 0; i < from->data.count; i++) {
		if (places[from->data.row[i]] != UINT32_MAX) {
			code |= rlog_batch_add_data(to, places[from->data.row[i]],
			                            from->data.bytes + from->data.from[i],
			                            from->data.from[i + 1] - from->data.from[i]);
		}
	}
	if (code != 0) {
		ra_alloc_end();
	}
}

/* Takes the rows of the decoded chunk that belong to the part. */
static void take_rows(struct ra_part *part, const struct rlog_chunk *chunk)
{
	const struct rlog_batch *batch = &part->batch;
	struct rlog_batch *cut = &part->cut;
	uint32_t *places = ra_alloc_bytes((batch->count + 1) * sizeof(*places));
	struct rows rows;
	bool is_in = false;

	if (rlog_batch_reserve(cut, batch->count) != 0) {
		ra_alloc_end();
	}
	begin_rows(part, chunk, &rows);
	for (; rows.row < batch->count; rows.row++) {
		const size_t row = rows.row;

		is_in = is_row_in(part, &rows, is_in);
		places[row] = is_in ? (uint32_t) cut->count : UINT32_MAX;
		if (is_in) {
			rlog_batch_append(cut, batch->ticks[row], batch->op[row], batch->name[row],
			                  batch->domain[row], batch->id[row]);
		}
	}
	if (cut->count > 0 && cut->count < batch->count) {
		copy_values(cut, batch, places);
	}
	free(places);
}

/* False if no row of the chunk can belong to the part or have run during it. */
static bool can_matter(const struct ra_part_gpu *gpu, const struct ra_part_gpu_chunk *chunk)
{
	const bool has_calls =
		chunk->low_corr <= gpu->high_corr && chunk->high_corr >= gpu->low_corr;

	return chunk->first_ns <= chunk->end_ns &&
	       (has_calls || (chunk->first_ns < gpu->to_ns && chunk->end_ns >= gpu->from_ns));
}

static int copy_chunk(struct ra_part *part, const struct rlog_chunk *chunk, struct rlog_error *err)
{
	struct rlog_batch *cut = &part->cut;
	int code = 0;

	if (!ra_part_job_decode(part, chunk)) {
		return 0;
	}
	rlog_batch_clear(cut);
	take_rows(part, chunk);
	part->result->events += rlog_batch_count_events(cut, 0, cut->count);
	if (cut->count == part->batch.count) {
		return ra_part_job_put_packed(part, chunk, err);
	}
	if (cut->count > 0) {
		cut->stream = chunk->stream;
		cut->sequence = rlog_writer_next_event(part->writer, chunk->stream);
		cut->flags = chunk->flags & (RLOG_FLAG_RECOVERED | RLOG_FLAG_LAST);
		code = rlog_writer_put_events(part->writer, cut, chunk->lost, err);
	}
	return code;
}

int ra_part_gpu_copy_stream(struct ra_part *part, size_t stream, struct rlog_error *err)
{
	const struct ra_part_stream *plan = &part->streams[stream];
	int code = 0;

	for (size_t i = plan->first; i < plan->end && code == 0; i++) {
		if (can_matter(&part->gpu, &part->gpu.chunks[i])) {
			code = copy_chunk(part, part->chunks.rows[i], err);
			code = code == 0 ? rlog_writer_checkpoint(part->writer, err) : code;
		}
	}
	rlog_batch_clear(&part->cut);
	return code;
}

void ra_part_gpu_fini(struct ra_part_gpu *gpu)
{
	free(gpu->calls);
	free(gpu->chunks);
	ra_util_map_free(&gpu->wanted);
	ra_clock_fini(&gpu->real);
	*gpu = (struct ra_part_gpu){ 0 };
}
