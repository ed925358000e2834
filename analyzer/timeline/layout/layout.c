/* SPDX-License-Identifier: MIT */
/* Decides where Perfetto draws the model: process and thread numbers, extra rows, depths. */
#include "analyzer/timeline/layout/layout.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/timeline/layout/layout-numbers.h"
#include "analyzer/timeline/layout/layout-zero.h"

/* A slice that is open on a row. */
struct level {
	int64_t start_ns;
	int64_t end_ns;
};

struct ra_layout {
	const struct ra_model *model;
	/* owned; by process; the last entry is for devices; 0: these have their own numbers */
	uint32_t *pids;
	uint32_t *tids;    /* owned; by track */
	uint32_t *losses;  /* owned; indices of loss spans, ordered by track, then time */
	uint8_t *launches; /* owned; by call: 1 if an arrow begins at it */
	uint32_t next_row;
	int64_t zero_ns;
	struct ra_layout_left_out left_out;

	/* The current track. */
	uint32_t track;
	size_t slice;
	size_t slice_end;
	size_t mark;
	size_t mark_end;
	size_t loss;
	size_t loss_end;
	size_t call;
	size_t call_end;
	/* The slices that begin at the same time, the longest first. */
	uint32_t *group;  /* owned */
	uint32_t *merged; /* owned; scratch memory for the sort */
	size_t group_capacity;
	size_t group_count;
	size_t group_next;
	struct level stack[RA_LAYOUT_MAX_DEPTH + 1]; /* level 0 never ends, so the loops need no
	                                                check for an empty stack */
	unsigned depth;
	struct level *lanes; /* owned; the last slice of each lane */
	uint32_t lane_count;
	uint32_t first_lane_tid;
};

static int compare_losses(const void *left, const void *right, void *context)
{
	const struct ra_loss_span *spans = context;
	const uint32_t a = *(const uint32_t *) left;
	const uint32_t b = *(const uint32_t *) right;
	int order = RA_ORDER(spans[a].track, spans[b].track);

	order = RA_ORDER_THEN(order, RA_ORDER(spans[a].start_ns, spans[b].start_ns));
	return RA_ORDER_THEN(order, RA_ORDER(a, b));
}

static void find_launches(struct ra_layout *layout)
{
	const struct ra_gpu *gpu = &layout->model->gpu;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->api != RA_NONE && op->start_ns >= gpu->apis[op->api].start_ns) {
			layout->launches[op->api] = 1;
		}
	}
}

struct ra_layout *ra_layout_create(const struct ra_model *model)
{
	struct ra_layout *layout = ra_alloc_zeros(1, sizeof(*layout));

	layout->model = model;
	layout->next_row = RA_LAYOUT_FIRST_ROW;
	layout->stack[0] = (struct level){ INT64_MAX, INT64_MAX };
	layout->zero_ns = ra_layout_zero_find(model);
	layout->pids = ra_alloc_zeros(model->process_count + 1, sizeof(*layout->pids));
	layout->tids = ra_alloc_zeros(model->track_count + 1, sizeof(*layout->tids));
	layout->losses = ra_order_create_indices(model->loss_span_count);
	layout->lanes = ra_alloc_zeros(RA_LAYOUT_MAX_LANES, sizeof(*layout->lanes));
	layout->launches = ra_alloc_zeros(model->gpu.api_count + 1, 1);
	find_launches(layout);
	ra_layout_numbers_choose_pids(model, layout->pids);
	ra_layout_numbers_choose_tids(model, layout->tids, &layout->next_row);
	RA_SORT_WITH(layout->losses, model->loss_span_count, compare_losses, model->loss_spans);
	return layout;
}

void ra_layout_move(struct ra_layout *layout, uint32_t first_pid)
{
	for (size_t i = 0; i <= layout->model->process_count; i++) {
		layout->pids[i] = first_pid + (uint32_t) i;
	}
}

void ra_layout_destroy(struct ra_layout *layout)
{
	free(layout->pids);
	free(layout->tids);
	free(layout->losses);
	free(layout->launches);
	free(layout->group);
	free(layout->merged);
	free(layout->lanes);
	free(layout);
}

