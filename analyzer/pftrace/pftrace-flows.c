/* SPDX-License-Identifier: MIT */
/* Sorts events into the order of writing, and finds the slices that arrows join. */
#include "analyzer/pftrace/pftrace-flows.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"

/* A key that orders events by time. */
static uint64_t time_key(int64_t time_ns)
{
	return (uint64_t) time_ns ^ UINT64_C(1) << 63;
}

/* ---- rows for overlapping ranges ---- */

/* A heap of the rows for ranges of one name. The row at its top is the first row to become free. */
struct lanes {
	struct lane {
		int64_t end_ns;
		uint32_t track;
	} * heap; /* owned */
	size_t count;
	size_t capacity;
};

static void sink_top(struct lanes *lanes)
{
	size_t at = 0;

	for (;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < lanes->count;
		     child++) {
			if (lanes->heap[child].end_ns < lanes->heap[least].end_ns) {
				least = child;
			}
		}
		if (least == at) {
			return;
		}
		const struct lane moved = lanes->heap[at];

		lanes->heap[at] = lanes->heap[least];
		lanes->heap[least] = moved;
		at = least;
	}
}

static void raise_last(struct lanes *lanes)
{
	size_t at = lanes->count - 1;

	while (at > 0 && lanes->heap[at].end_ns < lanes->heap[(at - 1) / 2].end_ns) {
		const struct lane moved = lanes->heap[at];

		lanes->heap[at] = lanes->heap[(at - 1) / 2];
		lanes->heap[(at - 1) / 2] = moved;
		at = (at - 1) / 2;
	}
}

/* Chooses a row for an event of a group. */
static void place(struct ra_pftrace *trace, struct lanes *lanes, struct ra_pftrace_event *event)
{
	const int64_t end_ns = event->dur_ns == RA_PFTRACE_NEVER
	                               ? INT64_MAX
	                               : ra_util_add_time(event->start_ns, event->dur_ns);

	if (lanes->count > 0 && lanes->heap[0].end_ns <= event->start_ns) {
		event->track = lanes->heap[0].track;
		lanes->heap[0].end_ns = end_ns;
		sink_top(lanes);
		return;
	}
	if (lanes->count > 0) {
		event->track = ra_pftrace_add_lane(trace, event->track);
	}
	RA_UTIL_APPEND(lanes->heap, lanes->count, lanes->capacity,
	               (struct lane){ end_ns, event->track });
	raise_last(lanes);
}

static void place_groups(struct ra_pftrace *trace, const struct ra_pftrace_order *order)
{
	const size_t known = trace->track_count;
	struct lanes lanes = { 0 };

	for (size_t row = 0; row < known; row++) {
		lanes.count = 0;
		for (size_t i = order->rows[row];
		     i < order->rows[row + 1] && trace->tracks[row].kind == RA_PFTRACE_SPANS; i++) {
			place(trace, &lanes, &trace->events[order->events[i]]);
		}
	}
	free(lanes.heap);
}

/* ---- order ---- */

static int compare(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_pftrace_event a = ra_pftrace_look(context, left);
	const struct ra_pftrace_event b = ra_pftrace_look(context, right);
	int order = RA_ORDER(a.start_ns, b.start_ns);

	order = RA_ORDER_THEN(
		order, RA_ORDER(ra_pftrace_length_key(a.dur_ns), ra_pftrace_length_key(b.dur_ns)));
	return RA_ORDER_THEN(order, RA_ORDER(a.number, b.number));
}

/* Puts an event on its row. rows[i] is where the next event of row i goes. */
static void put_on_row(struct ra_pftrace_order *order, uint32_t track, uint32_t index)
{
	order->events[order->rows[track]++] = index;
}

static void fill_rows(const struct ra_pftrace *trace, struct ra_pftrace_order *order)
{
	size_t at = 0;

	for (size_t i = 0; i < trace->event_count; i++) {
		order->rows[trace->events[i].track]++;
	}
	for (size_t i = 0; i < trace->redrawn_count; i++) {
		if (trace->redrawn[i] != RA_PFTRACE_NO_ROW) {
			order->rows[trace->redrawn[i]]++;
		}
	}
	for (size_t row = 0; row <= trace->track_count; row++) {
		const size_t count = order->rows[row];

		order->rows[row] = at;
		at += count;
	}
	for (size_t i = 0; i < trace->event_count; i++) {
		put_on_row(order, trace->events[i].track, (uint32_t) i);
	}
	for (size_t i = 0; i < trace->redrawn_count; i++) {
		if (trace->redrawn[i] != RA_PFTRACE_NO_ROW) {
			put_on_row(order, trace->redrawn[i], (uint32_t) i | RA_PFTRACE_REDRAWN);
		}
	}
	/* rows[i] was the end of a row, and becomes its begin */
	for (size_t row = trace->track_count; row > 0; row--) {
		order->rows[row] = order->rows[row - 1];
	}
	order->rows[0] = 0;
}

