/* SPDX-License-Identifier: MIT */
/* Writes a part of a log: plans what to read, finds what is open at its begin, copies rows. */
#include "analyzer/part/part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/clock/gpu-clock.h"
#include "analyzer/part/part-facts.h"
#include "analyzer/part/part-gpu.h"
#include "analyzer/part/part-open.h"
#include "analyzer/read-log/chunks/density.h"
#include "analyzer/read-log/facts/facts.h"
#include "analyzer/read-log/chunks/row.h"
#include "format/wire.h"

/* At first, a batch has room for this many rows. */
#define ROWS 16384

#define LEVEL 1 /* compression level; the same as in recorded logs */

/* ---- Where the window is ---- */

/* Finds the first tick at a time; times outside the log are moved to its begin or end. */
static uint64_t find_ticks(const struct ra_part *part, int64_t ns, uint64_t low, uint64_t high)
{
	size_t segment = 0;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (ra_clock_convert(&part->clock, middle, &segment) - part->model->zero_ns < ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static bool is_gpu(const struct ra_part *part, uint32_t stream)
{
	return ra_gpu_streams_find(&part->gpu_streams, stream) != NULL;
}

/* Moves the end to the last GPU row. A log that was not closed may have GPU work later than its
 * threads' events and clock points. */
static void reach_gpu(struct ra_part *part)
{
	const int64_t last_ns = ra_part_gpu_find_last(part);

	if (last_ns > 0 && last_ns < INT64_MAX && part->end_ticks < UINT64_MAX) {
		part->end_ticks = find_ticks(part, last_ns, part->end_ticks, UINT64_MAX);
	}
}

/* Finds the smallest and largest time of threads' events, clock points and the capture's end. */
static void find_reach(struct ra_part *part, uint64_t *low, uint64_t *high)
{
	size_t count;
	const struct rlog_clock_point *points = rlog_reader_borrow_clock(part->reader, &count);
	uint64_t off_ticks;
	const bool is_off = ra_facts_find_off(part->model, &off_ticks);

	*low = UINT64_MAX;
	*high = 0;
	for (size_t i = 0; i < part->chunks.count; i++) {
		const struct rlog_chunk *chunk = part->chunks.rows[i];

		if (is_gpu(part, chunk->stream)) {
			continue; /* the stream has a clock of its own */
		}
		*low = chunk->first_ticks < *low ? chunk->first_ticks : *low;
		*high = chunk->last_ticks > *high ? chunk->last_ticks : *high;
	}
	/* Time 0 may be earlier than the first event. */
	*low = count > 0 && points[0].ticks < *low ? points[0].ticks : *low;
	if (is_off) {
		part->end_ticks = off_ticks;
	} else {
		if (count > 1 && ra_facts_is_recovered(part->model)) {
			count--;
		}
		part->end_ticks = count > 0 ? points[count - 1].ticks : *high;
	}
	part->end_ticks = part->end_ticks > *high ? part->end_ticks : *high;
	if (!is_off) {
		reach_gpu(part);
	}
	*high = part->end_ticks;
	*low = *low < *high ? *low : *high;
}

static void find_window(struct ra_part *part)
{
	const struct ra_part_options *options = part->options;
	size_t segment = 0;
	uint64_t low;
	uint64_t high;

	find_reach(part, &low, &high);
	high = high < UINT64_MAX ? high + 1 : high;
	part->result->end_ns =
		ra_clock_convert(&part->clock, part->end_ticks, &segment) - part->model->zero_ns;
	part->window = (struct ra_part_window){ 0, UINT64_MAX };
	if (options->from_ns != INT64_MIN && options->from_ns > 0) {
		part->window.from = find_ticks(part, options->from_ns, low, high);
	}
	if (options->to_ns != INT64_MAX) {
		part->window.to = find_ticks(part, options->to_ns, low, high);
		/* If the window ends after all events, its end has no limit. */
		part->window.to = part->window.to < high ? part->window.to : UINT64_MAX;
	}
	if (part->window.from >= part->window.to) {
		part->window.to = part->window.from + 1;
	}
}

/* ---- What is read ---- */

/* True if the thread of a stream is wanted. */
static bool is_wanted(const struct ra_part *part, uint32_t stream)
{
	for (size_t i = 0; i < part->model->track_count; i++) {
		if (part->model->tracks[i].stream == stream) {
			return ra_part_job_wants_track(part, &part->model->tracks[i]);
		}
	}
	return part->options->thread == NULL;
}

static void plan_streams(struct ra_part *part)
{
	size_t next = 0;
	size_t capacity = 0;

	while (next < part->chunks.count) {
		struct ra_part_stream plan;

		ra_part_plan_stream(&plan, &part->chunks, next, &part->window);
		plan.is_gpu = is_gpu(part, plan.stream);
		plan.is_empty = !plan.is_gpu && !is_wanted(part, plan.stream);
		part->result->threads += !plan.is_gpu && !plan.is_empty;
		next = plan.end;
		RA_UTIL_APPEND(part->streams, part->stream_count, capacity, plan);
	}
	part->stacks = ra_alloc_zeros(part->stream_count + 1, sizeof(*part->stacks));
}

/* Counts the program's events in the whole log. Looks for remarks on losses only in chunks whose
 * headers say that they have some. */
static void count_whole(struct ra_part *part)
{
	for (size_t i = 0; i < part->chunks.count; i++) {
		const struct rlog_chunk *chunk = part->chunks.rows[i];

		if ((chunk->flags & RLOG_FLAG_REMARKS) == 0 && chunk->lost == 0) {
			part->whole_events += chunk->count;
		} else if (ra_part_job_decode(part, chunk)) {
			part->whole_events +=
				rlog_batch_count_events(&part->batch, 0, part->batch.count);
		}
	}
}

static void begin(struct ra_part *part)
{
	struct ra_model *m = ra_alloc_zeros(1, sizeof(*m));
	size_t kept = 0;

	part->model = m;
	m->reader = part->reader;
	m->strings = rlog_reader_borrow_strings(m->reader, &m->string_count);
	ra_builder_init(&part->builder, m);
	ra_gpu_streams_init(&part->gpu_streams, m->reader);
	ra_facts_load_definitions(&part->builder);
	ra_facts_load_tracks(&part->builder, &part->gpu_streams);
	ra_facts_load_clock(m, &part->gpu_streams, &part->clock);
	ra_chunks_collect(&part->chunks, m->reader);
	for (size_t i = 0; i < part->chunks.count; i++) {
		const struct rlog_chunk *chunk = part->chunks.rows[i];

		if (chunk->stream != 0) {
			part->chunks.rows[kept++] = chunk;
		}
	}
	part->chunks.count = kept;
	part->result->all_chunks = kept;
	if (rlog_batch_init(&part->batch, ROWS) != 0 || rlog_batch_init(&part->cut, ROWS) != 0) {
		ra_alloc_end();
	}
	ra_gpu_clock_init(&part->gpu.real, m);
	find_window(part);
	plan_streams(part);
	count_whole(part);
	ra_part_gpu_find_calls(part);
}

/* ---- What is written ---- */

/* Makes the tag: the same part of the same log always gets the same. */
static uint32_t make_tag(const struct ra_part *part)
{
	const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
	const struct rlog_chunk *first;
	size_t count;
	uint64_t hash = 0;

	first = rlog_reader_borrow_chunks(part->reader, &count);
	for (size_t i = 0; count > 0 && i < sizeof(hash) / 2; i++) {
		hash = hash << 8 | rlog_reader_borrow_bytes(part->reader)[first->offset + 4 + i];
	}
	hash = (hash + part->window.from) * odd;
	hash = ((hash ^ hash >> 32) + part->window.to) * odd;
	return (uint32_t) (hash >> 32);
}

/* Adds a row with all its attributes to the batch that will be written. */
static void copy_row(struct rlog_batch *to, const struct rlog_batch *from, size_t row)
{
	if (rlog_batch_reserve(to, to->count + 1) != 0) {
		ra_alloc_end();
	}
	rlog_batch_append(to, from->ticks[row], from->op[row], from->name[row], from->domain[row],
	                  from->id[row]);
}

static void copy_attrs(struct rlog_batch *to, const struct rlog_batch *from, size_t first,
                       size_t end, size_t base)
{
	int code = 0;

	for (size_t a = 0; a < RLOG_ATTRS; a++) {
		const struct rlog_attr_column *column = &from->attr[a];

		for (size_t i = 0; i < column->count; i++) {
			const uint32_t row = column->row[i];

			if (row >= first && row < end) {
				code |= rlog_batch_add_attr(to, (enum rlog_attr) a,
				                            (uint32_t) (row - first + base),
				                            column->value[i]);
			}
		}
	}
	for (size_t i = 0; i < from->data.count; i++) {
		const uint32_t row = from->data.row[i];

		if (row >= first && row < end) {
			code |= rlog_batch_add_data(to, (uint32_t) (row - first + base),
			                            from->data.bytes + from->data.from[i],
			                            from->data.from[i + 1] - from->data.from[i]);
		}
	}
	if (code != 0) {
		ra_alloc_end();
	}
}

static void copy_rows(struct rlog_batch *to, const struct rlog_batch *from, size_t first,
                      size_t end)
{
	const size_t base = to->count;

	if (rlog_batch_reserve(to, base + (end - first)) != 0) {
		ra_alloc_end();
	}
	for (size_t i = first; i < end; i++) {
		copy_row(to, from, i);
	}
	copy_attrs(to, from, first, end, base);
}

static void add_begun(struct ra_part *part, const struct ra_part_range *range)
{
	struct rlog_batch *cut = &part->cut;
	const uint64_t from = part->window.from;
	const uint64_t ago = range->ticks < from ? from - range->ticks : 0;
	const uint64_t ticks = range->ticks > from ? range->ticks : from;

	if (ticks >= part->window.to) {
		return; /* it was opened during a loss that ends after the window */
	}
	if (rlog_batch_reserve(cut, cut->count + 1) != 0) {
		ra_alloc_end();
	}
	rlog_batch_append(cut, ticks, RLOG_OP_BEGUN, range->name, range->domain, range->id);
	if (ago > 0 && rlog_batch_add_attr(cut, RLOG_ATTR_SPAN, (uint32_t) cut->count - 1, ago)) {
		ra_alloc_end();
	}
	part->result->begun++;
}

/* Adds the first rows of a stream: the ranges that are open when the window begins. */
static void add_all_begun(struct ra_part *part, size_t stream)
{
	const struct ra_part_stack *stack = &part->stacks[stream];

	for (size_t i = 0; i < stack->count; i++) {
		add_begun(part, &stack->ranges[i]);
	}
	for (size_t i = 0; i < part->spans.count; i++) {
		if (part->spans.started[i].stream == part->streams[stream].stream) {
			add_begun(part, &part->spans.started[i].range);
		}
	}
}

/* The state of copying a stream. */
struct copying {
	size_t stream;
	uint64_t expected; /* ordinal of the next row in the whole log */
	uint64_t latest;   /* latest time before that row */
	uint64_t gap;      /* number of rows that are missing before the next row to write … */
	uint64_t counted;  /* … and how many of these are missing in the whole log, too */
};

/* Writes the batch of rows, after the gap before it. */
static int put_cut(struct ra_part *part, struct copying *copying, uint32_t lost,
                   struct rlog_error *err)
{
	struct rlog_batch *cut = &part->cut;
	int code;

	if (cut->count == 0) {
		return 0;
	}
	cut->stream = part->streams[copying->stream].stream;
	cut->sequence = rlog_writer_next_event(part->writer, cut->stream) + copying->gap;
	part->gap_rows = ra_util_add(part->gap_rows, copying->counted);
	copying->gap = 0;
	copying->counted = 0;
	part->result->events += rlog_batch_count_events(cut, 0, cut->count);
	code = rlog_writer_put_events(part->writer, cut, lost, err);
	rlog_batch_clear(cut);
	return code;
}

/* True if a chunk can be copied without decoding: all its rows are in the part, none are missing
 * before it, and they need not be counted. */
static bool is_whole(const struct ra_part *part, const struct copying *copying, size_t chunk)
{
	const struct ra_part_stream *plan = &part->streams[copying->stream];
	const struct rlog_chunk *row = part->chunks.rows[chunk];

	return (chunk > plan->in_first || part->window.from == 0) &&
	       row->last_ticks < part->window.to && copying->latest < part->window.to &&
	       row->sequence == copying->expected && copying->gap == 0 && row->lost == 0 &&
	       (row->flags & RLOG_FLAG_REMARKS) == 0;
}

/* A pointer to the value of a row's attribute, to change it; NULL: the row has no such
 * attribute. */
static uint64_t *find_value(struct rlog_batch *batch, enum rlog_attr attr, size_t row)
{
	const struct ra_row at = { .batch = batch, .idx = row };
	const size_t place = ra_row_find_place(&at, attr);

	return place == SIZE_MAX ? NULL : &batch->attr[attr].value[place];
}

/* Cuts losses at the end of the window. The ranges that such a loss opened begin after the window,
 * so they are not in the part. */
static void cut_losses(struct rlog_batch *cut, uint64_t to)
{
	bool is_cut = false;

	for (size_t i = 0; i < cut->count; i++) {
		uint64_t *span = NULL;

		/* Continuations of a row may have a later time. */
		cut->ticks[i] = cut->ticks[i] < to ? cut->ticks[i] : to - 1;
		if (cut->op[i] == RLOG_OP_LOSS) {
			span = find_value(cut, RLOG_ATTR_SPAN, i);
			is_cut = span != NULL && cut->ticks[i] < to && *span >= to - cut->ticks[i];
		}
		if (is_cut && span != NULL) {
			*span = to - 1 - cut->ticks[i];
		} else if (is_cut && cut->op[i] == RLOG_OP_DEPTH) {
			const uint64_t least = ra_part_find_attr(cut, RLOG_ATTR_MIN_DEPTH, i);
			uint64_t *depth = find_value(cut, RLOG_ATTR_DEPTH, i);

			if (depth != NULL && *depth > least) {
				*depth = least;
			}
		}
	}
}

/* Takes the rows of a chunk that are in the window. */
static void take_rows(struct ra_part *part, struct copying *copying, const struct rlog_chunk *chunk)
{
	const struct ra_part_stream *plan = &part->streams[copying->stream];
	const bool is_first = chunk == part->chunks.rows[plan->in_first];
	const size_t end = ra_part_job_find_row(&part->batch, part->window.to, copying->latest);
	size_t first =
		is_first ? ra_part_job_find_row(&part->batch, part->window.from, copying->latest)
			 : 0;

	if (chunk->sequence < copying->expected) {
		const uint64_t known = copying->expected - chunk->sequence;

		first = known > first ? (size_t) known : first;
	}
	if (first < end) {
		copy_rows(&part->cut, &part->batch, first, end);
		if ((chunk->flags & RLOG_FLAG_REMARKS) != 0 || chunk->lost > 0) {
			cut_losses(&part->cut, part->window.to);
		}
	}
	part->cut.flags |= chunk->flags & RLOG_FLAG_RECOVERED;
	if (end == part->batch.count) {
		part->cut.flags |= chunk->flags & RLOG_FLAG_LAST;
	}
	if (first == 0 && part->cut.count == end && part->batch.has_open) {
		memcpy(part->cut.open, part->batch.open, sizeof(part->cut.open));
		part->cut.open_count = part->batch.open_count;
		part->cut.has_open = true;
	}
}

static int copy_chunk(struct ra_part *part, struct copying *copying, size_t index,
                      struct rlog_error *err)
{
	const struct rlog_chunk *chunk = part->chunks.rows[index];
	const uint64_t end = ra_util_add(chunk->sequence, chunk->count);
	const bool is_inside =
		index > part->streams[copying->stream].in_first || part->window.from == 0;
	int code = 0;

	if (end <= copying->expected) {
		return 0;
	}
	if (is_whole(part, copying, index)) {
		part->result->chunks++;
		part->result->events += chunk->count;
		code = ra_part_job_put_packed(part, chunk, err);
	} else {
		/* Rows that are missing before the part's first row may be rows before the window,
		 * so they are not counted. */
		if (chunk->sequence > copying->expected && is_inside) {
			const uint64_t rows = chunk->sequence - copying->expected;

			copying->gap = ra_util_add(copying->gap, rows);
			copying->counted = ra_util_add(copying->counted, rows);
		}
		if (ra_part_job_decode(part, chunk)) {
			take_rows(part, copying, chunk);
			code = put_cut(part, copying, chunk->lost, err);
		} else {
			copying->gap = ra_util_add(copying->gap, chunk->count);
		}
	}
	copying->expected = end;
	copying->latest = chunk->last_ticks > copying->latest ? chunk->last_ticks : copying->latest;
	return code == 0 ? rlog_writer_checkpoint(part->writer, err) : code;
}

static int copy_stream(struct ra_part *part, size_t stream, struct rlog_error *err)
{
	const struct ra_part_stream *plan = &part->streams[stream];
	struct copying copying = { .stream = stream };
	int code = 0;

	for (size_t i = plan->first; i < plan->in_first; i++) {
		const struct rlog_chunk *chunk = part->chunks.rows[i];
		const uint64_t end = ra_util_add(chunk->sequence, chunk->count);

		copying.expected = end > copying.expected ? end : copying.expected;
		copying.latest =
			chunk->last_ticks > copying.latest ? chunk->last_ticks : copying.latest;
	}
	rlog_batch_clear(&part->cut);
	if (part->window.from > 0) {
		/* so readers know that no range is open before the rows below */
		part->cut.has_open = true;
		add_all_begun(part, stream);
	}
	if (plan->in_first == plan->in_end) {
		return put_cut(part, &copying, 0, err);
	}
	for (size_t i = plan->in_first; i < plan->in_end && code == 0; i++) {
		code = copy_chunk(part, &copying, i, err);
	}
	return code == 0 ? put_cut(part, &copying, 0, err) : code;
}

static int write_part(struct ra_part *part, struct rlog_error *err)
{
	int code = ra_part_facts_put_capture(part, err);

	code = code != 0 ? code : ra_part_facts_put_tables(part, err);
	for (size_t i = 0; i < part->stream_count && code == 0; i++) {
		const struct ra_part_stream *plan = &part->streams[i];

		if (plan->is_gpu) {
			code = ra_part_gpu_copy_stream(part, i, err);
		} else if (!plan->is_empty) {
			code = copy_stream(part, i, err);
		}
	}
	return code != 0 ? code : ra_part_facts_put_end(part, err);
}

static void fini(struct ra_part *part)
{
	rlog_writer_destroy(part->writer);
	for (size_t i = 0; i < part->stream_count; i++) {
		ra_part_stack_fini(&part->stacks[i]);
	}
	free(part->stacks);
	free(part->streams);
	ra_part_spans_fini(&part->spans);
	rlog_batch_fini(&part->batch);
	rlog_batch_fini(&part->cut);
	ra_chunks_fini(&part->chunks);
	ra_clock_fini(&part->clock);
	ra_part_gpu_fini(&part->gpu);
	ra_gpu_streams_fini(&part->gpu_streams);
	ra_builder_fini(&part->builder);
	part->model->reader = NULL; /* the caller owns it */
	ra_model_destroy(part->model);
}

int ra_part_write(struct rlog_reader *reader, const struct ra_part_options *options, int fd,
                  struct ra_part_result *result, struct rlog_error *err)
{
	struct ra_part *part;
	int code = ra_density_check(reader, err);

	*result = (struct ra_part_result){ 0 };
	if (code != 0) {
		return code;
	}
	part = ra_alloc_zeros(1, sizeof(*part));
	part->reader = reader;
	part->options = options;
	part->result = result;
	begin(part);
	ra_part_open_find(part);
	code = rlog_writer_create(
		&part->writer, fd,
		&(struct rlog_writer_options){ .tag = make_tag(part), .level = LEVEL }, err);
	code = code != 0 ? code : write_part(part, err);
	fini(part);
	free(part);
	return code;
}
