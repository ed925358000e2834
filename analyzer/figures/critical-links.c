/* SPDX-License-Identifier: MIT */
/* Finds the operations that operations and calls had to wait for, as far as the model says. */
#include "analyzer/figures/critical-links.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"

/* struct ra_gpu_sync */
enum {
	SYNC_EVENT = 1,
	SYNC_STREAM_WAITS = 2,
	SYNC_STREAM = 3
};

#define MEMORY_PAGEABLE 1

/* Values in path->waits: below this, a queue; from this on, a queue that names its device; from
 * twice this on, an operation. */
#define WAIT_SCOPE 0x40000000u

/* To find an operation that was launched before a wait for an event, at most this many are
 * searched. */
#define MOST_TRIES 64

static int64_t op_end(const struct ra_gpu_op *op)
{
	return ra_util_add_time(op->start_ns, op->dur_ns);
}

static void find_devices(struct ra_critical_path *path)
{
	const struct ra_gpu *gpu = &path->model->gpu;
	uint32_t first = 0;

	for (uint32_t q = 0; q < gpu->queue_count; q++) {
		first = gpu->queues[first].device == gpu->queues[q].device ? first : q;
		path->devices[q].first = first;
	}
	for (size_t q = gpu->queue_count; q-- > 0;) {
		path->devices[q].end = q + 1 < gpu->queue_count && path->devices[q + 1].first ==
		                                                           path->devices[q].first
		                               ? path->devices[q + 1].end
		                               : (uint32_t) q + 1;
	}
}

/* Sorts by_end by queue or by device, then by end. */
static void fill_buckets(const struct ra_critical_path *path, bool by_device, uint32_t *out)
{
	const struct ra_gpu *gpu = &path->model->gpu;
	size_t *next = ra_alloc_bytes((gpu->queue_count + 1) * sizeof(*next));

	memcpy(next, path->queue_first, (gpu->queue_count + 1) * sizeof(*next));
	for (size_t i = 0; i < path->queue_first[gpu->queue_count]; i++) {
		const uint32_t queue = gpu->ops[path->by_end[i]].queue;

		out[next[by_device ? path->devices[queue].first : queue]++] = path->by_end[i];
	}
	free(next);
}

/* Fills by_end and queue_first with operations of positive duration. */
static void sort_ends(struct ra_critical_path *path)
{
	const struct ra_gpu *gpu = &path->model->gpu;
	struct ra_util_sort_entry *entries = ra_alloc_bytes((gpu->op_count + 1) * sizeof(*entries));
	size_t count = 0;

	for (uint32_t i = 0; i < gpu->op_count; i++) {
		if (op_end(&gpu->ops[i]) > gpu->ops[i].start_ns) {
			/* Maps signed times to unsigned ones in the same order. */
			entries[count++] = (struct ra_util_sort_entry){
				(uint64_t) op_end(&gpu->ops[i]) ^ UINT64_C(1) << 63, i, 0
			};
			path->queue_first[gpu->ops[i].queue + 1]++;
		}
	}
	for (size_t q = 0; q < gpu->queue_count; q++) {
		path->queue_first[q + 1] += path->queue_first[q];
	}
	ra_util_sort(&entries, count);
	for (size_t i = 0; i < count; i++) {
		path->by_end[i] = entries[i].index;
	}
	free(entries);
}

/* Finds one queue of each context's stream, and one of each context. */
static void map_queues(const struct ra_gpu *gpu, struct ra_util_map *streams,
                       struct ra_util_map *contexts)
{
	for (uint32_t q = 0; q < gpu->queue_count; q++) {
		const struct ra_gpu_queue *queue = &gpu->queues[q];

		ra_util_map_put(streams, (uint64_t) queue->context << 32 | queue->stream, q);
		ra_util_map_put(contexts, queue->context, q);
	}
}

static uint32_t find_queue(const struct ra_util_map *streams, uint32_t context, uint32_t stream)
{
	return ra_util_map_find(streams, (uint64_t) context << 32 | stream);
}

