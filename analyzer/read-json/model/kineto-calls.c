/* SPDX-License-Identifier: MIT */
/* Makes API calls and waits for the GPU from a Chrome trace's events. */
#include "analyzer/read-json/model/kineto-calls.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/read-json/model/kineto-model.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"

static bool is_api(const struct ra_kineto *k, uint32_t i)
{
	return (k->flags[i] & RA_KINETO_HAS_TS) != 0 &&
	       (k->kind[i] == RA_KINETO_RUNTIME || k->kind[i] == RA_KINETO_DRIVER);
}

static bool is_sync(const struct ra_kineto *k, uint32_t i)
{
	return (k->flags[i] & RA_KINETO_HAS_TS) != 0 && k->kind[i] == RA_KINETO_SYNC;
}

size_t ra_kineto_calls_collect(const struct ra_kineto *k,
                               bool (*is_wanted)(const struct ra_kineto *, uint32_t),
                               uint32_t **events)
{
	size_t count = 0;

	for (uint32_t i = 0; i < k->count; i++) {
		count += is_wanted(k, i);
	}
	ra_util_resize(events, count + 1, sizeof(**events));
	count = 0;
	for (uint32_t i = 0; i < k->count; i++) {
		if (is_wanted(k, i)) {
			(*events)[count++] = i;
		}
	}
	return count;
}

uint32_t ra_kineto_calls_clip(int64_t value)
{
	return value < 0 ? 0 : value > UINT32_MAX ? UINT32_MAX : (uint32_t) value;
}

uint32_t ra_kineto_calls_id(const struct ra_kineto *k, uint32_t event, enum ra_kineto_key key,
                            int64_t otherwise)
{
	int64_t value = otherwise == INT64_MIN ? 0 : otherwise;

	ra_kineto_get_int(k, event, key, &value);
	return value < 0 ? UINT32_MAX : ra_kineto_calls_clip(value);
}

static int compare_apis(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_kineto *k = context;
	const uint32_t a = k->threads[ra_kineto_get_thread(k, left)].track;
	const uint32_t b = k->threads[ra_kineto_get_thread(k, right)].track;
	int order = RA_ORDER(a, b);

	order = RA_ORDER_THEN(order, RA_ORDER(ra_kineto_ts(k, left), ra_kineto_ts(k, right)));
	return RA_ORDER_THEN(order, RA_ORDER(ra_kineto_dur(k, right), ra_kineto_dur(k, left)));
}

static void make_apis(struct ra_model *m)
{
	struct ra_kineto *k = m->kineto;
	struct ra_gpu *gpu = &m->gpu;
	const size_t count = ra_kineto_calls_collect(k, is_api, &k->api_event);

	ra_run_sort_indices(k->api_event, count, compare_apis, k);
	gpu->apis = ra_alloc_zeros(count + 1, sizeof(*gpu->apis));
	for (size_t i = 0; i < count; i++) {
		const uint32_t event = k->api_event[i];
		struct ra_gpu_api *api = &gpu->apis[gpu->api_count++];
		struct ra_track *track;
		int64_t result;

		*api = (struct ra_gpu_api){
			.start_ns = ra_kineto_model_start(k, event),
			.dur_ns = ra_kineto_model_dur(k, event),
			.name = k->name[event],
			.track = k->threads[ra_kineto_get_thread(k, event)].track,
			.corr = k->corr[event] == RA_KINETO_NONE ? 0 : k->corr[event],
			.slice = RA_NONE,
			.is_driver = k->kind[event] == RA_KINETO_DRIVER,
		};
		if (ra_kineto_get_int(k, event, RA_KINETO_ARG_RESULT, &result)) {
			api->result = (int32_t) result;
		}
		track = &m->tracks[api->track];
		track->first_ns = api->start_ns < track->first_ns ? api->start_ns : track->first_ns;
		if (api->start_ns + api->dur_ns > track->last_ns) {
			track->last_ns = api->start_ns + api->dur_ns;
			track->end_ns = track->last_ns;
		}
		m->end_ns = track->last_ns > m->end_ns ? track->last_ns : m->end_ns;
	}
}

static int compare_times(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_kineto *k = context;

	return RA_ORDER(ra_kineto_ts(k, left), ra_kineto_ts(k, right));
}

