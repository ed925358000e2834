/* SPDX-License-Identifier: MIT */
/*
 * The hierarchy: one sweep over a thread's events. A push appends a slice as a child of the
 * innermost open slice; a pop sets a slice's duration. So slices come out ordered by start, parents
 * before children, and nothing is stored per event.
 */
#include "analyzer/read-log/hierarchy/hierarchy.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/read-log/hierarchy/hierarchy-impl.h"
#include "analyzer/read-log/hierarchy/hierarchy-nested.h"
#include "analyzer/read-log/hierarchy/hierarchy-runs.h"
#include "analyzer/base/util.h"
#include "analyzer/read-log/ranges/slice-counts.h"
#include "format/wire.h"

/*
 * Most ranges that depth records may claim: this number plus the number of events read. There is a
 * limit because a record may claim any number; real records claim far fewer.
 */
#define FREE_LOST_STARTS (UINT64_C(1) << 14)

struct ra_hierarchy *ra_hierarchy_create(struct ra_builder *builder, struct ra_spans *spans,
                                         const struct ra_clock *clock, int64_t zero_ns)
{
	struct ra_hierarchy *h = ra_alloc_zeros(1, sizeof(*h));

	h->builder = builder;
	h->spans = spans;
	h->clock = clock;
	h->model = builder->model;
	h->zero_ns = zero_ns;
	h->lost_starts_left = FREE_LOST_STARTS;
	ra_stack_init(&h->stack, &h->model->slices);
	h->sync = ra_sync_create(builder);
	return h;
}

void ra_hierarchy_destroy(struct ra_hierarchy *hierarchy)
{
	ra_stack_fini(&hierarchy->stack);
	ra_sync_destroy(hierarchy->sync);
	ra_hierarchy_runs_destroy(hierarchy->runs);
	free(hierarchy->loss.unseen);
	ra_row_times_fini(&hierarchy->own_times);
	free(hierarchy);
}

void ra_hierarchy_set_window(struct ra_hierarchy *hierarchy, struct ra_slice_window *window)
{
	const struct ra_hierarchy_runs_source source = {
		.builder = hierarchy->builder,
		.stack = &hierarchy->stack,
		.window = window,
		.clock = hierarchy->clock,
		.zero_ns = hierarchy->zero_ns,
	};

	hierarchy->window = window;
	ra_slice_window_bind(window, &hierarchy->stack, hierarchy->sync);
	if (ra_slice_window_takes_runs(window)) {
		hierarchy->runs = ra_hierarchy_runs_create(&source);
	}
}

uint64_t ra_hierarchy_lost_starts_left(const struct ra_hierarchy *hierarchy)
{
	return hierarchy->lost_starts_left;
}

void ra_hierarchy_limit_lost_starts(struct ra_hierarchy *hierarchy, uint64_t count)
{
	hierarchy->lost_starts_left = count;
}

void ra_hierarchy_begin_track(struct ra_hierarchy *hierarchy, uint32_t track)
{
	hierarchy->track_idx = track;
	hierarchy->track = &hierarchy->model->tracks[track];
	hierarchy->track->first_slice = hierarchy->model->slices.count;
	hierarchy->track->first_mark = hierarchy->model->mark_count;
	hierarchy->segment = 0;
	hierarchy->now_ns = INT64_MIN;
	hierarchy->gap_rows = 0;
	hierarchy->may_continue = false;
	ra_sync_begin_track(hierarchy->sync);
	if (hierarchy->window != NULL) {
		ra_slice_window_begin_track(hierarchy->window, track);
	}
}

/* Opens a slice. Room for it was reserved. */
static void open_slice(struct ra_hierarchy *h, int64_t time_ns, uint32_t name, uint16_t domain)
{
	struct ra_slices *s = &h->model->slices;
	const size_t slice = s->count;

	s->start_ns[slice] = time_ns;
	s->name[slice] = name;
	s->domain[slice] = domain;
	s->flags[slice] = 0;
	s->count = slice + 1;
	ra_stack_open(&h->stack, (uint32_t) slice, domain);
}

