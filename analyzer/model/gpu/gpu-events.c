/* SPDX-License-Identifier: MIT */
/* Finds the recording of a CUDA event that a wait was for. */
#include "analyzer/model/gpu/gpu-events.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"

#define KIND_EVENT        1
#define KIND_STREAM_WAITS 2

void ra_gpu_events_fini(struct ra_gpu_events *events)
{
	free(events->recordings);
	*events = (struct ra_gpu_events){ 0 };
}

void ra_gpu_events_add(struct ra_gpu_events *events, const struct ra_gpu_recording *recording)
{
	RA_UTIL_APPEND(events->recordings, events->count, events->capacity, *recording);
}

static int compare_sync_ids(const void *left, const void *right)
{
	const struct ra_gpu_recording *a = left;
	const struct ra_gpu_recording *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, sync_id), RA_ORDER_UP(a, b, corr));
}

static int compare_events(const void *left, const void *right)
{
	const struct ra_gpu_recording *a = left;
	const struct ra_gpu_recording *b = right;
	int order = RA_ORDER_UP(a, b, context);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, event));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, corr));
}

static void note(struct ra_gpu_sync *sync, const struct ra_gpu_recording *recording)
{
	sync->recorded_corr = recording->corr;
	sync->recorded_context = recording->context;
	sync->recorded_stream = recording->stream;
}

/* Needs the recordings in the order of sync_id. */
static void find_by_sync_id(const struct ra_gpu_events *events, struct ra_gpu_sync *sync)
{
	struct ra_search at = ra_search_in(0, events->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, events->recordings[at.middle].sync_id < sync->sync_id);
	}
	if (at.low < events->count && events->recordings[at.low].sync_id == sync->sync_id) {
		note(sync, &events->recordings[at.low]);
	}
}

/* Needs the recordings in the order of context, event, correlation. */
static void find_by_event(const struct ra_gpu_events *events, struct ra_gpu_sync *sync)
{
	const struct ra_gpu_recording key = { .event = sync->event,
		                              .context = sync->context,
		                              .corr = sync->corr };
	struct ra_search at = ra_search_in(0, events->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, compare_events(&events->recordings[at.middle], &key) < 0);
	}
	if (at.low > 0 && events->recordings[at.low - 1].context == key.context &&
	    events->recordings[at.low - 1].event == key.event) {
		note(sync, &events->recordings[at.low - 1]);
	}
}

static void find_all(struct ra_gpu_events *events, struct ra_gpu *gpu, bool by_sync_id)
{
	if (events->count == 0) {
		return;
	}
	RA_SORT(events->recordings, events->count, by_sync_id ? compare_sync_ids : compare_events);
	for (size_t i = 0; i < gpu->sync_count; i++) {
		struct ra_gpu_sync *sync = &gpu->syncs[i];

		if ((sync->kind != KIND_EVENT && sync->kind != KIND_STREAM_WAITS) ||
		    (sync->sync_id != 0) != by_sync_id) {
			continue;
		}
		if (by_sync_id) {
			find_by_sync_id(events, sync);
		} else {
			find_by_event(events, sync);
		}
	}
}

void ra_gpu_events_find(struct ra_gpu_events *events, struct ra_gpu *gpu)
{
	find_all(events, gpu, true);
	find_all(events, gpu, false);
}