/* CUPTI's number for Kineto's name of a wait. */
static uint8_t read_sync_kind(const struct ra_kineto *k, uint32_t name)
{
	static const char *const names[] = { "Event Sync", "Stream Wait Event", "Stream Sync",
		                             "Context Sync" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (ra_kineto_is_text(k, name, names[i])) {
			return (uint8_t) (i + 1);
		}
	}
	return 0;
}

/* Reads for which recording of an event the wait was, if the trace tells. */
static void read_recording(const struct ra_kineto *k, uint32_t event, struct ra_gpu_sync *sync)
{
	const uint32_t corr =
		ra_kineto_calls_id(k, event, RA_KINETO_ARG_WAIT_RECORD_CORRELATION, 0);
	int64_t stream;

	if (corr != 0 && corr != UINT32_MAX &&
	    ra_kineto_get_int(k, event, RA_KINETO_ARG_WAIT_STREAM, &stream) && stream >= 0) {
		sync->recorded_corr = corr;
		sync->recorded_context = sync->context; /* the trace names only one context */
		sync->recorded_stream = ra_kineto_calls_clip(stream);
	}
}

static void make_syncs(struct ra_model *m)
{
	struct ra_kineto *k = m->kineto;
	struct ra_gpu *gpu = &m->gpu;
	const size_t count = ra_kineto_calls_collect(k, is_sync, &k->sync_event);

	ra_run_sort_indices(k->sync_event, count, compare_times, k);
	gpu->syncs = ra_alloc_zeros(count + 1, sizeof(*gpu->syncs));
	for (size_t i = 0; i < count; i++) {
		const uint32_t event = k->sync_event[i];

		gpu->syncs[gpu->sync_count++] = (struct ra_gpu_sync){
			.start_ns = ra_kineto_model_start(k, event),
			.dur_ns = ra_kineto_model_dur(k, event),
			.corr = k->corr[event] == RA_KINETO_NONE ? 0 : k->corr[event],
			.api = RA_NONE,
			.context = ra_kineto_calls_id(k, event, RA_KINETO_ARG_CONTEXT, 0),
			.stream = ra_kineto_calls_id(k, event, RA_KINETO_ARG_STREAM, -1),
			.event = ra_kineto_calls_id(k, event, RA_KINETO_ARG_WAIT_EVENT_ID, 0),
			.recorded_api = RA_NONE,
			.kind = read_sync_kind(k, k->name[event]),
		};
		read_recording(k, event, &gpu->syncs[gpu->sync_count - 1]);
	}
}

static bool is_overhead(const struct ra_kineto *k, uint32_t i)
{
	return (k->flags[i] & RA_KINETO_HAS_TS) != 0 && k->kind[i] == RA_KINETO_OVERHEAD;
}

/* CUPTI's number for the name of an overhead; 0 for names that CUPTI does not have. */
static uint32_t read_overhead_kind(const struct ra_kineto *k, uint32_t name)
{
	if (ra_kineto_is_text(k, name, ra_gpu_overhead_name(1))) {
		return 1;
	}
	for (uint32_t kind = 1; kind < 16; kind++) {
		if (ra_kineto_is_text(k, name, ra_gpu_overhead_name(kind << 16))) {
			return kind << 16;
		}
	}
	return 0;
}

static void make_overheads(struct ra_model *m)
{
	const struct ra_kineto *k = m->kineto;
	struct ra_gpu *gpu = &m->gpu;
	uint32_t *events = NULL;
	const size_t count = ra_kineto_calls_collect(k, is_overhead, &events);

	ra_run_sort_indices(events, count, compare_times, k);
	gpu->overheads = ra_alloc_zeros(count + 1, sizeof(*gpu->overheads));
	for (size_t i = 0; i < count; i++) {
		gpu->overheads[gpu->overhead_count++] = (struct ra_gpu_overhead){
			.start_ns = ra_kineto_model_start(k, events[i]),
			.dur_ns = ra_kineto_model_dur(k, events[i]),
			.kind = read_overhead_kind(k, k->name[events[i]]),
			.track = k->threads[ra_kineto_get_thread(k, events[i])].track,
			.corr = k->corr[events[i]] == RA_KINETO_NONE ? 0 : k->corr[events[i]],
		};
	}
	free(events);
}

void ra_kineto_calls_build(struct ra_model *model)
{
	make_apis(model);
	make_syncs(model);
	make_overheads(model);
}
