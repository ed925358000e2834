/* SPDX-License-Identifier: MIT */
/* HTA's critical path: adds the edges between GPU operations, their calls, and waits for
 * operations. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/compat/hta/critical/critical-impl.h"
#include "analyzer/compat/hta/streams.h"
#include "analyzer/base/order/numpy-sort.h"
#include "analyzer/base/util.h"

/* HTA assumes that operations further apart than this (µs) do not wait for each other. */
#define LONGEST_GAP_US 1500

/* An operation or wait, with the queue lengths when it was launched and when it began; -1:
 * unknown. */
struct item {
	uint32_t row;
	double queued_launch;
	double queued;
};

struct stream {
	int64_t stream;
	uint32_t last; /* the node at the end of its last operation */
};

struct gpu {
	struct ra_hta_critical_build *build;
	struct ra_hta_critical_events events;
	struct item *items; /* owned; in HTA's order */
	size_t count;
	size_t capacity;
	struct stream *streams; /* owned; in the order of their first operations */
	size_t stream_count;
	size_t stream_capacity;
	struct ra_util_map stream_index;
	struct ra_util_map waits_for; /* event of an operation → the operation of another stream for
	                                 which it waits; 0: it does not wait any more */
};

static bool is_category(const struct ra_hta_full *rank, const struct ra_hta_row *row,
                        const char *text)
{
	const struct ra_kineto *k = rank->kineto;

	return ra_kineto_is_text(k, k->categories[ra_kineto_get_category(k, row->event)].name,
	                         text);
}

/* Changes of queue lengths, as a list for each row. */
struct changes {
	struct ra_hta_changes all;
	uint32_t *first; /* owned: for each row, its first change */
	uint32_t *next;  /* owned: for each change, the next one of the row */
};

static void index_changes(struct changes *changes, const struct ra_hta_full *rank)
{
	ra_hta_streams_changes(&changes->all, rank->rank);
	changes->first = ra_alloc_bytes(rank->count * sizeof(*changes->first) + 1);
	changes->next = ra_alloc_bytes(changes->all.count * sizeof(*changes->next) + 1);
	for (size_t r = 0; r < rank->count; r++) {
		changes->first[r] = RA_NONE;
	}
	for (size_t i = changes->all.count; i-- > 0;) {
		const uint32_t row = rank->row_at[changes->all.changes[i].at];

		changes->next[i] = changes->first[row];
		changes->first[row] = (uint32_t) i;
	}
}

static double length_of(const struct changes *changes, uint32_t change)
{
	return change == RA_NONE ? -1 : changes->all.changes[change].length;
}

/* Adds items as a join of tables does: if a call or operation changes several queues, the row gets
 * an item for each pair of changes. */
static void join(struct gpu *gpu, const struct changes *changes, uint32_t row)
{
	const struct ra_hta_full *rank = gpu->build->rank;
	const struct ra_hta_row *launch = ra_hta_full_find(rank, rank->rows[row].partner);
	uint32_t at = launch == NULL ? RA_NONE : changes->first[launch - rank->rows];

	do {
		uint32_t own = changes->first[row];

		do {
			const struct item item = { row, length_of(changes, at),
				                   length_of(changes, own) };

			if (gpu->count > 4 * rank->count) {
				gpu->build->out->failure = "calls launch too much at once";
				return;
			}
			RA_UTIL_APPEND(gpu->items, gpu->count, gpu->capacity, item);
			own = own == RA_NONE ? RA_NONE : changes->next[own];
		} while (own != RA_NONE);
		at = at == RA_NONE ? RA_NONE : changes->next[at];
	} while (at != RA_NONE);
}

/* Sorts operations by start and waits by end. Equal times are in numpy's order. */
static void sort_items(struct gpu *gpu)
{
	const struct ra_hta_full *rank = gpu->build->rank;
	double *values = ra_alloc_bytes(gpu->count * sizeof(*values) + 1);
	uint32_t *order = ra_alloc_bytes(gpu->count * sizeof(*order) + 1);
	struct item *sorted = ra_alloc_bytes(gpu->count * sizeof(*sorted) + 1);

	for (size_t i = 0; i < gpu->count; i++) {
		const struct ra_hta_row *row = &rank->rows[gpu->items[i].row];

		values[i] = row->ts_us + (is_category(rank, row, "cuda_sync") ? row->dur_us : 0);
	}
	ra_numpy_sort_order(order, values, gpu->count);
	for (size_t i = 0; i < gpu->count; i++) {
		sorted[i] = gpu->items[order[i]];
	}
	free(gpu->items);
	gpu->items = sorted;
	gpu->capacity = gpu->count;
	free(values);
	free(order);
}

