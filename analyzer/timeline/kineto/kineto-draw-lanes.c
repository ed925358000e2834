/* SPDX-License-Identifier: MIT */
/* Puts the slices of a trace in JSON on rows on which they nest. Binds arrows to the slices that
 * they join. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/timeline/kineto/kineto-draw.h"
#include "analyzer/timeline/layout/layout.h"

struct level {
	int64_t start_ns;
	int64_t end_ns;
	bool is_work;   /* GPU work: no other work may be inside it */
	bool has_arrow; /* it has an arrow: a slice of more than 0 ns that begins at the same time
	                   may not be inside it */
};

struct lane {
	struct level *levels; /* owned */
	size_t depth, capacity;
	uint32_t row;
	size_t slices;
};

struct placing {
	struct ra_kineto_draw *draw;
	uint32_t *events;   /* owned: events of all threads, thread by thread */
	struct lane *lanes; /* owned; of the current thread */
	size_t lane_count, lane_capacity;
	size_t first_lane; /* 1 if row 0 is reserved for B and E */
	uint32_t thread;
};

static int64_t find_dur(const struct ra_kineto *k, uint32_t event)
{
	return ra_kineto_dur(k, event) > 0 ? ra_kineto_dur(k, event) : 0;
}

static bool is_slice(const struct ra_kineto *k, uint32_t event)
{
	return ra_kineto_get_phase(k, event) == 'X' || ra_kineto_get_phase(k, event) == 'B';
}

static bool is_half(const struct ra_kineto *k, uint32_t event)
{
	const uint8_t phase = ra_kineto_get_phase(k, event);

	return phase == 's' || phase == 't' || phase == 'f';
}

/* The rank of an event among events at the same time: ends come first, then slices, marks,
 * arrows. */
static int find_rank(const struct ra_kineto *k, uint32_t event)
{
	return ra_kineto_get_phase(k, event) == 'E' ? 0
	       : is_slice(k, event)                 ? 1
	       : is_half(k, event)                  ? 3
	                                            : 2;
}

/* Sorts events in Perfetto's order: of slices that begin together, the longer one comes first. */
static int compare(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_kineto_draw *draw = context;
	const struct ra_kineto *k = draw->kineto;
	const int a = find_rank(k, left);
	const int b = find_rank(k, right);
	int order = RA_ORDER(ra_kineto_ts(draw->kineto, left), ra_kineto_ts(draw->kineto, right));

	order = RA_ORDER_THEN(order, RA_ORDER(a, b));
	if (a == 1) {
		order = RA_ORDER_THEN(order, RA_ORDER(find_dur(k, right), find_dur(k, left)));
	}
	return order;
}

static bool is_placed(const struct ra_kineto_draw *draw, uint32_t event)
{
	const struct ra_kineto *k = draw->kineto;

	return ra_kineto_draw_has(draw, event) &&
	       (is_slice(k, event) || is_half(k, event) ||
	        (ra_kineto_draw_find_class(k, event) == RA_KINETO_DRAW_MARKS &&
	         ra_kineto_draw_rows_has_thread(k, event)));
}

/* Groups events by thread. Return: where each thread's events end; owned by the caller. */
static size_t *gather(struct placing *placing)
{
	const struct ra_kineto_draw *draw = placing->draw;
	const struct ra_kineto *k = draw->kineto;
	size_t *ends = ra_alloc_zeros(k->thread_count + 1, sizeof(*ends));
	size_t at = 0;

	placing->events = ra_alloc_zeros(k->count + 1, sizeof(*placing->events));
	for (uint32_t i = 0; i < k->count; i++) {
		ends[draw->threads[ra_kineto_get_thread(k, i)].group] += is_placed(draw, i);
	}
	for (size_t t = 0; t < k->thread_count; t++) {
		const size_t count = ends[t];

		ends[t] = at;
		at += count;
	}
	for (uint32_t i = 0; i < k->count; i++) {
		if (is_placed(draw, i)) {
			placing->events[ends[draw->threads[ra_kineto_get_thread(k, i)].group]++] =
				i;
		}
	}
	return ends;
}

static bool is_work(const struct ra_kineto *k, uint32_t event)
{
	return k->kind[event] >= RA_KINETO_KERNEL && k->kind[event] <= RA_KINETO_MEMSET;
}

