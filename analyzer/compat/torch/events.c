/* SPDX-License-Identifier: MIT */
/* Makes the events of torch.profiler's table from Kineto's events, as torch does. */
#include "analyzer/compat/torch/events.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/order/search.h"
#include "analyzer/compat/torch/memory.h"

struct making {
	struct ra_torch_events *events;
	struct ra_torch_rows rows; /* rows of the trace that become events */
	struct ra_torch_memory memory;
	uint32_t *links; /* owned: events that name an operator, sorted by External id, then row */
	size_t link_count;
	struct ra_util_map by_tid; /* number of a tid → the first thread that had it */
	struct ra_util_map last;   /* thread → the innermost event that is open on it */
};

/* True for names for which torch makes no event. */
static bool is_dropped(struct rlog_string name)
{
	static const char *const dropped[] = {
		"[memory]",
		"[OutOfMemory]",
		"profiler::_record_function_enter",
		"profiler::_record_function_enter_new",
		"profiler::_record_function_exit",
		"aten::is_leaf",
		"aten::output_nr",
		"aten::_version",
	};

	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++) {
		if (ra_util_string_is(name, dropped[i])) {
			return true;
		}
	}
	return false;
}

bool ra_torch_events_is_step(struct rlog_string name)
{
	static const char head[] = "ProfilerStep#";
	const size_t length = sizeof(head) - 1;

	return name.length >= length && memcmp(name.bytes, head, length) == 0;
}

/* Finds the thread of an event. torch identifies threads by tid alone, and "5" equals 5. */
static uint32_t find_thread(struct making *making, uint32_t index)
{
	const struct ra_kineto_thread *t = &making->events->kineto->threads[index];
	uint32_t first;

	if (t->tid_number == INT64_MIN) {
		return index;
	}
	first = ra_util_map_find(&making->by_tid, (uint64_t) t->tid_number);
	if (first != RA_UTIL_MAP_NONE) {
		return first;
	}
	ra_util_map_put(&making->by_tid, (uint64_t) t->tid_number, index);
	return index;
}

uint32_t ra_torch_events_name(const struct ra_torch_events *events,
                              const struct ra_torch_event *event)
{
	const struct ra_kineto *k = events->kineto;
	const uint32_t name = k->name[event->row];

	return ra_torch_events_is_step(k->strings[name]) ? events->step_name : name;
}

static void add_rows(struct making *making)
{
	const struct ra_kineto *k = making->events->kineto;
	const uint8_t needed = RA_KINETO_HAS_TS | RA_KINETO_HAS_DUR;

	for (uint32_t i = 0; i < k->count; i++) {
		if (ra_torch_events_side(k, i) != 0 && (k->flags[i] & needed) == needed &&
		    !is_dropped(k->strings[k->name[i]])) {
			ra_torch_memory_add_row(&making->rows, i);
		}
	}
}

/* Times that differ by more ns than this also differ as doubles in µs. */
#define SURELY_APART_NS 4096

static int compare_rows(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_kineto *k = context;
	const int64_t apart = ra_kineto_ts(k, left) / 2 - ra_kineto_ts(k, right) / 2;
	double a;
	double b;

	if (apart <= -SURELY_APART_NS || apart >= SURELY_APART_NS) {
		return apart < 0 ? -1 : 1;
	}
	a = ra_torch_events_start(k, left);
	b = ra_torch_events_start(k, right);
	if (a != b) {
		return a < b ? -1 : 1;
	}
	a = ra_torch_events_end(k, left);
	b = ra_torch_events_end(k, right);
	return a > b ? -1 : a < b;
}

/* Makes the events, in torch's order. */
static void make_events(struct making *making)
{
	struct ra_torch_events *events = making->events;
	const struct ra_kineto *k = events->kineto;

	ra_run_sort_indices(making->rows.rows, making->rows.count, compare_rows, k);
	events->count = making->rows.count;
	events->rows = ra_alloc_bytes((events->count + 1) * sizeof(*events->rows));
	for (size_t i = 0; i < events->count; i++) {
		struct ra_torch_event *event = &events->rows[i];

		*event = (struct ra_torch_event){
			.row = making->rows.rows[i],
			.parent = RA_TORCH_NO_EVENT,
			.next = RA_TORCH_NO_EVENT,
		};
		event->thread = find_thread(making, ra_kineto_get_thread(k, event->row));
	}
	free(making->rows.rows);
	making->rows = (struct ra_torch_rows){ 0 };
}