static void make_order(const struct ra_pftrace *trace, struct ra_pftrace_order *order)
{
	const size_t count = trace->event_count + trace->redrawn_count;

	order->events = ra_alloc_zeros(count + 1, sizeof(*order->events));
	order->rows = ra_alloc_zeros(trace->track_count + 1, sizeof(*order->rows));
	fill_rows(trace, order);
	for (size_t row = 0; row < trace->track_count; row++) {
		ra_run_sort_indices(order->events + order->rows[row],
		                    order->rows[row + 1] - order->rows[row], compare, trace);
	}
}

/* ---- arrows ---- */

/* The slice that began last up to an arrow's end. */
struct place {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t number;
	bool is_known;
};

/* Binds arrows' ends to slices: an end belongs to the slice that began last on its thread. */
struct binding {
	struct ra_pftrace *trace;          /* borrowed */
	struct place *places;              /* owned; by index of the point */
	struct ra_util_sort_entry *points; /* owned; by row, then time */
	size_t *rows;                      /* owned; row i: points[rows[i] … rows[i + 1]) */
};

/* True if Perfetto, when it reads JSON, would see the slice before the arrow's end. Of slices that
 * begin at the time of the end, it sees those with a duration first, and then those written before
 * the end. */
static bool is_begun(const struct ra_pftrace_event *event, const struct ra_pftrace_point *point)
{
	return event->start_ns < point->time_ns ||
	       (event->start_ns == point->time_ns &&
	        (event->dur_ns != 0 || event->number < point->events));
}

static bool is_later(const struct ra_pftrace_event *event, const struct place *at)
{
	const uint64_t length = ra_pftrace_length_key(event->dur_ns);
	const uint64_t other = ra_pftrace_length_key(at->dur_ns);

	if (!at->is_known || event->start_ns != at->start_ns) {
		return !at->is_known || event->start_ns > at->start_ns;
	}
	return length != other ? length > other : event->number > at->number;
}

/* Binds a slice to the first point at which it has begun. A row's points are ordered by time, and
 * then by the number of events drawn before. So a slice that has begun at one point has begun at
 * all later points. */
static void bind_event(struct binding *binding, const struct ra_pftrace_event *event)
{
	struct ra_pftrace *trace = binding->trace;
	const size_t end = binding->rows[event->track + 1];
	struct ra_search at = ra_search_in(binding->rows[event->track], end);

	while (ra_search_next(&at)) {
		ra_search_tell(&at,
		               !is_begun(event, &trace->points[binding->points[at.middle].index]));
	}
	if (at.low < end) {
		struct place *place = &binding->places[binding->points[at.low].index];

		if (is_later(event, place)) {
			*place = (struct place){ event->start_ns, event->dur_ns, event->number,
				                 true };
		}
	}
}

static void sort_points(const struct ra_pftrace *trace, struct ra_util_sort_entry **entries)
{
	const struct ra_pftrace_point *points = trace->points;
	const size_t count = trace->point_count;

	for (size_t i = 0; i < count; i++) {
		(*entries)[i] = (struct ra_util_sort_entry){ .key = points[i].events,
			                                     .index = (uint32_t) i };
	}
	ra_util_sort(entries, count);
	for (size_t i = 0; i < count; i++) {
		(*entries)[i].key = time_key(points[(*entries)[i].index].time_ns);
	}
	ra_util_sort(entries, count);
	for (size_t i = 0; i < count; i++) {
		(*entries)[i].key = points[(*entries)[i].index].track;
	}
	ra_util_sort(entries, count);
}

static void begin_binding(struct binding *binding, struct ra_pftrace *trace)
{
	size_t row = 0;

	*binding = (struct binding){ .trace = trace };
	binding->points = ra_alloc_bytes((trace->point_count + 1) * sizeof(*binding->points));
	binding->places = ra_alloc_zeros(trace->point_count + 1, sizeof(*binding->places));
	binding->rows = ra_alloc_zeros(trace->track_count + 1, sizeof(*binding->rows));
	sort_points(trace, &binding->points);
	for (size_t i = 0; i < trace->point_count; i++) {
		while (row <= trace->points[binding->points[i].index].track) {
			binding->rows[row++] = i;
		}
	}
	while (row <= trace->track_count) {
		binding->rows[row++] = trace->point_count;
	}
	for (size_t i = 0; i < trace->event_count; i++) {
		bind_event(binding, &trace->events[i]);
	}
	for (size_t i = 0; i < trace->redrawn_count; i++) {
		if (trace->redrawn[i] != RA_PFTRACE_NO_ROW) {
			const struct ra_pftrace_event event =
				ra_pftrace_look(trace, (uint32_t) i | RA_PFTRACE_REDRAWN);

			bind_event(binding, &event);
		}
	}
}

