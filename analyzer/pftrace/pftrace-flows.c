/* SPDX-License-Identifier: MIT */
/* The order in which a trace is written, and the slices that its arrows join. */
#include "analyzer/pftrace/pftrace-flows.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/search.h"
#include "analyzer/base/util-sort.h"
#include "analyzer/base/util.h"

/* Numbers of events as keys have the order of their times. */
static uint64_t time_key(int64_t time_ns)
{
	return (uint64_t) time_ns ^ UINT64_C(1) << 63;
}

/* ---- rows for what overlaps ---- */

/* The rows of one name, the one that is free first on top. */
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

/* Gives an event of a group its row. */
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

static void place_groups(struct ra_pftrace *trace, const struct ra_util_sort_entry *entries)
{
	const size_t known = trace->track_count;
	struct lanes lanes = { 0 };
	uint32_t group = UINT32_MAX;

	for (size_t i = 0; i < trace->event_count; i++) {
		struct ra_pftrace_event *event = &trace->events[entries[i].index];

		if (trace->tracks[event->track].kind != RA_PFTRACE_SPANS || event->track >= known) {
			continue;
		}
		if (event->track != group) {
			group = event->track;
			lanes.count = 0;
		}
		place(trace, &lanes, event);
	}
	free(lanes.heap);
}

/* ---- order ---- */

static void sort_by_track(struct ra_pftrace *trace, struct ra_util_sort_entry **entries)
{
	for (size_t i = 0; i < trace->event_count; i++) {
		(*entries)[i].key = trace->events[(*entries)[i].index].track;
	}
	ra_util_sort(entries, trace->event_count);
}

static void sort_events(struct ra_pftrace *trace, struct ra_util_sort_entry **entries)
{
	const size_t count = trace->event_count;

	for (size_t i = 0; i < count; i++) {
		const int64_t dur_ns = trace->events[i].dur_ns;

		(*entries)[i] = (struct ra_util_sort_entry){
			.key = dur_ns == RA_PFTRACE_NEVER ? 0 : ~(uint64_t) dur_ns,
			.index = (uint32_t) i,
		};
	}
	ra_util_sort(entries, count);
	for (size_t i = 0; i < count; i++) {
		(*entries)[i].key = time_key(trace->events[(*entries)[i].index].start_ns);
	}
	ra_util_sort(entries, count);
	sort_by_track(trace, entries);
	place_groups(trace, *entries);
	sort_by_track(trace, entries);
}

static void fill_order(const struct ra_pftrace *trace, struct ra_pftrace_order *order,
                       const struct ra_util_sort_entry *entries)
{
	size_t row = 0;

	for (size_t i = 0; i < trace->event_count; i++) {
		const uint32_t track = trace->events[entries[i].index].track;

		order->events[i] = entries[i].index;
		while (row <= track) {
			order->rows[row++] = i;
		}
	}
	while (row <= trace->track_count) {
		order->rows[row++] = trace->event_count;
	}
}

/* ---- arrows ---- */

/* True if Perfetto, reading JSON, has taken a slice before an end: of what begins with that, what
 * lasts, and what was written before it. */
static bool is_begun(const struct ra_pftrace *trace, uint32_t slice,
                     const struct ra_pftrace_point *point)
{
	const struct ra_pftrace_event *event = &trace->events[slice];

	return event->start_ns < point->time_ns ||
	       (event->start_ns == point->time_ns && (event->dur_ns != 0 || slice < point->events));
}

/* The slice that began last on its row. Return: its index, UINT32_MAX if there is none. */
static uint32_t find_slice(const struct ra_pftrace *trace, const struct ra_pftrace_order *order,
                           const struct ra_pftrace_point *point)
{
	const size_t first = order->rows[point->track];
	struct ra_search at = ra_search_in(first, order->rows[point->track + 1]);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, is_begun(trace, order->events[at.middle], point));
	}
	return at.low > first ? order->events[at.low - 1] : UINT32_MAX;
}

/* Of one arrow's ends those that start it come first, then those between, then ends. */
static uint64_t rank_of(char phase)
{
	return phase == 's' ? 0 : 1 + (phase == 'f');
}

/* One start may have several ends: each is an arrow. */
static void join_points(struct ra_pftrace *trace, const struct ra_pftrace_order *order,
                        const struct ra_util_sort_entry *entries)
{
	uint32_t key = 0;
	uint32_t from = UINT32_MAX;
	uint64_t id = 0;

	for (size_t i = 0; i < trace->point_count; i++) {
		const struct ra_pftrace_point *point = &trace->points[entries[i].index];
		const uint32_t slice = find_slice(trace, order, point);

		if (point->key != key) {
			key = point->key;
			from = UINT32_MAX;
		}
		if (point->phase != 's' && from != UINT32_MAX && slice != UINT32_MAX) {
			ra_pftrace_add_arrow(trace, from, ++id, false);
			ra_pftrace_add_arrow(trace, slice, id, true);
		}
		if (point->phase != 'f') {
			from = slice;
		}
	}
}

static void make_arrows(struct ra_pftrace *trace, const struct ra_pftrace_order *order)
{
	struct ra_util_sort_entry *entries =
		ra_alloc_bytes((trace->point_count + 1) * sizeof(*entries));

	for (size_t i = 0; i < trace->point_count; i++) {
		entries[i] = (struct ra_util_sort_entry){
			.key = rank_of(trace->points[i].phase),
			.index = (uint32_t) i,
		};
	}
	ra_util_sort(&entries, trace->point_count);
	for (size_t i = 0; i < trace->point_count; i++) {
		entries[i].key = time_key(trace->points[entries[i].index].time_ns);
	}
	ra_util_sort(&entries, trace->point_count);
	for (size_t i = 0; i < trace->point_count; i++) {
		entries[i].key = trace->points[entries[i].index].key;
	}
	ra_util_sort(&entries, trace->point_count);
	join_points(trace, order, entries);
	free(entries);
}

void ra_pftrace_order_init(struct ra_pftrace_order *order, struct ra_pftrace *trace)
{
	struct ra_util_sort_entry *entries =
		ra_alloc_bytes((trace->event_count + 1) * sizeof(*entries));

	*order = (struct ra_pftrace_order){ 0 };
	sort_events(trace, &entries);
	order->events = ra_alloc_zeros(trace->event_count + 1, sizeof(*order->events));
	order->rows = ra_alloc_zeros(trace->track_count + 1, sizeof(*order->rows));
	fill_order(trace, order, entries);
	make_arrows(trace, order);
	free(entries);
}

void ra_pftrace_order_fini(struct ra_pftrace_order *order)
{
	free(order->events);
	free(order->rows);
	*order = (struct ra_pftrace_order){ 0 };
}
