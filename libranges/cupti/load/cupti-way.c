/* SPDX-License-Identifier: MIT */
/* Calls CUPTI in the way it was subscribed: alone, or as one subscriber of several. */
#include "libranges/cupti/load/cupti-way.h"

#include <stdatomic.h>

#include "libranges/cupti/load/cupti-load.h"
#include "libranges/cupti/load/cupti-status.h"

/* Written before any call of CUPTI. Constant afterwards. */
static struct {
	void *subscriber; /* our subscriber, one of several; NULL: we are the only one */
	rcap_cupti_requested_fn *requested;
	rcap_cupti_completed_fn *completed;
} way;

void rcap_cupti_way_choose(void *subscriber)
{
	way.subscriber = subscriber;
}

bool rcap_cupti_way_is_shared(void)
{
	return way.subscriber != NULL;
}

/* Reports if CUPTI is shared and another profiler has begun to use it in the old way. NVIDIA's
 * guide says that the calls of both then fail. Return: `rc`. */
static int look_for_old_way(int rc)
{
	static _Atomic bool has_told;

	/* Relaxed: any thread may be first. */
	if ((rc == RCAP_CUPTI_MULTIPLE_SUBSCRIBERS || rc == RCAP_CUPTI_NOT_COMPATIBLE) &&
	    !atomic_exchange_explicit(&has_told, true, memory_order_relaxed)) {
		rcap_cupti_status_add(rc,
		                      "another profiler subscribed to CUPTI later without sharing "
		                      "it: GPU data may be missing from there on (%s)",
		                      rcap_cupti_load_explain(rc));
	}
	return rc;
}

static void request(uint8_t **buffer, size_t *bytes, size_t *max_records, const void *info)
{
	(void) info;
	way.requested(buffer, bytes, max_records);
}

static void complete(uint8_t *buffer, size_t bytes, size_t valid_bytes, const void *info)
{
	(void) info;
	way.completed(NULL, 0, buffer, bytes, valid_bytes);
}

int rcap_cupti_way_register(rcap_cupti_requested_fn *requested, rcap_cupti_completed_fn *completed)
{
	if (!way.subscriber) {
		return rcap_cupti.register_callbacks(requested, completed);
	}
	way.requested = requested;
	way.completed = completed;
	return rcap_cupti.register_callbacks_v2(way.subscriber, request, complete);
}

int rcap_cupti_way_enable(uint32_t kind, bool also_old)
{
	if (!way.subscriber) {
		return also_old && rcap_cupti.enable_and_dump ? rcap_cupti.enable_and_dump(kind)
		                                              : rcap_cupti.enable(kind);
	}
	/* Passes no configuration, so that records are the same as in the old way. */
	return look_for_old_way(also_old && rcap_cupti.enable_and_dump_v2
	                                ? rcap_cupti.enable_and_dump_v2(way.subscriber, kind, NULL)
	                                : rcap_cupti.enable_v2(way.subscriber, kind, NULL));
}

int rcap_cupti_way_disable(uint32_t kind)
{
	return way.subscriber ? rcap_cupti.disable_v2(way.subscriber, kind, NULL)
	                      : rcap_cupti.disable(kind);
}

int rcap_cupti_way_get_dropped(size_t *count)
{
	if (!way.subscriber) {
		return rcap_cupti.get_dropped(NULL, 0, count);
	}
	return rcap_cupti.get_dropped_v2
	               ? look_for_old_way(rcap_cupti.get_dropped_v2(way.subscriber, NULL, 0, count))
	               : RCAP_CUPTI_NOT_SUPPORTED;
}

static int set(uint32_t attribute, void *value, size_t bytes)
{
	return way.subscriber
	               ? rcap_cupti.set_attribute_v2(way.subscriber, attribute, &bytes, value)
	               : rcap_cupti.set_attribute(attribute, &bytes, value);
}

int rcap_cupti_way_set_zeroed(void)
{
	uint8_t yes = 1;

	/* No document says that this setting affects only our subscriber. The buffers of others
	 * need not be zero. So this is left unset, and CUPTI zeroes our buffers, which takes some
	 * 20 ns a record. */
	return way.subscriber ? RCAP_CUPTI_SUCCESS
	                      : set(RCAP_CUPTI_ATTR_ZEROED_OUT, &yes, sizeof(yes));
}

int rcap_cupti_way_set_tids(void)
{
	uint32_t type = RCAP_CUPTI_THREAD_ID_SYSTEM;

	if (way.subscriber) {
		return set(RCAP_CUPTI_ATTR_THREAD_ID_TYPE, &type, sizeof(type));
	}
	return rcap_cupti.set_thread_id_type ? rcap_cupti.set_thread_id_type(type)
	                                     : RCAP_CUPTI_NOT_SUPPORTED;
}

int rcap_cupti_way_set_clock(rcap_cupti_time_fn *now)
{
	return way.subscriber || !rcap_cupti.register_time ? RCAP_CUPTI_NOT_SUPPORTED
	                                                   : rcap_cupti.register_time(now);
}

int rcap_cupti_way_set_latency(void)
{
	uint8_t yes = 1;

	if (way.subscriber) {
		return set(RCAP_CUPTI_ATTR_LATENCY, &yes, sizeof(yes));
	}
	return rcap_cupti.enable_latency ? rcap_cupti.enable_latency(1) : RCAP_CUPTI_SUCCESS;
}

int rcap_cupti_way_set_event_times(void)
{
	uint8_t yes = 1;

	if (way.subscriber) {
		return set(RCAP_CUPTI_ATTR_EVENT_TIMES, &yes, sizeof(yes));
	}
	return rcap_cupti.enable_event_times ? rcap_cupti.enable_event_times(1)
	                                     : RCAP_CUPTI_SUCCESS;
}

bool rcap_cupti_way_can_switch(uint32_t domain)
{
	if (way.subscriber) {
		return domain == RCAP_CUPTI_DOMAIN_DRIVER
		               ? rcap_cupti.enable_driver_api_v2 != NULL
		               : rcap_cupti.enable_runtime_api_v2 != NULL;
	}
	return domain == RCAP_CUPTI_DOMAIN_DRIVER ? rcap_cupti.enable_driver_api != NULL
	                                          : rcap_cupti.enable_runtime_api != NULL;
}

int rcap_cupti_way_switch(uint32_t domain, uint32_t cbid, bool on)
{
	if (way.subscriber) {
		return domain == RCAP_CUPTI_DOMAIN_DRIVER
		               ? rcap_cupti.enable_driver_api_v2(way.subscriber, cbid, on)
		               : rcap_cupti.enable_runtime_api_v2(way.subscriber, cbid, on);
	}
	return domain == RCAP_CUPTI_DOMAIN_DRIVER ? rcap_cupti.enable_driver_api(cbid, on)
	                                          : rcap_cupti.enable_runtime_api(cbid, on);
}