uint32_t ra_layout_find_pid(const struct ra_layout *layout, uint32_t process)
{
	return layout->pids[process];
}

uint32_t ra_layout_find_tid(const struct ra_layout *layout, uint32_t track)
{
	return layout->tids[track];
}

uint32_t ra_layout_take_row(struct ra_layout *layout)
{
	return layout->next_row++;
}

int64_t ra_layout_find_zero(const struct ra_layout *layout)
{
	return layout->zero_ns;
}

bool ra_layout_accept(struct ra_layout *layout, int64_t start_ns)
{
	layout->left_out.too_early += start_ns < layout->zero_ns;
	return start_ns >= layout->zero_ns;
}

void ra_layout_refuse(struct ra_layout *layout, bool is_too_deep)
{
	layout->left_out.too_deep += is_too_deep;
	layout->left_out.no_lane += !is_too_deep;
}

uint32_t ra_layout_count_lanes(const struct ra_layout *layout, uint32_t *first_tid)
{
	*first_tid = layout->first_lane_tid;
	return layout->lane_count;
}

struct ra_layout_left_out ra_layout_left_out(const struct ra_layout *layout)
{
	return layout->left_out;
}

void ra_layout_begin_track(struct ra_layout *layout, uint32_t track)
{
	const struct ra_model *model = layout->model;

	layout->track = track;
	while (layout->loss < model->loss_span_count &&
	       model->loss_spans[layout->losses[layout->loss]].track < track) {
		layout->loss++;
	}
	layout->loss_end = layout->loss;
	while (layout->call < model->gpu.api_count && model->gpu.apis[layout->call].track < track) {
		layout->call++;
	}
	layout->call_end = layout->call;
	while (layout->call_end < model->gpu.api_count &&
	       model->gpu.apis[layout->call_end].track == track) {
		layout->call_end++;
	}
	layout->group_count = 0;
	layout->group_next = 0;
	layout->depth = 0;
	layout->lane_count = 0;
	layout->first_lane_tid = layout->next_row;
}

void ra_layout_begin_part(struct ra_layout *layout, const struct ra_model *part, int64_t until_ns)
{
	const struct ra_track *t = &part->tracks[layout->track];

	layout->model = part;
	layout->slice = t->first_slice;
	layout->slice_end = t->first_slice + t->slice_count;
	layout->mark = t->first_mark;
	layout->mark_end = t->first_mark + t->mark_count;
	while (layout->loss_end < part->loss_span_count &&
	       part->loss_spans[layout->losses[layout->loss_end]].track == layout->track &&
	       (until_ns == INT64_MAX ||
	        part->loss_spans[layout->losses[layout->loss_end]].start_ns < until_ns)) {
		layout->loss_end++;
	}
}

void ra_layout_end_part(struct ra_layout *layout, const struct ra_model *whole)
{
	layout->model = whole;
	layout->slice = 0;
	layout->slice_end = 0;
	layout->mark = 0;
	layout->mark_end = 0;
}

/* Sorts the longest first. Stable: of equal durations the first in the model stays first, because
 * it encloses the other. */
static void sort_group(const int64_t *dur_ns, uint32_t *group, uint32_t *merged, size_t count)
{
	for (size_t width = 1; width < count; width *= 2) {
		for (size_t low = 0; low < count; low += 2 * width) {
			const size_t middle = low + width < count ? low + width : count;
			const size_t high = middle + width < count ? middle + width : count;
			size_t a = low;
			size_t b = middle;

			for (size_t i = low; i < high; i++) {
				const bool from_a =
					a < middle &&
					(b == high || dur_ns[group[a]] >= dur_ns[group[b]]);
				merged[i] = from_a ? group[a++] : group[b++];
			}
		}
		memcpy(group, merged, count * sizeof(*group));
	}
}