static void find_items(struct gpu *gpu)
{
	static const char *const waits[] = { "Event Sync", "Context Sync", NULL };
	const struct ra_hta_critical_build *build = gpu->build;
	struct changes changes = { 0 };

	index_changes(&changes, build->rank);
	if (changes.all.count == 0) {
		build->out->failure = "no call launched anything";
	} else if (!changes.all.is_even) {
		build->out->failure = "calls and what they launched do not match";
	}
	for (size_t i = 0; i < build->kept_count; i++) {
		const struct ra_hta_row *row = &build->rank->rows[build->kept[i]];

		if (row->partner >= 0 &&
		    (row->stream != -1 || ra_hta_full_is_named(build->rank, row, waits))) {
			join(gpu, &changes, build->kept[i]);
		}
	}
	free(changes.all.changes);
	free(changes.first);
	free(changes.next);
	sort_items(gpu);
}

static struct stream *find_stream(const struct gpu *gpu, int64_t stream)
{
	const uint32_t place = ra_util_map_find(&gpu->stream_index, (uint64_t) stream);

	return place == RA_UTIL_MAP_NONE ? NULL : &gpu->streams[place];
}

static void set_last(struct gpu *gpu, int64_t number, uint32_t node)
{
	struct stream *stream = find_stream(gpu, number);

	if (stream != NULL) {
		stream->last = node;
		return;
	}
	ra_util_map_put(&gpu->stream_index, (uint64_t) number, (uint32_t) gpu->stream_count);
	RA_UTIL_APPEND(gpu->streams, gpu->stream_count, gpu->stream_capacity,
	               (struct stream){ number, node });
}

/* Finds the node at an event's start or end; RA_NONE if it has none. */
static uint32_t find_node(const struct gpu *gpu, int64_t event, bool is_start)
{
	const struct ra_hta_row *row = ra_hta_full_find(gpu->build->rank, event);
	const uint32_t *nodes = is_start ? gpu->build->start : gpu->build->end;

	return row == NULL ? RA_NONE : nodes[row - gpu->build->rank->rows];
}

/* Adds an edge: the waiting call ends when the operation at `from` has ended. */
static void link_wait(struct gpu *gpu, uint32_t from, int64_t call)
{
	const uint32_t to = find_node(gpu, call, false);

	if (from != RA_NONE && to != RA_NONE) {
		ra_hta_critical_link(gpu->build, from, to, RA_CRITICAL_SYNC, false, RA_NONE);
	}
}

/* Adds the wait of a stream or of the host for a CUDA event. It is a wait for the last operation
 * launched before the event was recorded. */
static void add_event_wait(struct gpu *gpu, const struct ra_hta_row *row, bool is_of_stream)
{
	const struct ra_hta_full *rank = gpu->build->rank;
	const struct ra_hta_row *launch;
	int64_t corr = -1;
	uint32_t found;

	(void) ra_kineto_get_int(rank->kineto, row->event, RA_KINETO_ARG_WAIT_RECORD_CORRELATION,
	                         &corr);
	found = ra_util_map_find(&gpu->events.record_launch, (uint64_t) corr);
	if (found == RA_UTIL_MAP_NONE) {
		return;
	}
	launch = &rank->rows[found];
	if (!is_of_stream) {
		link_wait(gpu, find_node(gpu, launch->partner, false), row->partner);
		return;
	}
	found = row->partner < 0
	                ? RA_UTIL_MAP_NONE
	                : ra_util_map_find(&gpu->events.wait_launch, (uint64_t) row->partner);
	if (found == RA_UTIL_MAP_NONE) {
		gpu->build->out->failure = "the call that made a stream wait is not there";
		return;
	}
	/* If the call itself was found, there is no launch after it. */
	if (rank->rows[found].event != (uint32_t) row->partner) {
		ra_util_map_put(&gpu->waits_for, (uint64_t) rank->rows[found].partner,
		                (uint32_t) launch->partner);
	}
}

static void add_wait(struct gpu *gpu, const struct ra_hta_row *row)
{
	static const char *const stream_event[] = { "Stream Wait Event", NULL };
	static const char *const event[] = { "Event Sync", NULL };
	static const char *const stream[] = { "Stream Sync", NULL };
	static const char *const context[] = { "Context Sync", NULL };
	const struct ra_hta_full *rank = gpu->build->rank;

	if (ra_hta_full_is_named(rank, row, stream_event)) {
		add_event_wait(gpu, row, true);
		return;
	}
	if (ra_hta_full_is_named(rank, row, event)) {
		add_event_wait(gpu, row, false);
		return;
	}
	if (ra_hta_full_is_named(rank, row, stream)) {
		const struct stream *of = find_stream(gpu, row->stream);

		if (of != NULL) {
			link_wait(gpu, of->last, row->partner);
		}
		return;
	}
	if (!ra_hta_full_is_named(rank, row, context)) {
		gpu->build->out->failure = "a wait is of no kind that HTA knows";
	}
	for (size_t s = 0; s < gpu->stream_count && gpu->build->out->failure == NULL; s++) {
		link_wait(gpu, gpu->streams[s].last, row->partner);
	}
}