/* Carries slices on to later points: a slice that has begun at one point has begun at the next. */
static void spread_places(struct binding *binding)
{
	const struct ra_pftrace *trace = binding->trace;

	for (size_t i = 1; i < trace->point_count; i++) {
		const uint32_t before = binding->points[i - 1].index;
		const uint32_t point = binding->points[i].index;
		const struct place *at = &binding->places[before];
		const struct ra_pftrace_event event = { .start_ns = at->start_ns,
			                                .dur_ns = at->dur_ns,
			                                .number = at->number };

		if (trace->points[before].track == trace->points[point].track && at->is_known &&
		    is_later(&event, &binding->places[point])) {
			binding->places[point] = *at;
		}
	}
}

/* Orders an arrow's ends: starts come first, then steps, then ends. */
static uint64_t rank_of(char phase)
{
	return phase == 's' ? 0 : 1 + (phase == 'f');
}

/* Makes arrows. A start may have several ends; each of them makes an arrow. */
static void join_points(const struct binding *binding)
{
	struct ra_pftrace *trace = binding->trace;
	const struct place *from = NULL;
	uint32_t key = 0;
	uint64_t id = 0;

	for (size_t i = 0; i < trace->point_count; i++) {
		const struct ra_pftrace_point *point = &trace->points[binding->points[i].index];
		const struct place *at = &binding->places[binding->points[i].index];

		if (point->key != key) {
			key = point->key;
			from = NULL;
		}
		if (point->phase != 's' && from != NULL && at->is_known) {
			ra_pftrace_add_arrow(trace, from->number, ++id, false);
			ra_pftrace_add_arrow(trace, at->number, id, true);
		}
		if (point->phase != 'f') {
			from = at->is_known ? at : NULL;
		}
	}
}

/* Sorts by event number. For one event, the arrow found last comes first. */
static void sort_arrows(struct ra_pftrace *trace)
{
	const size_t count = trace->arrow_count;
	struct ra_util_sort_entry *entries = ra_alloc_bytes((count + 1) * sizeof(*entries));
	struct ra_pftrace_arrow *sorted = ra_alloc_bytes((count + 1) * sizeof(*sorted));

	for (size_t i = 0; i < count; i++) {
		entries[i] = (struct ra_util_sort_entry){
			.key = trace->arrows[count - 1 - i].event,
			.index = (uint32_t) (count - 1 - i),
		};
	}
	ra_util_sort(&entries, count);
	for (size_t i = 0; i < count; i++) {
		sorted[i] = trace->arrows[entries[i].index];
	}
	free(entries);
	free(trace->arrows);
	trace->arrows = sorted;
}

static void end_binding(struct binding *binding)
{
	struct ra_pftrace *trace = binding->trace;
	struct ra_util_sort_entry **entries = &binding->points;

	spread_places(binding);
	for (size_t i = 0; i < trace->point_count; i++) {
		(*entries)[i] = (struct ra_util_sort_entry){
			.key = rank_of(trace->points[i].phase),
			.index = (uint32_t) i,
		};
	}
	ra_util_sort(entries, trace->point_count);
	for (size_t i = 0; i < trace->point_count; i++) {
		(*entries)[i].key = time_key(trace->points[(*entries)[i].index].time_ns);
	}
	ra_util_sort(entries, trace->point_count);
	for (size_t i = 0; i < trace->point_count; i++) {
		(*entries)[i].key = trace->points[(*entries)[i].index].key;
	}
	ra_util_sort(entries, trace->point_count);
	join_points(binding);
	free(*entries);
	free(binding->rows);
	free(binding->places);
	free(trace->points);
	trace->points = NULL;
	trace->point_count = 0;
	sort_arrows(trace);
}

void ra_pftrace_bind(struct ra_pftrace *trace)
{
	struct binding binding;

	begin_binding(&binding, trace);
	end_binding(&binding);
}

void ra_pftrace_order_init(struct ra_pftrace_order *order, struct ra_pftrace *trace)
{
	const size_t known = trace->track_count;

	*order = (struct ra_pftrace_order){ 0 };
	make_order(trace, order);
	place_groups(trace, order);
	if (trace->track_count > known) {
		ra_pftrace_order_fini(order);
		make_order(trace, order);
	}
}

void ra_pftrace_order_fini(struct ra_pftrace_order *order)
{
	free(order->events);
	free(order->rows);
	*order = (struct ra_pftrace_order){ 0 };
}