/* Returns when an operation was launched. If its call is not known, this is the latest possible
 * time. */
static int64_t launched(const struct ra_gpu *gpu, const struct ra_gpu_op *op)
{
	return op->api != RA_NONE ? gpu->apis[op->api].start_ns : op->start_ns;
}

/* Finds the last operation that was launched in an event's stream before the event was recorded. */
static uint32_t find_recorded(const struct ra_critical_path *path, const struct ra_gpu_sync *sync,
                              const struct ra_util_map *streams)
{
	const struct ra_gpu *gpu = &path->model->gpu;
	const uint32_t queue = find_queue(streams, sync->recorded_context, sync->recorded_stream);
	struct ra_search at;

	if (queue == RA_UTIL_MAP_NONE) {
		return RA_NONE;
	}
	at = ra_search_in(path->queue_first[queue], path->queue_first[queue + 1]);
	while (ra_search_next(&at)) {
		ra_search_tell(&at, launched(gpu, &gpu->ops[path->by_queue[at.middle]]) <
		                            gpu->apis[sync->recorded_api].start_ns);
	}
	return at.low > path->queue_first[queue] ? path->by_queue[at.low - 1] : RA_NONE;
}

static void note_sync(struct ra_critical_path *path, const struct ra_gpu_sync *sync,
                      const struct ra_util_map *streams, const struct ra_util_map *contexts)
{
	const uint32_t queue = find_queue(streams, sync->context, sync->stream);
	const uint32_t of_context = ra_util_map_find(contexts, sync->context);
	const bool is_known = sync->recorded_api != RA_NONE;
	const uint32_t op = is_known ? find_recorded(path, sync, streams) : RA_NONE;

	if (sync->api == RA_NONE) {
		return;
	}
	if (sync->kind == SYNC_STREAM_WAITS) {
		if (queue != RA_UTIL_MAP_NONE) {
			path->events[path->event_count++] = (struct ra_critical_event){
				queue, op, is_known, path->model->gpu.apis[sync->api].start_ns
			};
		}
	} else if (sync->kind == SYNC_EVENT && is_known) {
		path->waits[sync->api] =
			op < WAIT_SCOPE ? 2 * WAIT_SCOPE + op : RA_CRITICAL_NO_WAIT;
	} else if (queue < WAIT_SCOPE && sync->kind == SYNC_STREAM) {
		path->waits[sync->api] = queue;
	} else if (of_context < WAIT_SCOPE) {
		path->waits[sync->api] = WAIT_SCOPE + of_context;
	} else {
		path->waits[sync->api] = RA_CRITICAL_WAIT_ALL;
	}
}

/* Finds calls that wait, by their names. A record of the wait, if there is one, says more. */
static void note_names(struct ra_critical_path *path)
{
	const struct ra_gpu *gpu = &path->model->gpu;

	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct rlog_string name = ra_model_string(path->model, gpu->apis[i].name);

		path->waits[i] = ra_util_string_has(name, "Synchronize") ? RA_CRITICAL_WAIT_ALL
		                                                         : RA_CRITICAL_NO_WAIT;
	}
	for (uint32_t i = 0; i < gpu->op_count && i < WAIT_SCOPE; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->api == RA_NONE || (op->kind != RA_GPU_COPY && op->kind != RA_GPU_SET)) {
			continue;
		}
		if (op->src_memory == MEMORY_PAGEABLE || op->dst_memory == MEMORY_PAGEABLE ||
		    !ra_util_string_has(ra_model_string(path->model, gpu->apis[op->api].name),
		                        "Async")) {
			path->waits[op->api] = 2 * WAIT_SCOPE + i;
		}
	}
}

static int compare_events(const void *left, const void *right)
{
	const struct ra_critical_event *a = left;
	const struct ra_critical_event *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, queue), RA_ORDER_UP(a, b, call_ns));
}

