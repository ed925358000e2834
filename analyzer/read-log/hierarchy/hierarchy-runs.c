/* SPDX-License-Identifier: MIT */
/*
 * Gives runs of nested pushes and pops of one domain to a sink. Only finds which pop closes which
 * push. Makes slices only of ranges that are still open at the end of a run.
 *
 * Nobody can predict whether a row of a log is a push or a pop, and a missed branch costs more than
 * the whole row. So a row does the same either way (as in hierarchy-nested.c).
 */
#include "analyzer/read-log/hierarchy/hierarchy-runs.h"

#include <assert.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/read-log/chunks/row-times.h"
#include "format/wire.h"

/* This many rows, with the data written for them, fit into the fastest cache. */
#define MOST_ROWS 2048

/* Deeper stacks and shorter runs are handled row by row, because making a run would take longer. */
#define MOST_DEPTH    512
#define LEAST_ROWS    256
#define ROWS_PER_OPEN 4

/* Rows are checked in blocks of this many. */
#define BLOCK 64

static_assert(RLOG_OP_POP == RLOG_OP_PUSH + 1, "one comparison finds both");
static_assert(MOST_ROWS + MOST_DEPTH < RA_SLICE_RUN_OPEN, "ranges of a run have 16 bits");

struct ra_hierarchy_runs {
	struct ra_hierarchy_runs_source source;
	size_t track;
	size_t segment;    /* clock cursor */
	size_t not_before; /* row of the batch: a run that begins before it would be too short */
	int64_t times[MOST_ROWS]; /* times of a run, if the caller has not converted them */
	uint16_t open[MOST_DEPTH + MOST_ROWS +
	              2]; /* by depth: the number of the open range; entry 0 means "no range" */
	struct ra_slice_run_rows ranges[MOST_DEPTH + MOST_ROWS + 1];
};

struct ra_hierarchy_runs *ra_hierarchy_runs_create(const struct ra_hierarchy_runs_source *source)
{
	struct ra_hierarchy_runs *runs = ra_alloc_zeros(1, sizeof(*runs));

	runs->source = *source;
	return runs;
}

void ra_hierarchy_runs_begin(struct ra_hierarchy_runs *runs, size_t track)
{
	runs->track = track;
	runs->not_before = 0;
}

void ra_hierarchy_runs_destroy(struct ra_hierarchy_runs *runs)
{
	free(runs);
}

/* True if all rows of a block are of this domain. */
static bool is_of_one_domain(const uint32_t *domain, uint32_t id)
{
	uint32_t other = 0;

	for (size_t i = 0; i < BLOCK; i++) {
		other |= domain[i] ^ id;
	}
	return other == 0;
}

/* True if all rows of a block are pushes and pops, with known names. */
static bool is_plain_block(const uint8_t *op, const uint32_t *name, uint32_t good_names)
{
	uint8_t other = 0;
	uint32_t bad = 0;

	for (size_t i = 0; i < BLOCK; i++) {
		other |= (uint8_t) ((op[i] - RLOG_OP_PUSH) & ~1);
	}
	for (size_t i = 0; i < BLOCK; i++) {
		/* Sets the highest bit if a name is not less than good_names. */
		bad |= (name[i] | (good_names - 1 - name[i])) >> 31;
	}
	return other == 0 && bad == 0;
}

/* Finds the end of the plain rows that begin at `first`; at most MOST_ROWS of them. */
static size_t find_end(const struct ra_builder *builder, const struct rlog_batch *batch,
                       size_t first, size_t limit)
{
	const uint32_t id = batch->domain[first];
	const uint32_t good_names = builder->good_names;
	/* If so, the rows' domains need not be read. */
	const bool are_zero = id == 0 && batch->zero_domains >= batch->count;
	size_t end = first;

	while (end + BLOCK <= limit &&
	       is_plain_block(batch->op + end, batch->name + end, good_names) &&
	       (are_zero || is_of_one_domain(batch->domain + end, id))) {
		end += BLOCK;
	}
	for (; end < limit; end++) {
		const bool is_push = batch->op[end] == RLOG_OP_PUSH;

		if ((!is_push && batch->op[end] != RLOG_OP_POP) || batch->domain[end] != id ||
		    (is_push && batch->name[end] >= good_names)) {
			break;
		}
	}
	return end;
}

/* The next row that has data; data may be a name. */
static size_t find_data(const struct ra_row *row)
{
	const struct rlog_data_column *data = &row->batch->data;
	size_t place = row->data_cursor;

	while (place < data->count && data->row[place] < row->idx) {
		place++;
	}
	return place < data->count ? data->row[place] : row->batch->count;
}

/* True if all open ranges nest and are of one domain. */
static bool is_of_domain(const struct ra_stack *stack, size_t domain)
{
	if (domain >= stack->domain_capacity || stack->domains[domain].open != stack->depth) {
		return stack->depth == 0 && stack->touched_count == 0;
	}
	for (size_t i = 0; i < stack->depth; i++) {
		if (stack->nodes[stack->order[i]].domain != domain) {
			return false;
		}
	}
	return true;
}

/* Pairs pushes and pops. Return: the first row that was not taken, because it is a pop without an
 * open range. */