static bool has_room(const struct ra_kineto_draw *draw, struct lane *lane, uint32_t event)
{
	const struct ra_kineto *k = draw->kineto;
	const int64_t start_ns = ra_kineto_ts(draw->kineto, event);
	const int64_t end_ns = ra_util_add_time(start_ns, find_dur(k, event));
	const struct level *top;

	while (lane->depth > 0 && lane->levels[lane->depth - 1].end_ns <= start_ns) {
		lane->depth--;
	}
	if (lane->depth == 0) {
		return true;
	}
	top = &lane->levels[lane->depth - 1];
	return end_ns <= top->end_ns && lane->depth < RA_LAYOUT_MAX_DEPTH &&
	       !(top->is_work && is_work(k, event)) &&
	       !(top->has_arrow && top->start_ns == start_ns && end_ns > start_ns);
}

static void add_lane(struct placing *placing)
{
	const size_t count = placing->lane_count;
	uint32_t row = placing->draw->threads[placing->thread].row;

	if (count == placing->lane_capacity) {
		const size_t old = placing->lane_capacity;

		ra_util_grow(&placing->lanes, &placing->lane_capacity, count + 1,
		             sizeof(*placing->lanes));
		for (size_t i = old; i < placing->lane_capacity; i++) {
			placing->lanes[i] = (struct lane){ 0 };
		}
	}
	if (count > 0) {
		row = ra_kineto_draw_rows_add_lane(placing->draw, placing->thread,
		                                   (uint32_t) count);
	}
	placing->lanes[count].depth = 0;
	placing->lanes[count].row = row;
	placing->lanes[count].slices = 0;
	placing->lane_count++;
}

/* Chooses a lane for a slice: the one whose open slice began last and in which the slice nests. GPU
 * work, and a slice that is in no other slice, get the first free lane. */
static size_t choose_lane(struct placing *placing, uint32_t event)
{
	const struct ra_kineto *k = placing->draw->kineto;
	size_t best = placing->lane_count > placing->first_lane ? placing->lane_count
	                                                        : placing->first_lane;
	int64_t start_ns = INT64_MIN;

	if (ra_kineto_get_phase(k, event) == 'B') {
		return 0;
	}
	for (size_t at = placing->first_lane; at < placing->lane_count; at++) {
		struct lane *lane = &placing->lanes[at];

		if (!has_room(placing->draw, lane, event)) {
			continue;
		}
		if (lane->depth > 0 && lane->levels[lane->depth - 1].start_ns > start_ns) {
			start_ns = lane->levels[lane->depth - 1].start_ns;
			best = at;
		} else if (best >= placing->lane_count) {
			best = at;
		}
		if (is_work(k, event)) {
			break;
		}
	}
	return best;
}

static void put_slice(struct placing *placing, uint32_t event)
{
	struct ra_kineto_draw *draw = placing->draw;
	const struct ra_kineto *k = draw->kineto;
	const size_t at = choose_lane(placing, event);
	struct lane *lane;

	if (at >= RA_LAYOUT_MAX_LANES) { /* Perfetto would drop the slice */
		draw->left_out++;
		return;
	}
	while (placing->lane_count <= at) {
		add_lane(placing);
	}
	lane = &placing->lanes[at];
	RA_UTIL_APPEND(lane->levels, lane->depth, lane->capacity,
	               (struct level){ ra_kineto_ts(draw->kineto, event),
	                               ra_util_add_time(ra_kineto_ts(draw->kineto, event),
	                                                find_dur(k, event)),
	                               is_work(k, event), draw->owner[event] != RA_KINETO_NONE });
	lane->slices++;
	draw->row_of[event] = lane->row;
}

/* Binds an arrow's end, as Perfetto does, to the slice that began last on its row. */
static void put_half(struct placing *placing, uint32_t half)
{
	struct ra_kineto_draw *draw = placing->draw;
	const uint32_t no_arrow = draw->row_of[half] & RA_KINETO_DRAW_NO_ARROW;

	if (draw->owner[half] != RA_KINETO_NONE) {
		draw->row_of[half] = draw->row_of[draw->owner[half]] | no_arrow;
		return;
	}
	for (size_t i = 0; i < placing->lane_count; i++) {
		struct lane *lane = &placing->lanes[i];

		while (lane->depth > 0 &&
		       lane->levels[lane->depth - 1].end_ns < ra_kineto_ts(draw->kineto, half)) {
			lane->depth--;
		}
		if (lane->depth > 0) {
			draw->row_of[half] = lane->row | no_arrow;
			return;
		}
	}
	draw->row_of[half] |= RA_KINETO_DRAW_NO_ARROW;
	draw->has_lost_halves |= no_arrow == 0;
}