static void take_push(struct ra_hierarchy *h, struct ra_row *row, uint16_t domain)
{
	struct ra_builder_attr attr;
	uint32_t name;

	ra_builder_map_name(h->builder, row->batch->name[row->idx], &name);
	open_slice(h, h->now_ns, name, domain);
	if (h->has_counts) {
		ra_slice_counts_open(h->builder, (uint32_t) (h->model->slices.count - 1), row);
	}
	if (__builtin_expect(row->attr_row <= row->idx, 0)) {
		if (ra_row_take_attrs(row, &attr)) {
			ra_builder_add_slice_attr(h->builder, &attr);
		}
		ra_hierarchy_take_data(h, row, RA_BUILDER_SLICE_DATA,
		                       (uint32_t) (h->model->slices.count - 1), false);
	}
}

static void take_pop(struct ra_hierarchy *h, const struct ra_row *row, uint16_t domain)
{
	struct ra_slices *s = &h->model->slices;
	const uint32_t slice = ra_stack_close(&h->stack, domain);

	if (__builtin_expect(slice == RA_NONE, 0)) {
		h->model->quality.unmatched_pops++;
		ra_hierarchy_take_data(h, row, RA_BUILDER_SLICE_DATA, RA_NONE, true);
		return;
	}
	s->dur_ns[slice] = h->now_ns - s->start_ns[slice];
	if (h->has_counts) {
		ra_slice_counts_close(h->builder, slice, row);
	}
	ra_hierarchy_take_data(h, row, RA_BUILDER_SLICE_DATA, slice, true);
}

/* Applies the depth records after a loss all at once, because their order has no meaning. */
static void settle_loss(struct ra_hierarchy *h, bool is_end)
{
	struct ra_hierarchy_loss *loss = &h->loss;

	loss->is_pending = false;
	loss->has_depth = false;
	ra_stack_settle(&h->stack);
	if (h->now_ns < loss->end_ns) {
		h->now_ns = loss->end_ns;
		h->model->quality.times_repaired += !is_end;
	}
	for (size_t i = 0; i < loss->count; i++) {
		uint64_t count = loss->unseen[i].count;

		if (count > h->lost_starts_left) {
			count = h->lost_starts_left;
		}
		h->lost_starts_left -= count;
		h->model->quality.lost_starts += count;
		ra_builder_reserve_slices(h->builder, count);
		for (uint64_t n = 0; n < count; n++) {
			const size_t slice = h->model->slices.count;

			open_slice(h, loss->end_ns, 0, loss->unseen[i].domain);
			h->model->slices.flags[slice] |= RA_SLICE_LOST_START;
		}
	}
	loss->count = 0;
}

static void begin_loss(struct ra_hierarchy *h, int64_t end_ns)
{
	if (!h->loss.is_pending) {
		h->loss.is_pending = true;
		h->loss.start_ns = h->now_ns;
		h->loss.end_ns = h->now_ns;
	}
	if (end_ns > h->loss.end_ns) {
		h->loss.end_ns = end_ns;
	}
}

static void take_loss(struct ra_hierarchy *h, const struct ra_row *row)
{
	const uint64_t ticks = row->batch->ticks[row->idx];
	const uint64_t span = ra_row_find_value(row, RLOG_ATTR_SPAN);
	const uint64_t cause = ra_row_find_value(row, RLOG_ATTR_CAUSE);
	const uint64_t count = ra_row_find_value(row, RLOG_ATTR_LOST);
	const int64_t end_ns =
		ra_clock_convert(h->clock, ra_util_add(ticks, span), &h->segment) - h->zero_ns;
	const struct ra_loss_span made = {
		.track = h->track_idx,
		.cause = cause < RLOG_CAUSES ? (uint32_t) cause : 0,
		.start_ns = h->now_ns,
		.end_ns = end_ns > h->now_ns ? end_ns : h->now_ns,
		.count = count,
	};

	begin_loss(h, made.end_ns);
	ra_sync_lose(h->sync, &h->stack, h->loss.start_ns);
	ra_builder_add_loss(h->builder, &made);
}

