/* SPDX-License-Identifier: MIT */
/*
 * The functions of the stand-in for libcupti.so for several subscribers, of version 13.3 and later.
 * FAKE_CUPTI_SHARE_ERROR=N: it can't be shared. FAKE_CUPTI_MUTE=1: it does not step over records.
 * FAKE_CUPTI_STRANGE_CLOCK=1: somebody has given it a clock. FAKE_CUPTI_MIXED=N: once somebody has
 * called it in the old way while it was shared, it returns N for what is to be switched on (and
 * does not complain of the former).
 */
/* NVIDIA's names and types.
 * NOLINTBEGIN(readability-identifier-naming,readability-non-const-parameter) */
#define _GNU_SOURCE
#include "fake-cupti.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "fake-buffers.h"
#include "fake-strides.h"

#if FAKE_VERSION >= 130300

static int allows_several = 2; /* as the first subscriber said; 2: there is none yet */

static struct fake_subscriber *find(void *subscriber, const char *what)
{
	const uint32_t place = fake_subscribers_find(subscriber);
	char line[100];

	fake_cupti_enter(what);
	if (place == FAKE_SUBSCRIBERS || place == 0) {
		snprintf(line, sizeof(line), "%s of no subscriber, or one of the old way", what);
		fake_complain(line);
		return NULL;
	}
	return &fake_subscribers[place];
}

/* Tells a subscriber that is refused who has CUPTI. */
static void tell_name(const struct rcap_cupti_subscriber_params *params)
{
	for (uint32_t i = 0; params && params->old_name && i < FAKE_SUBSCRIBERS; i++) {
		if (fake_subscribers[i].is_there) {
			snprintf(params->old_name, params->old_bytes, "%s",
			         fake_subscribers[i].name);
		}
	}
}

int cuptiSubscribe_v2(void **subscriber, rcap_cupti_callback_fn *fn, void *user,
                      struct rcap_cupti_subscriber_params *params)
{
	const int several = params && params->is_shared;
	int rc;

	fake_cupti_enter("cuptiSubscribe_v2");
	if (params && params->bytes != sizeof(*params)) {
		return 1;
	}
	rc = fake_cupti_connect();
	if (rc == 0 && several && fake_env("FAKE_CUPTI_SHARE_ERROR") != 0) {
		rc = fake_env("FAKE_CUPTI_SHARE_ERROR");
	}
	if (rc == 0 && fake_subscribers_are_shared() && !(several && allows_several == 1)) {
		rc = RCAP_CUPTI_MULTIPLE_SUBSCRIBERS;
	}
	if (rc == 0) {
		rc = fake_subscribers_add(true, fn, user, params ? params->name : NULL, subscriber);
	}
	if (rc == 0) {
		allows_several = several;
	} else {
		tell_name(params);
	}
	return rc;
}

int cuptiActivityRegisterCallbacks_v2(void *subscriber, rcap_cupti_requested_v2_fn *requested,
                                      rcap_cupti_completed_v2_fn *completed)
{
	struct fake_subscriber *to = find(subscriber, "cuptiActivityRegisterCallbacks_v2");

	if (!to) {
		return 1;
	}
	to->requested_v2 = requested;
	to->completed_v2 = completed;
	return 0;
}

int cuptiActivityEnable_v2(void *subscriber, uint32_t kind, void *config)
{
	struct fake_subscriber *to = find(subscriber, "cuptiActivityEnable_v2");

	(void) config;
	if (kind == RCAP_CUPTI_GRAPH_TRACE) {
		fake_complain("graphs as wholes, which the first subscriber has not asked for");
	}
	fake_calls_lock(); /* as in the old way: until no other thread is with a subscriber */
	fake_calls_unlock();
	if (to && fake_subscribers_is_mixed && fake_env("FAKE_CUPTI_MIXED") != 0) {
		return fake_env("FAKE_CUPTI_MIXED");
	}
	return to ? fake_cupti_enable(to, kind) : 1;
}