static size_t match(struct ra_hierarchy_runs *runs, const uint8_t *op, size_t rows,
                    struct ra_slice_run *run)
{
	uint16_t *restrict open = runs->open;
	struct ra_slice_run_rows *restrict ranges = runs->ranges;
	size_t depth = run->open_before;
	size_t made = depth;
	size_t i;

	for (i = 0; i < depth; i++) {
		open[i + 1] = (uint16_t) i;
	}
	for (i = 0; i < rows; i++) {
		const size_t is_push = (size_t) RLOG_OP_POP - op[i];
		/* depth of the range that the row opens or closes */
		const size_t place = depth + is_push;

		if (__builtin_expect(place == 0, 0)) {
			break;
		}
		/* The place above the innermost range is free: a push uses it, a pop writes to it
		 * without effect. */
		open[depth + 1] = (uint16_t) made;
		ranges[made].push = (uint16_t) i;
		ranges[open[place]].pop = (uint16_t) i;
		made += is_push;
		depth = place + is_push - 1;
	}
	run->rows = i;
	run->count = made;
	run->open = open + 1;
	run->open_count = depth;
	return i;
}

/* Sets the stack and the slices to the state after the run. */
static void put_back(const struct ra_hierarchy_runs_source *source, const struct ra_slice_run *run)
{
	const struct ra_slices *s = &source->builder->model->slices;
	size_t kept = 0;

	ra_builder_reserve_slices(source->builder, run->open_count);
	while (kept < run->open_count && run->open[kept] < run->open_before) {
		kept++;
	}
	while (source->stack->depth > kept) {
		(void) ra_stack_close(source->stack, run->domain);
	}
	for (size_t i = kept; i < run->open_count; i++) {
		const uint16_t row = run->ranges[run->open[i]].push;

		s->start_ns[i] = run->times[row];
		s->name[i] = run->names[row];
		s->domain[i] = run->domain;
		s->flags[i] = 0;
		ra_stack_open(source->stack, (uint32_t) i, run->domain);
	}
	source->builder->model->slices.count = run->open_count;
}

/* Converts the times of the rows of the batch that begin at `first`. */
static const int64_t *make_times(struct ra_hierarchy_runs *runs, const struct rlog_batch *batch,
                                 size_t first, size_t rows)
{
	ra_row_times_convert_some(runs->times, runs->source.clock, runs->source.zero_ns,
	                          batch->ticks + first, rows, &runs->segment);
	return runs->times;
}

/* Finds the rows of a run, up to the limit. Return: the first row after the run; the current row if
 * a run would take longer than the rows one by one. */
static size_t find_run(struct ra_hierarchy_runs *runs, const struct ra_row *row, size_t limit,
                       uint16_t *domain)
{
	const struct ra_builder *builder = runs->source.builder;
	const struct ra_stack *stack = runs->source.stack;
	const uint32_t id = row->batch->domain[row->idx];
	const size_t least = LEAST_ROWS + ROWS_PER_OPEN * stack->depth;
	const size_t last = limit - row->idx > MOST_ROWS ? row->idx + MOST_ROWS : limit;
	size_t end;

	if (last - row->idx < least || stack->depth > MOST_DEPTH ||
	    id >= RA_BUILDER_DIRECT_DOMAINS || builder->domain_index[id] == 0) {
		return row->idx;
	}
	*domain = (uint16_t) (builder->domain_index[id] - 1);
	if (!is_of_domain(stack, *domain)) {
		return row->idx;
	}
	end = find_end(builder, row->batch, row->idx, last);
	if (end - row->idx < least) {
		runs->not_before = end;
		return row->idx;
	}
	return end;
}

/* Takes one run. Return: the number of its rows; 0: there is no run. */
static size_t take_run(struct ra_hierarchy_runs *runs, const struct ra_row *row,
                       const int64_t *times, size_t limit, int64_t *now_ns)
{
	const struct ra_hierarchy_runs_source *source = &runs->source;
	const struct rlog_batch *batch = row->batch;
	struct ra_slice_run run = {
		.model = source->builder->model,
		.track = runs->track,
		.names = batch->name + row->idx,
		.ranges = runs->ranges,
	};
	const size_t end = find_run(runs, row, limit, &run.domain);

	if (end == row->idx) {
		return 0;
	}
	run.times = times != NULL ? times + row->idx
	                          : make_times(runs, batch, row->idx, end - row->idx);
	if (run.times[0] < *now_ns || !ra_slice_window_begin_run(source->window, *now_ns)) {
		return 0;
	}
	run.open_before = source->stack->depth;
	if (match(runs, batch->op + row->idx, end - row->idx, &run) > 0) {
		ra_slice_window_take_run(source->window, &run);
		put_back(source, &run);
		*now_ns = run.times[run.rows - 1];
	}
	return run.rows;
}

int64_t ra_hierarchy_runs_take(struct ra_hierarchy_runs *runs, struct ra_row *row,
                               const int64_t *times, int64_t now_ns)
{
	size_t rows = 1;
	size_t limit;

	if (row->idx < runs->not_before) {
		return now_ns;
	}
	limit = find_data(row);
	while (rows > 0 && row->idx < limit) {
		rows = take_run(runs, row, times, limit, &now_ns);
		row->idx += rows;
	}
	return now_ns;
}