static void take_depth(struct ra_hierarchy *h, const struct ra_row *row, uint16_t domain)
{
	const uint64_t depth = ra_row_find_value(row, RLOG_ATTR_DEPTH);
	const uint64_t survivors = ra_row_find_value(row, RLOG_ATTR_MIN_DEPTH);
	struct ra_hierarchy_loss *loss = &h->loss;

	begin_loss(h, INT64_MIN);
	loss->has_depth = true;
	h->model->quality.lost_ends += ra_stack_lose(&h->stack, domain, survivors, loss->start_ns);
	if (depth <= survivors) {
		return;
	}
	RA_UTIL_APPEND(
		loss->unseen, loss->count, loss->capacity,
		(struct ra_hierarchy_unseen){ .count = depth - survivors, .domain = domain });
}

/* Handles a row that is no push or pop. */
static int take_other(struct ra_hierarchy *h, struct ra_row *row, uint16_t domain)
{
	switch (row->batch->op[row->idx]) {
	case RLOG_OP_LOSS:
		take_loss(h, row);
		return 0;
	case RLOG_OP_DEPTH:
		take_depth(h, row, domain);
		return 0;
	default:
		return ra_hierarchy_take_event(h, row, domain);
	}
}

/* Notes the loss by damage, which lasts from the row before to the first row after it. */
static void settle_gap(struct ra_hierarchy *h)
{
	const struct ra_loss_span span = {
		.track = h->track_idx,
		.cause = 0,
		.start_ns = h->gap_ns == INT64_MIN ? h->now_ns : h->gap_ns,
		.end_ns = h->now_ns,
		.count = h->gap_rows,
	};

	h->gap_rows = 0;
	ra_builder_add_loss(h->builder, &span);
}

/* Finishes a gap or loss before a row that does not belong to it. */
static void prepare_row(struct ra_hierarchy *h, const struct ra_row *row)
{
	const uint8_t op = row->batch->op[row->idx];

	if (h->gap_rows != 0) {
		settle_gap(h);
	}
	if (h->loss.is_pending && op != RLOG_OP_DEPTH &&
	    (op != RLOG_OP_LOSS || h->loss.has_depth)) {
		settle_loss(h, false);
		/* That made slices, which used room reserved for the rows. */
		ra_builder_reserve_slices(h->builder, row->batch->count - row->idx);
	}
}

void ra_hierarchy_note_gap(struct ra_hierarchy *hierarchy, uint64_t rows)
{
	if (hierarchy->gap_rows == 0) {
		hierarchy->gap_ns = hierarchy->now_ns;
	}
	hierarchy->gap_rows = ra_util_add(hierarchy->gap_rows, rows);
	hierarchy->may_continue = false;
}

/* Handles any row. Its time is set to at least that of the row before. */
static int take_row(struct ra_hierarchy *h, struct ra_row *row)
{
	const uint8_t op = row->batch->op[row->idx];
	uint16_t domain;

	if (h->times[row->idx] >= h->now_ns) {
		h->now_ns = h->times[row->idx];
	} else {
		h->model->quality.times_repaired++;
	}
	if (h->loss.is_pending || h->gap_rows != 0) {
		prepare_row(h, row);
	}
	h->may_continue &= op == RLOG_OP_MORE;
	ra_builder_find_domain(h->builder, row->batch->domain[row->idx], &domain);
	if (op == RLOG_OP_BEGUN) {
		h->model->quality.begun_ranges++;
	}
	if (op == RLOG_OP_PUSH || (op == RLOG_OP_BEGUN && row->batch->id[row->idx] == 0)) {
		take_push(h, row, domain);
		return 0;
	}
	if (op == RLOG_OP_POP) {
		take_pop(h, row, domain);
		return 0;
	}
	return take_other(h, row, domain);
}

/*
 * Does the same as take_row, but only for plain rows: nested pushes and pops in order of time, with
 * known domains and names, and without attributes. All counters are in registers here, which makes
 * the sweep twice as fast.
 *
 * Return: the first row that is not plain.
 */