/* Takes all slices that begin at the same time as the next one. */
static void gather_group(struct ra_layout *layout)
{
	const struct ra_slices *slices = &layout->model->slices;
	const int64_t start_ns = slices->start_ns[layout->slice];
	size_t end = layout->slice + 1;
	bool is_sorted = true;

	while (end < layout->slice_end && slices->start_ns[end] == start_ns) {
		is_sorted = is_sorted && slices->dur_ns[end] <= slices->dur_ns[end - 1];
		end++;
	}
	const size_t count = end - layout->slice;

	if (count > layout->group_capacity) {
		free(layout->group);
		free(layout->merged);
		layout->group = ra_alloc_bytes(count * sizeof(*layout->group));
		layout->merged = ra_alloc_bytes(count * sizeof(*layout->merged));
		layout->group_capacity = count;
	}
	for (size_t i = 0; i < count; i++) {
		layout->group[i] = (uint32_t) (layout->slice + i);
	}
	if (!is_sorted) {
		sort_group(slices->dur_ns, layout->group, layout->merged, count);
	}
	layout->slice = end;
	layout->group_count = count;
	layout->group_next = 0;
}

/* Returns the tid of the first free lane; 0: no more lanes are allowed. */
static uint32_t choose_lane(struct ra_layout *layout, int64_t start_ns, int64_t end_ns)
{
	uint32_t lane = 0;

	/* A slice of 0 ns at start_ns would be drawn below the new one, not next to it. */
	while (lane < layout->lane_count && (layout->lanes[lane].end_ns > start_ns ||
	                                     layout->lanes[lane].start_ns == start_ns)) {
		lane++;
	}
	if (lane == RA_LAYOUT_MAX_LANES) {
		layout->left_out.no_lane++;
		return 0;
	}
	if (lane == layout->lane_count) {
		layout->lane_count++;
		layout->next_row++;
	}
	layout->lanes[lane] = (struct level){ start_ns, end_ns };
	return layout->first_lane_tid + lane;
}

/* Puts an item on the thread's row. Return: false if it is too deep to be drawn. */
static bool push_level(struct ra_layout *layout, int64_t start_ns, int64_t end_ns)
{
	if (layout->depth == RA_LAYOUT_MAX_DEPTH) {
		layout->left_out.too_deep++;
		return false;
	}
	layout->stack[++layout->depth] = (struct level){ start_ns, end_ns };
	return true;
}

/* Returns the end of the slice inside which the next slice would be drawn. */
static int64_t find_end_around(const struct ra_layout *layout)
{
	return layout->stack[layout->depth].end_ns;
}

static bool is_over(const struct level *level, int64_t time_ns)
{
	return (level->end_ns <= time_ns) & (level->start_ns < time_ns);
}

/*
 * Removes the slices that have ended from the row. A slice of 0 ns at this very time stays, and the
 * next one nests in it. The processor can't predict how many have ended. In most cases at most two
 * have, so two are removed without a branch.
 */
static void pop_levels(struct ra_layout *layout, int64_t time_ns)
{
	const struct level *stack = layout->stack;
	unsigned depth = layout->depth;

	depth -= is_over(&stack[depth], time_ns);
	depth -= is_over(&stack[depth], time_ns);
	while (is_over(&stack[depth], time_ns)) {
		depth--;
	}
	layout->depth = depth;
}

/* Return: 1 if *item must be drawn, otherwise 0. */
static int place_slice(struct ra_layout *layout, uint32_t slice, struct ra_layout_item *item)
{
	const struct ra_slices *slices = &layout->model->slices;
	const int64_t start_ns = slices->start_ns[slice];
	const int64_t end_ns = start_ns + slices->dur_ns[slice];

	*item = (struct ra_layout_item){ .index = slice, .kind = RA_LAYOUT_SLICE };
	pop_levels(layout, start_ns);
	if ((slices->flags[slice] & RA_SLICE_CROSSING) != 0 || end_ns > find_end_around(layout)) {
		item->tid = choose_lane(layout, start_ns, end_ns);
		return item->tid != 0;
	}
	item->tid = layout->tids[layout->track];
	item->depth = (uint16_t) layout->depth;
	return push_level(layout, start_ns, end_ns);
}