/* Returns the External id by which an event names its operator; 0 if it names none. */
static uint32_t find_operator(const struct ra_kineto *k, uint32_t row)
{
	switch (k->kind[row]) {
	case RA_KINETO_CPU_OP:
	case RA_KINETO_USER_ANNOTATION:
	case RA_KINETO_GPU_USER_ANNOTATION:
	case RA_KINETO_MEMORY:
		return 0;
	default:
		return k->external[row] == RA_KINETO_NONE ? 0 : k->external[row];
	}
}

/* Returns the id by which other events name an event: an operator's External id, else the event's
 * correlation. */
static uint32_t find_own_id(const struct ra_kineto *k, uint32_t row)
{
	const bool is_operator =
		k->kind[row] == RA_KINETO_CPU_OP || k->kind[row] == RA_KINETO_USER_ANNOTATION;
	const uint32_t id = is_operator ? k->external[row] : k->corr[row];

	return id == RA_KINETO_NONE || k->kind[row] == RA_KINETO_MEMORY ? 0 : id;
}

static int compare_links(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_torch_events *events = context;
	const uint32_t a = events->rows[left].row;
	const uint32_t b = events->rows[right].row;
	const uint32_t a_id = find_operator(events->kineto, a);
	const uint32_t b_id = find_operator(events->kineto, b);

	return RA_ORDER_THEN(RA_ORDER(a_id, b_id), RA_ORDER(a, b));
}

static void find_links(struct making *making)
{
	const struct ra_torch_events *events = making->events;

	for (size_t i = 0; i < events->count; i++) {
		making->link_count += find_operator(events->kineto, events->rows[i].row) != 0;
	}
	making->links = ra_alloc_bytes((making->link_count + 1) * sizeof(*making->links));
	for (size_t i = 0, count = 0; i < events->count; i++) {
		if (find_operator(events->kineto, events->rows[i].row) != 0) {
			making->links[count++] = (uint32_t) i;
		}
	}
	ra_run_sort_indices(making->links, making->link_count, compare_links, events);
}

/* Returns the External id of a link. */
static uint32_t find_link_id(const struct making *making, size_t link)
{
	const struct ra_torch_events *events = making->events;

	return find_operator(events->kineto, events->rows[making->links[link]].row);
}

/* Finds where the links of an id begin. If the id has none, returns link_count or the place of
 * another id. */
static size_t find_link(const struct making *making, uint32_t id)
{
	struct ra_search at = ra_search_in(0, making->link_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, find_link_id(making, at.middle) < id);
	}
	return at.low;
}

/* Sums the device work among the links of an id, in order, and counts the links. */
static double sum_links(const struct making *making, size_t first, uint32_t *count)
{
	const struct ra_torch_events *events = making->events;
	const uint32_t id = find_link_id(making, first);
	double sum_us = 0;
	size_t l = first;

	for (; l < making->link_count && find_link_id(making, l) == id; l++) {
		const uint32_t row = events->rows[making->links[l]].row;

		if (ra_torch_events_side(events->kineto, row) == 2) {
			sum_us += ra_torch_events_length(events->kineto, row);
		}
	}
	*count = (uint32_t) (l - first);
	return sum_us;
}

/* Data shared by the links of an id, stored at the first of them. */
struct shared {
	double device_us;
	uint32_t count;  /* number of links; 0: not computed yet */
	uint32_t thread; /* thread of the last event with the id */
};

/*
 * Assigns device work to the event that it names, if that event does not itself name an operator.
 * Calls that name an event are on its thread. If several events have the id, they are on the last
 * one's thread.
 */
static void assign_kernels(struct making *making)
{
	struct ra_torch_events *events = making->events;
	struct shared *shared = ra_alloc_zeros(making->link_count + 1, sizeof(*shared));

	for (size_t i = 0; i < events->count; i++) {
		struct ra_torch_event *event = &events->rows[i];
		const uint32_t id = find_own_id(events->kineto, event->row);
		size_t first;

		if (id == 0 || ra_torch_events_side(events->kineto, event->row) == 2 ||
		    find_operator(events->kineto, event->row) != 0) {
			continue;
		}
		first = find_link(making, id);
		if (first == making->link_count || find_link_id(making, first) != id) {
			continue;
		}
		if (shared[first].count == 0) {
			shared[first].device_us = sum_links(making, first, &shared[first].count);
		}
		event->device_us = shared[first].device_us;
		shared[first].thread = event->thread;
	}
	for (size_t first = 0; first < making->link_count; first++) {
		for (size_t l = first; l < first + shared[first].count; l++) {
			struct ra_torch_event *linked = &events->rows[making->links[l]];

			if (ra_torch_events_side(events->kineto, linked->row) != 2) {
				linked->thread = shared[first].thread;
			}
		}
	}
	free(shared);
}