static size_t take_other_plain(struct ra_hierarchy *h, const struct ra_row *row)
{
	const struct rlog_batch *batch = row->batch;
	const size_t end = row->attr_row < batch->count ? row->attr_row : batch->count;
	const uint16_t *domain_index = h->builder->domain_index;
	const uint32_t good_names = h->builder->good_names;
	struct ra_slices s = h->model->slices;
	struct ra_stack stack = h->stack;
	uint32_t around = ra_stack_find_innermost(&stack);
	const int64_t *times = h->times;
	struct ra_stack_domain *d = NULL; /* state of domain … */
	uint32_t id = 0;
	size_t domain = 0;
	size_t i = row->idx;

	for (; i < end; i++) {
		const uint8_t op = batch->op[i];
		struct ra_stack_node *node;
		uint32_t place;

		if (batch->domain[i] != id || d == NULL) {
			id = batch->domain[i];
			domain = id < RA_BUILDER_DIRECT_DOMAINS ? domain_index[id] - (size_t) 1
			                                        : SIZE_MAX;
			if (domain >= stack.domain_capacity) {
				break;
			}
			d = &stack.domains[domain];
		}
		if (op == RLOG_OP_PUSH) {
			place = stack.free_node;
			if (place == RA_NONE || stack.depth == stack.order_capacity ||
			    !d->is_touched || batch->name[i] >= good_names) {
				break;
			}
			node = &stack.nodes[place];
			stack.free_node = node->below;
			s.start_ns[s.count] = times[i];
			s.name[s.count] = batch->name[i];
			s.domain[s.count] = (uint16_t) domain;
			s.parent[s.count] = around;
			s.flags[s.count] = 0;
			around = (uint32_t) s.count++;
			node->slice = around;
			node->below = d->top;
			node->position = (uint32_t) stack.depth;
			node->domain = (uint16_t) domain;
			d->top = place;
			d->open++;
			stack.order[stack.depth++] = place;
			continue;
		}
		place = d->top;
		if (op != RLOG_OP_POP || place == RA_NONE) {
			break;
		}
		node = &stack.nodes[place];
		if ((size_t) node->position + 1 != stack.depth) {
			break;
		}
		stack.depth--;
		d->top = node->below;
		d->open--;
		node->below = stack.free_node;
		stack.free_node = place;
		s.dur_ns[node->slice] = times[i] - s.start_ns[node->slice];
		around = ra_stack_find_innermost(&stack);
	}
	h->model->slices.count = s.count;
	h->stack = stack;
	return i;
}

/* Handles plain rows; the current row becomes the first one that is not plain. */
static void take_plain_rows(struct ra_hierarchy *h, struct ra_row *row)
{
	const size_t first = row->idx;

	row->idx = ra_hierarchy_nested_take(h->builder, &h->stack, h->times, row);
	if (row->idx < row->batch->count && row->attr_row != row->idx) {
		row->idx = take_other_plain(h, row);
	}
	if (row->idx > first) {
		h->now_ns = h->times[row->idx - 1];
		h->may_continue = false;
	}
}

/* Converts the times of the current row and all rows after it. */
static void time_rest(struct ra_hierarchy *h, const struct ra_row *row)
{
	if (row->idx < h->timed_from) {
		ra_row_times_convert(&h->own_times, h->clock, h->zero_ns, row->batch, row->idx,
		                     &h->segment);
		h->times = h->own_times.ns;
		h->timed_from = row->idx;
	}
}

/* Makes room for one slice for each row that is left. Not called earlier, because runs make few
 * slices. */
static void reserve_slices(struct ra_hierarchy *h, const struct ra_row *row)
{
	ra_builder_reserve_slices(h->builder, row->batch->count - row->idx);
}

/* Handles the rows that can be handled quickly; the current row becomes the first row that can't.
 * Times must be in order in this batch. */
static void take_simple_rows(struct ra_hierarchy *h, struct ra_row *row)
{
	const size_t first = row->idx;

	if (h->has_counts || h->loss.is_pending || h->gap_rows != 0) {
		return;
	}
	if (h->runs != NULL) {
		h->now_ns = ra_hierarchy_runs_take(h->runs, row, h->times, h->now_ns);
		h->may_continue &= row->idx == first;
		if (row->attr_row < row->idx) {
			ra_row_seek(row);
		}
	}
	if (row->idx == row->batch->count || row->attr_row == row->idx) {
		return;
	}
	time_rest(h, row);
	if (h->times[row->idx] >= h->now_ns) {
		reserve_slices(h, row);
		take_plain_rows(h, row);
	}
}