/*
 * True if a range that begins inside a call ends after the call. Ranges stay on their thread's row,
 * so the call must be put on another row. The search starts at the last range that begins inside
 * the call, and looks at the ranges around that range.
 */
static bool is_crossed(const struct ra_layout *layout, int64_t end_ns)
{
	const struct ra_slices *slices = &layout->model->slices;
	struct ra_search at = ra_search_in(layout->slice, layout->slice_end);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, slices->start_ns[at.middle] < end_ns);
	}
	for (unsigned steps = 0; at.low-- > layout->slice; steps++) {
		if (steps > RA_LAYOUT_MAX_DEPTH) {
			return true; /* after too many steps: a row of its own is never wrong */
		}
		if ((slices->flags[at.low] & RA_SLICE_CROSSING) != 0) {
			continue; /* try the slice before it */
		}
		if (slices->start_ns[at.low] + slices->dur_ns[at.low] > end_ns) {
			return true;
		}
		if (slices->parent[at.low] == RA_NONE) {
			return false;
		}
		at.low = (size_t) slices->parent[at.low] + 1;
	}
	return false;
}

/* True if a slice with a duration begins in the first ns of the next call. Perfetto would bind the
 * call's arrow to that slice, not to the call. */
static bool is_hidden(const struct ra_layout *layout)
{
	const struct ra_slices *slices = &layout->model->slices;
	const struct ra_gpu_api *call = &layout->model->gpu.apis[layout->call];
	const bool is_in_group = layout->group_next < layout->group_count;
	const size_t slice = is_in_group ? layout->group[layout->group_next] : layout->slice;

	if (!layout->launches[layout->call]) {
		return false;
	}
	if (layout->call + 1 < layout->call_end && call[1].start_ns == call->start_ns &&
	    call[1].dur_ns > 0) {
		return true;
	}
	return slice < layout->slice_end && slices->start_ns[slice] == call->start_ns &&
	       slices->dur_ns[slice] > 0;
}

static int place_call(struct ra_layout *layout, struct ra_layout_item *item)
{
	const struct ra_gpu_api *call = &layout->model->gpu.apis[layout->call];
	const int64_t end_ns = call->start_ns + call->dur_ns;
	const bool is_aside = is_hidden(layout) || is_crossed(layout, end_ns);

	*item = (struct ra_layout_item){ .index = (uint32_t) layout->call++,
		                         .kind = RA_LAYOUT_CALL };
	if (!ra_layout_accept(layout, call->start_ns)) {
		return 0;
	}
	pop_levels(layout, call->start_ns);
	if (end_ns > find_end_around(layout) || is_aside) {
		item->tid = choose_lane(layout, call->start_ns, end_ns);
		return item->tid != 0;
	}
	item->tid = layout->tids[layout->track];
	item->depth = (uint16_t) layout->depth;
	return push_level(layout, call->start_ns, end_ns);
}

/* True if the next call encloses the slice, or begins before it. A call with the same times as a
 * range is drawn inside the range. */
static bool is_call_first(const struct ra_layout *layout, size_t slice)
{
	const struct ra_slices *slices = &layout->model->slices;
	const struct ra_gpu_api *call;

	if (layout->call >= layout->call_end) {
		return false; /* the array of calls may be NULL */
	}
	call = &layout->model->gpu.apis[layout->call];
	return call->start_ns < slices->start_ns[slice] ||
	       (call->start_ns == slices->start_ns[slice] && call->dur_ns > slices->dur_ns[slice]);
}

static int place_instant(struct ra_layout *layout, enum ra_layout_kind kind, uint32_t index,
                         int64_t time_ns, struct ra_layout_item *item)
{
	pop_levels(layout, time_ns);
	*item = (struct ra_layout_item){
		.index = index,
		.tid = layout->tids[layout->track],
		.depth = (uint16_t) layout->depth,
		.kind = (uint8_t) kind,
	};
	return push_level(layout, time_ns, time_ns);
}