int cuptiActivityEnableAndDump_v2(void *subscriber, uint32_t kind, void *config)
{
	struct fake_subscriber *to = find(subscriber, "cuptiActivityEnableAndDump_v2");

	(void) config;
	return to ? fake_cupti_enable_and_dump(to, kind) : 1;
}

int cuptiActivityDisable_v2(void *subscriber, uint32_t kind, void *config)
{
	struct fake_subscriber *to = find(subscriber, "cuptiActivityDisable_v2");

	(void) config;
	if (to) {
		fake_subscribers_disable(to, kind);
	}
	return to ? 0 : 1;
}

int cuptiActivityGetNextRecord_v2(void *subscriber, uint8_t *buffer, size_t valid, void **record)
{
	fake_may_hang("cuptiActivityGetNextRecord_v2");
	if (fake_env("FAKE_CUPTI_MUTE") != 0) {
		return RCAP_CUPTI_NOT_SUPPORTED;
	}
	return fake_subscribers_find(subscriber) < FAKE_SUBSCRIBERS
	               ? fake_buffers_step(buffer, valid, record)
	               : 1;
}

int cuptiActivityGetStructSize(uint32_t kind, uint32_t version, size_t *bytes)
{
	fake_cupti_enter("cuptiActivityGetStructSize");
	*bytes = fake_strides_of(kind);
	return version == FAKE_VERSION && *bytes != 0 ? 0 : 1;
}

int cuptiActivityGetNumDroppedRecords_v2(void *subscriber, void *context, uint32_t stream,
                                         size_t *count)
{
	struct fake_subscriber *to = find(subscriber, "cuptiActivityGetNumDroppedRecords_v2");

	(void) context;
	(void) stream;
	return to ? fake_cupti_take_dropped(to, count) : 1;
}

int cuptiActivitySetAttribute_v2(void *subscriber, uint32_t attribute, size_t *bytes, void *value)
{
	struct fake_subscriber *to = find(subscriber, "cuptiActivitySetAttribute_v2");

	switch (to ? attribute : UINT32_MAX) {
	case RCAP_CUPTI_ATTR_ZEROED_OUT:
		fake_complain("buffers of all subscribers are said to be zero");
		return 0;
	case RCAP_CUPTI_ATTR_LATENCY:
	case RCAP_CUPTI_ATTR_EVENT_TIMES:
		return *bytes == 1 ? 0 : 1;
	case RCAP_CUPTI_ATTR_THREAD_ID_TYPE:
		return *bytes == sizeof(uint32_t) && *(uint8_t *) value == 1 ? 0 : 1;
	default:
		return 1;
	}
}

int cuptiGetTimestamp_v2(void *subscriber, uint64_t *time)
{
	struct fake_subscriber *to = find(subscriber, "cuptiGetTimestamp_v2");

	*time = fake_env("FAKE_CUPTI_STRANGE_CLOCK") != 0 ? 1234567 : fake_buffers_now();
	return to ? 0 : 1;
}

int cuptiActivityEnableRuntimeApi_v2(void *subscriber, uint32_t cbid, uint8_t on)
{
	struct fake_subscriber *to = find(subscriber, "cuptiActivityEnableRuntimeApi_v2");

	if (to) {
		to->runtime_off[cbid] = on == 0;
	}
	return to ? 0 : 1;
}

/* A call can't be on while its kind is not. */
int cuptiActivityEnableDriverApi_v2(void *subscriber, uint32_t cbid, uint8_t on)
{
	struct fake_subscriber *to = find(subscriber, "cuptiActivityEnableDriverApi_v2");

	if (to && (to->enabled >> RCAP_CUPTI_DRIVER & 1) != 0) {
		to->driver_on[cbid] = on != 0;
	}
	return to ? 0 : 1;
}

#endif
/* NOLINTEND(readability-identifier-naming,readability-non-const-parameter) */