/* Prepares for the first row of a batch. Its times are converted when they are needed. */
static void begin_batch(struct ra_hierarchy *h, const struct ra_row *row)
{
	const struct rlog_batch *batch = row->batch;
	const int64_t first_ns =
		ra_clock_convert(h->clock, batch->ticks[row->idx], &h->segment) - h->zero_ns;

	h->has_counts = ra_slice_counts_are_in(batch);
	h->times = NULL;
	h->timed_from = SIZE_MAX;
	if (h->runs != NULL) {
		ra_hierarchy_runs_begin(h->runs, h->track_idx);
	}
	if (h->track->events == 0) {
		h->track->first_ns = first_ns;
	}
	if (h->window != NULL && ra_slice_window_is_walk(h->window) && !h->loss.is_pending &&
	    batch->op[row->idx] != RLOG_OP_MORE) {
		ra_slice_window_step(h->window, h->now_ns, first_ns);
	}
}

int ra_hierarchy_add_batch(struct ra_hierarchy *hierarchy, const struct rlog_batch *batch,
                           size_t first)
{
	struct ra_hierarchy *h = hierarchy;
	struct ra_row row = { .batch = batch, .idx = first };
	/* the decoder has checked the order */
	const bool is_sorted = (batch->flags & RLOG_FLAG_UNSORTED) == 0;
	int rc = 0;

	if (first >= batch->count) {
		return 0;
	}
	ra_row_seek(&row);
	begin_batch(h, &row);
	while (rc == 0 && row.idx < batch->count) {
		if (is_sorted) {
			take_simple_rows(h, &row);
		}
		if (row.idx < batch->count) {
			reserve_slices(h, &row);
			time_rest(h, &row);
			rc = take_row(h, &row);
			row.idx++;
		}
		if (row.attr_row < row.idx) {
			ra_row_seek(&row);
		}
	}
	h->track->events += rlog_batch_count_events(batch, first, batch->count - first);
	h->lost_starts_left += batch->count - first;
	/* While a loss is pending, the window can't move: depth records may still end ranges at the
	 * loss's start. */
	if (h->window != NULL && !ra_slice_window_is_walk(h->window) && !h->loss.is_pending) {
		ra_slice_window_move(h->window, h->now_ns);
	}
	return rc;
}

/* Gives the children of a crossing slice to the slice around it, and then takes the crossing slices
 * out of the tree. */
static void repair_parents(struct ra_hierarchy *h)
{
	struct ra_slices *s = &h->model->slices;

	for (size_t i = h->track->first_slice; i < s->count; i++) {
		const uint32_t parent = s->parent[i];

		if (parent != RA_NONE && (s->flags[parent] & RA_SLICE_CROSSING)) {
			s->parent[i] = s->parent[parent];
		}
	}
	for (size_t i = h->track->first_slice; i < s->count; i++) {
		if (s->flags[i] & RA_SLICE_CROSSING) {
			s->parent[i] = RA_NONE;
		}
	}
}

void ra_hierarchy_end_track(struct ra_hierarchy *hierarchy, int64_t open_end_ns)
{
	struct ra_hierarchy *h = hierarchy;
	struct ra_quality *quality = &h->model->quality;
	uint64_t open_count;

	if (h->loss.is_pending) {
		settle_loss(h, true);
	}
	if (h->gap_rows != 0) {
		if (h->now_ns == INT64_MIN) {
			h->now_ns = 0;
		}
		settle_gap(h);
	}
	if (h->now_ns != INT64_MIN) {
		h->track->last_ns = h->now_ns;
	}
	quality->crossing_ranges += h->stack.crossing;
	if (h->stack.crossing != 0 && h->window == NULL) {
		repair_parents(h);
	}
	if (open_end_ns < h->now_ns) {
		open_end_ns = h->now_ns;
	}
	ra_sync_end_track(h->sync);
	open_count = ra_stack_close_all(&h->stack, open_end_ns);
	quality->open_ranges += open_count;
	h->track->end_ns = open_count > 0 ? open_end_ns : h->track->last_ns;
	quality->events += h->track->events;
	if (h->window != NULL) {
		ra_slice_window_end_track(h->window);
		return;
	}
	h->track->slice_count = h->model->slices.count - h->track->first_slice;
	h->track->mark_count = h->model->mark_count - h->track->first_mark;
}