/* Gives the thread's first row to the lane with the most slices. Otherwise a long slice that began
 * first, and ends in the middle of others, would push all these off that row. */
static void swap_lanes(struct placing *placing, const uint32_t *events, size_t count)
{
	uint32_t *row_of = placing->draw->row_of;
	const struct lane *most = placing->lanes;
	uint32_t first;

	for (size_t i = 1; i < placing->lane_count; i++) {
		most = placing->lanes[i].slices > most->slices ? &placing->lanes[i] : most;
	}
	if (most == placing->lanes || placing->first_lane > 0) {
		return;
	}
	first = placing->lanes[0].row;
	for (size_t i = 0; i < count; i++) {
		if (find_rank(placing->draw->kineto, events[i]) == 2) {
			continue; /* marks stay on the thread's own row */
		}
		const uint32_t no_arrow = row_of[events[i]] & RA_KINETO_DRAW_NO_ARROW;
		const uint32_t row = row_of[events[i]] ^ no_arrow;

		if (row == first) {
			row_of[events[i]] = most->row | no_arrow;
		} else if (row == most->row) {
			row_of[events[i]] = first | no_arrow;
		}
	}
}

/* Finds the events that begin at the same time as events[first], except ends. Return: the index of
 * the first later event. */
static size_t find_tie(const struct ra_kineto_draw *draw, const uint32_t *events, size_t count,
                       size_t first, struct ra_kineto_draw_tie *tie)
{
	const struct ra_kineto *k = draw->kineto;
	const int64_t time_ns = ra_kineto_ts(draw->kineto, events[first]);
	size_t end[4] = { first, first, first, first };

	for (size_t i = first; i < count && ra_kineto_ts(draw->kineto, events[i]) == time_ns; i++) {
		for (int rank = find_rank(k, events[i]); rank < 4; rank++) {
			end[rank] = i + 1;
		}
	}
	*tie = (struct ra_kineto_draw_tie){
		.slices = events + end[0],
		.slice_count = end[1] - end[0],
		.halves = events + end[2],
		.half_count = end[3] - end[2],
		.late = events + end[2],
	};
	while (tie->late > tie->slices && ra_kineto_draw_ties_is_late(k, tie->late[-1])) {
		tie->late--;
		tie->late_count++;
	}
	return end[3];
}

/* Handles each group of events that begin together. @is_placed: all slices have their rows. */
static void look_at_ties(struct placing *placing, const uint32_t *events, size_t count,
                         bool is_placed)
{
	struct ra_kineto_draw *draw = placing->draw;
	struct ra_kineto_draw_tie tie;

	for (size_t i = 0; i < count;) {
		i = find_tie(draw, events, count, i, &tie);
		if (is_placed) {
			ra_kineto_draw_ties_move(draw, &tie);
		} else {
			ra_kineto_draw_ties_own(draw, &tie);
		}
	}
}

static void place_thread(struct placing *placing, uint32_t *events, size_t count)
{
	const struct ra_kineto *k = placing->draw->kineto;

	ra_run_sort_indices(events, count, compare, placing->draw);
	placing->lane_count = 0;
	placing->first_lane = placing->draw->threads[placing->thread].has_pairs;
	look_at_ties(placing, events, count, false);
	for (size_t i = 0; i < count; i++) {
		if (is_slice(k, events[i])) {
			put_slice(placing, events[i]);
		} else if (is_half(k, events[i])) {
			put_half(placing, events[i]);
		}
	}
	swap_lanes(placing, events, count);
	look_at_ties(placing, events, count, true);
}

void ra_kineto_draw_lanes_place(struct ra_kineto_draw *draw)
{
	struct placing placing = { .draw = draw };
	size_t *ends = gather(&placing);
	size_t first = 0;

	for (uint32_t t = 0; t < draw->kineto->thread_count; t++) {
		placing.thread = t;
		place_thread(&placing, placing.events + first, ends[t] - first);
		first = ends[t];
	}
	ra_kineto_draw_ties_sort(draw);
	for (size_t i = 0; i < placing.lane_capacity; i++) {
		free(placing.lanes[i].levels);
	}
	free(placing.lanes);
	free(placing.events);
	free(ends);
}