static void note_waits(struct ra_critical_path *path)
{
	const struct ra_gpu *gpu = &path->model->gpu;
	struct ra_util_map streams = { 0 };
	struct ra_util_map contexts = { 0 };

	map_queues(gpu, &streams, &contexts);
	note_names(path);
	for (size_t i = 0; i < gpu->sync_count; i++) {
		note_sync(path, &gpu->syncs[i], &streams, &contexts);
	}
	RA_SORT(path->events, path->event_count, compare_events);
	ra_util_map_free(&streams);
	ra_util_map_free(&contexts);
}

void ra_critical_links_init(struct ra_critical_path *path)
{
	const struct ra_gpu *gpu = &path->model->gpu;

	path->by_queue = ra_alloc_zeros(gpu->op_count + 1, sizeof(*path->by_queue));
	path->by_device = ra_alloc_zeros(gpu->op_count + 1, sizeof(*path->by_device));
	path->by_end = ra_alloc_zeros(gpu->op_count + 1, sizeof(*path->by_end));
	path->queue_first = ra_alloc_zeros(gpu->queue_count + 1, sizeof(*path->queue_first));
	path->devices = ra_alloc_zeros(gpu->queue_count + 1, sizeof(*path->devices));
	path->waits = ra_alloc_zeros(gpu->api_count + 1, sizeof(*path->waits));
	path->events = ra_alloc_zeros(gpu->sync_count + 1, sizeof(*path->events));
	find_devices(path);
	sort_ends(path);
	fill_buckets(path, false, path->by_queue);
	fill_buckets(path, true, path->by_device);
	note_waits(path);
}

/* Finds the first of the ends [low, high) that is later than a time. */
static size_t find_end(const struct ra_gpu *gpu, const uint32_t *ops, size_t low, size_t high,
                       int64_t by_ns)
{
	struct ra_search at = ra_search_in(low, high);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, op_end(&gpu->ops[ops[at.middle]]) <= by_ns);
	}
	return at.low;
}

/* Returns the list of a scope, and the part of the list that has the operations of one queue or
 * device. */
static const uint32_t *find_scope(const struct ra_critical_path *path, enum ra_critical_scope scope,
                                  uint32_t queue, size_t *first, size_t *end)
{
	*first = 0;
	*end = path->queue_first[path->model->gpu.queue_count];
	if (scope == RA_CRITICAL_OF_ALL) {
		return path->by_end;
	}
	if (scope == RA_CRITICAL_OF_DEVICE) {
		*first = path->queue_first[path->devices[queue].first];
		*end = path->queue_first[path->devices[queue].end];
		return path->by_device;
	}
	*first = path->queue_first[queue];
	*end = path->queue_first[queue + 1];
	return path->by_queue;
}

uint32_t ra_critical_links_ended(const struct ra_critical_path *path, enum ra_critical_scope scope,
                                 uint32_t queue, int64_t by_ns)
{
	size_t first;
	size_t end;
	const uint32_t *ops = find_scope(path, scope, queue, &first, &end);
	const size_t at = find_end(&path->model->gpu, ops, first, end, by_ns);

	return at > first ? ops[at - 1] : RA_NONE;
}

uint32_t ra_critical_links_awaited(const struct ra_critical_path *path, uint32_t api, int64_t by_ns)
{
	const struct ra_gpu *gpu = &path->model->gpu;
	const uint32_t wait = path->waits[api];
	uint32_t op;

	if (wait == RA_CRITICAL_NO_WAIT) {
		return RA_NONE;
	}
	if (wait == RA_CRITICAL_WAIT_ALL) {
		op = ra_critical_links_ended(path, RA_CRITICAL_OF_ALL, 0, by_ns);
	} else if (wait >= 2 * WAIT_SCOPE) {
		op = wait - 2 * WAIT_SCOPE;
	} else if (wait >= WAIT_SCOPE) {
		op = ra_critical_links_ended(path, RA_CRITICAL_OF_DEVICE, wait - WAIT_SCOPE, by_ns);
	} else {
		op = ra_critical_links_ended(path, RA_CRITICAL_OF_QUEUE, wait, by_ns);
	}
	return op != RA_NONE && op_end(&gpu->ops[op]) > gpu->ops[op].start_ns &&
	                       op_end(&gpu->ops[op]) <= by_ns &&
	                       op_end(&gpu->ops[op]) > gpu->apis[api].start_ns
	               ? op
	               : RA_NONE;
}