/* The ends of the work for which an operation may have waited. */
struct before {
	uint32_t last; /* node at the end of the operation before it on its stream; RA_NONE: there
	                  is none */
	uint32_t sync; /* node at the end of the operation of another stream for which it waits;
	                  RA_NONE: there is none */
	double launch_us;
	double last_us;
	double sync_us;
};

static bool is_launched_late(const struct item *item, const struct before *before)
{
	return item->queued_launch == 1 && item->queued == 0 &&
	       (before->last == RA_NONE || before->last_us < before->launch_us) &&
	       (before->sync == RA_NONE || before->sync_us < before->launch_us);
}

static bool follows(const struct before *before, double start_us)
{
	return before->last != RA_NONE && start_us - before->last_us < LONGEST_GAP_US &&
	       (before->sync == RA_NONE || before->sync_us < before->last_us);
}

/* Finds what the operation may have waited for, and adds the wait for another stream. */
static void find_before(struct gpu *gpu, const struct ra_hta_row *row,
                        const struct ra_hta_row *call, struct before *before)
{
	const struct ra_hta_critical_node *nodes = gpu->build->out->nodes;
	const struct stream *stream = find_stream(gpu, row->stream);
	const uint32_t waits_for = ra_util_map_find(&gpu->waits_for, row->event);

	*before = (struct before){ stream == NULL ? RA_NONE : stream->last, RA_NONE, call->ts_us, 0,
		                   0 };
	if (before->last != RA_NONE) {
		before->last_us = nodes[before->last].ts_us;
	}
	if (waits_for != RA_UTIL_MAP_NONE && waits_for != 0) {
		before->sync = find_node(gpu, waits_for, false);
		ra_util_map_put(&gpu->waits_for, row->event, 0);
	}
	if (before->sync != RA_NONE) {
		before->sync_us = nodes[before->sync].ts_us;
		ra_hta_critical_link(gpu->build, before->sync, find_node(gpu, row->event, true),
		                     RA_CRITICAL_SYNC, false, RA_NONE);
	}
}

static void add_operation(struct gpu *gpu, const struct item *item)
{
	struct ra_hta_critical_build *build = gpu->build;
	const struct ra_hta_row *row = &build->rank->rows[item->row];
	const struct ra_hta_row *call = ra_hta_full_find(build->rank, row->partner);
	const uint32_t start = build->start[item->row];
	const uint32_t end = build->end[item->row];
	uint32_t call_start;
	bool is_late;
	struct before before;

	if (start == RA_NONE || end == RA_NONE) {
		return;
	}
	if (call == NULL) {
		build->out->failure = "the call of an operation is not there";
		return;
	}
	ra_hta_critical_link(build, start, end, RA_CRITICAL_WORK, false, item->row);
	find_before(gpu, row, call, &before);
	call_start = build->start[call - build->rank->rows];
	is_late = is_launched_late(item, &before);
	if (is_late && call_start == RA_NONE) {
		build->out->failure = "an operation was launched by no call of CUDA's";
		return;
	}
	if (is_late) {
		ra_hta_critical_link(build, call_start, start, RA_CRITICAL_LAUNCH, false, RA_NONE);
	} else if (follows(&before, build->out->nodes[start].ts_us)) {
		ra_hta_critical_link(build, before.last, start, RA_CRITICAL_KERNEL, false,
		                     build->out->nodes[before.last].row);
	}
	if (!is_late && build->setup->has_launch_edges && call_start != RA_NONE) {
		ra_hta_critical_link(build, call_start, start, RA_CRITICAL_LAUNCH, true, RA_NONE);
	}
	set_last(gpu, row->stream, end);
}

void ra_hta_critical_gpu_add(struct ra_hta_critical_build *build)
{
	struct gpu gpu = { .build = build };

	ra_hta_critical_events_find(&gpu.events, build);
	find_items(&gpu);
	for (size_t i = 0; i < gpu.count && build->out->failure == NULL; i++) {
		const struct ra_hta_row *row = &build->rank->rows[gpu.items[i].row];

		if (is_category(build->rank, row, "cuda_sync")) {
			add_wait(&gpu, row);
		} else {
			add_operation(&gpu, &gpu.items[i]);
		}
	}
	ra_hta_critical_events_fini(&gpu.events);
	free(gpu.items);
	free(gpu.streams);
	ra_util_map_free(&gpu.stream_index);
	ra_util_map_free(&gpu.waits_for);
}