/* Finds the parent of each event. An open event is not the parent if it ends before the event ends,
 * or before the event begins. */
static void find_parents(struct making *making)
{
	struct ra_torch_events *events = making->events;

	for (size_t i = 0; i < events->count; i++) {
		struct ra_torch_event *event = &events->rows[i];
		const double start_us = ra_torch_events_start(events->kineto, event->row);
		const double end_us = ra_torch_events_end(events->kineto, event->row);
		uint32_t top;

		if (ra_torch_events_side(events->kineto, event->row) == 2) {
			continue;
		}
		top = ra_util_map_find(&making->last, event->thread);
		while (top != RA_TORCH_NO_EVENT) {
			const double top_us =
				ra_torch_events_end(events->kineto, events->rows[top].row);

			if (start_us < top_us && end_us <= top_us) {
				break;
			}
			top = events->rows[top].parent;
		}
		event->parent = top;
		ra_util_map_put(&making->last, event->thread, (uint32_t) i);
	}
}

/* Makes the lists of children, in their order. */
static void list_children(struct ra_torch_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		events->rows[i].first_child = RA_TORCH_NO_EVENT;
	}
	for (size_t i = events->count; i-- > 0;) {
		const uint32_t parent = events->rows[i].parent;

		if (parent != RA_TORCH_NO_EVENT) {
			events->rows[i].next = events->rows[parent].first_child;
			events->rows[parent].first_child = (uint32_t) i;
		}
	}
}

/*
 * If an only child has its parent's name, it replaces the parent, whose own kernels are dropped.
 * Children come after their parents, so one pass handles whole chains.
 */
static void remove_duplicates(struct ra_torch_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		struct ra_torch_event *event = &events->rows[i];
		struct ra_torch_event *parent;

		if (event->parent == RA_TORCH_NO_EVENT) {
			continue;
		}
		parent = &events->rows[event->parent];
		if (parent->first_child != i || event->next != RA_TORCH_NO_EVENT ||
		    ra_torch_events_name(events, parent) != ra_torch_events_name(events, event)) {
			continue;
		}
		parent->device_us = event->device_us;
		parent->first_child = event->first_child;
		for (uint32_t c = event->first_child; c != RA_TORCH_NO_EVENT;
		     c = events->rows[c].next) {
			events->rows[c].parent = event->parent;
		}
		event->parent = (uint32_t) i;
	}
}

struct ra_torch_children ra_torch_events_sum_children(const struct ra_torch_events *events,
                                                      const struct ra_torch_event *event)
{
	struct ra_torch_children sum = { 0 };

	for (uint32_t c = event->first_child; c != RA_TORCH_NO_EVENT; c = events->rows[c].next) {
		const struct ra_torch_event *child = &events->rows[c];

		sum.cpu_us += ra_torch_events_length(events->kineto, child->row);
		sum.device_us += child->device_us;
		if (events->bytes != NULL) {
			sum.cpu_bytes = ra_util_add_wrapped(sum.cpu_bytes, events->bytes[c].cpu);
			sum.gpu_bytes = ra_util_add_wrapped(sum.gpu_bytes, events->bytes[c].gpu);
		}
	}
	return sum;
}

/* Adds kernels to device totals, children first. */
static void sum_devices(struct ra_torch_events *events)
{
	for (size_t i = events->count; i-- > 0;) {
		struct ra_torch_event *event = &events->rows[i];

		if (ra_torch_events_side(events->kineto, event->row) == 2) {
			event->device_us = ra_torch_events_length(events->kineto, event->row);
		} else {
			event->device_us += ra_torch_events_sum_children(events, event).device_us;
		}
	}
}

void ra_torch_events_init(struct ra_torch_events *events, const struct ra_kineto *kineto)
{
	struct making making = { .events = events };

	*events = (struct ra_torch_events){
		.kineto = kineto,
		.step_name = (uint32_t) kineto->string_count,
	};
	add_rows(&making);
	ra_torch_memory_init(&making.memory, kineto);
	ra_torch_memory_add_lone(&making.memory, kineto, &making.rows);
	make_events(&making);
	ra_torch_memory_assign(&making.memory, events);
	find_links(&making);
	assign_kernels(&making);
	find_parents(&making);
	list_children(events);
	remove_duplicates(events);
	sum_devices(events);
	free(making.rows.rows);
	ra_torch_memory_fini(&making.memory);
	free(making.links);
	ra_util_map_free(&making.by_tid);
	ra_util_map_free(&making.last);
}

void ra_torch_events_fini(struct ra_torch_events *events)
{
	free(events->rows);
	free(events->bytes);
	*events = (struct ra_torch_events){ 0 };
}