/* Finds the place after the last call that began by a time and made this queue wait. If no call
 * made the queue wait, the place is after the calls of an earlier queue. */
static size_t find_event(const struct ra_critical_path *path, uint32_t queue, int64_t by_ns)
{
	struct ra_search at = ra_search_in(0, path->event_count);

	while (ra_search_next(&at)) {
		const struct ra_critical_event *event = &path->events[at.middle];

		ra_search_tell(&at, event->queue < queue ||
		                            (event->queue == queue && event->call_ns <= by_ns));
	}
	return at.low;
}

/*
 * Finds the operation that ended last among those whose events the stream waited for since
 * `since_ns`.
 *
 * @end: the end of these waits in the list. @is_known: false if one of these waits does not name
 * its event.
 */
static uint32_t find_last_recorded(const struct ra_critical_path *path,
                                   const struct ra_gpu_op *waits, size_t end, int64_t since_ns,
                                   bool *is_known)
{
	const struct ra_gpu *gpu = &path->model->gpu;
	uint32_t last = RA_NONE;

	*is_known = true;
	for (size_t i = end; i > 0 && end - i < MOST_TRIES; i--) {
		const struct ra_critical_event *event = &path->events[i - 1];
		const struct ra_gpu_op *op = event->op == RA_NONE ? NULL : &gpu->ops[event->op];

		if (event->queue != waits->queue || event->call_ns < since_ns) {
			break;
		}
		*is_known &= event->is_known;
		if (op != NULL && op->queue != waits->queue && op_end(op) <= waits->start_ns &&
		    (last == RA_NONE || op_end(op) > op_end(&gpu->ops[last]))) {
			last = event->op;
		}
	}
	return last;
}

/* Finds the operation that ended last among the operations that were launched on the device's other
 * streams before a call. */
static uint32_t find_last_launched(const struct ra_critical_path *path,
                                   const struct ra_gpu_op *waits, uint32_t before, int64_t call_ns)
{
	const struct ra_gpu *gpu = &path->model->gpu;
	size_t first;
	size_t at;
	const uint32_t *ops = find_scope(path, RA_CRITICAL_OF_DEVICE, waits->queue, &first, &at);

	at = find_end(gpu, ops, first, at, waits->start_ns);
	for (int i = 0; i < MOST_TRIES && at > first && ops[at - 1] != before; i++, at--) {
		const struct ra_gpu_op *other = &gpu->ops[ops[at - 1]];

		if (other->queue != waits->queue && other->api != RA_NONE &&
		    gpu->apis[other->api].start_ns < call_ns) {
			return ops[at - 1];
		}
	}
	return RA_NONE;
}

uint32_t ra_critical_links_event(const struct ra_critical_path *path, uint32_t op, uint32_t before)
{
	const struct ra_gpu *gpu = &path->model->gpu;
	const struct ra_gpu_op *waits = &gpu->ops[op];
	int64_t since_ns = INT64_MIN;
	uint32_t last;
	bool is_known;
	size_t end;

	if (waits->api == RA_NONE) {
		return RA_NONE;
	}
	if (before != RA_NONE && gpu->ops[before].api != RA_NONE) {
		since_ns = gpu->apis[gpu->ops[before].api].start_ns;
	}
	end = find_event(path, waits->queue, gpu->apis[waits->api].start_ns);
	if (end == 0 || path->events[end - 1].queue != waits->queue ||
	    path->events[end - 1].call_ns < since_ns) {
		return RA_NONE;
	}
	last = find_last_recorded(path, waits, end, since_ns, &is_known);
	return last != RA_NONE || is_known
	               ? last
	               : find_last_launched(path, waits, before, path->events[end - 1].call_ns);
}