/* Places the next slice, or a call around it. Return: the values of place_next(). */
static int place_slice_or_call(struct ra_layout *layout, struct ra_layout_item *item)
{
	const int64_t *start_ns = layout->model->slices.start_ns;
	const size_t slice = layout->slice;

	if (slice + 1 < layout->slice_end && start_ns[slice + 1] == start_ns[slice] &&
	    !(layout->call < layout->call_end &&
	      layout->model->gpu.apis[layout->call].start_ns < start_ns[slice])) {
		gather_group(layout);
		return 0;
	}
	if (is_call_first(layout, slice)) {
		return place_call(layout, item);
	}
	return place_slice(layout, (uint32_t) layout->slice++, item);
}

/* Places the next item in time: slices and calls first, then marks, then losses. Return: the number
 * of items; -1: at the end. */
static int place_next(struct ra_layout *layout, struct ra_layout_item *item)
{
	const struct ra_model *model = layout->model;

	if (layout->group_next < layout->group_count) {
		if (is_call_first(layout, layout->group[layout->group_next])) {
			return place_call(layout, item);
		}
		return place_slice(layout, layout->group[layout->group_next++], item);
	}
	const bool has_slice = layout->slice < layout->slice_end;
	const bool has_call = layout->call < layout->call_end;
	const bool has_mark = layout->mark < layout->mark_end;
	const bool has_loss = layout->loss < layout->loss_end;
	const int64_t slice_ns = has_slice ? model->slices.start_ns[layout->slice] : INT64_MAX;
	const int64_t call_ns = has_call ? model->gpu.apis[layout->call].start_ns : INT64_MAX;
	const int64_t mark_ns = has_mark ? model->marks[layout->mark].time_ns : INT64_MAX;
	const uint32_t loss = has_loss ? layout->losses[layout->loss] : 0;
	const int64_t loss_ns = has_loss ? model->loss_spans[loss].start_ns : INT64_MAX;
	const int64_t first_ns = slice_ns < call_ns ? slice_ns : call_ns;

	if ((has_slice || has_call) && first_ns <= mark_ns && first_ns <= loss_ns) {
		return has_slice ? place_slice_or_call(layout, item) : place_call(layout, item);
	}
	if (has_mark && mark_ns <= loss_ns) {
		return place_instant(layout, RA_LAYOUT_MARK, (uint32_t) layout->mark++, mark_ns,
		                     item);
	}
	if (has_loss) {
		layout->loss++;
		return place_instant(layout, RA_LAYOUT_LOSS, loss, loss_ns, item);
	}
	return -1;
}

/* Places slices as place_next() does, as long as all items are slices and each begins before the
 * next one. Return: the number of items. */
static int place_slices(struct ra_layout *layout, struct ra_layout_item *items, int capacity)
{
	const int64_t *start_ns = layout->model->slices.start_ns;
	const size_t end = layout->slice_end;
	int count = 0;

	if (layout->group_next < layout->group_count || layout->call < layout->call_end ||
	    layout->mark < layout->mark_end || layout->loss < layout->loss_end) {
		return 0;
	}
	while (count < capacity && layout->slice < end &&
	       (layout->slice + 1 == end ||
	        start_ns[layout->slice + 1] != start_ns[layout->slice])) {
		count += place_slice(layout, (uint32_t) layout->slice++, &items[count]);
	}
	return count;
}

int ra_layout_next(struct ra_layout *layout, struct ra_layout_item *items, int capacity)
{
	const bool is_thread = layout->model->tracks[layout->track].kind == RA_TRACK_THREAD;
	int count = 0;

	while (count < capacity) {
		if (!is_thread) {
			if (layout->slice == layout->slice_end) {
				break;
			}
			const size_t span = layout->slice++;

			if (ra_layout_accept(layout, layout->model->slices.start_ns[span])) {
				items[count++] = (struct ra_layout_item){ .index = (uint32_t) span,
					                                  .kind = RA_LAYOUT_SPAN };
			}
			continue;
		}
		count += place_slices(layout, items + count, capacity - count);
		if (count == capacity) {
			break;
		}
		const int placed = place_next(layout, &items[count]);

		if (placed < 0) {
			break;
		}
		count += placed;
	}
	return count;
}
