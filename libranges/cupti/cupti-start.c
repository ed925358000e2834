/* SPDX-License-Identifier: MIT */
/* Claims the loaded CUPTI and switches on what is wanted; off again at the end. */
#include "libranges/cupti/cupti-start.h"

#include <stdatomic.h>

#include "libranges/base/clock.h"
#include "libranges/cupti/cupti-defs.h"
#include "libranges/cupti/cupti-kinds.h"
#include "libranges/cupti/cupti-load.h"
#include "libranges/cupti/cupti-status.h"
#include "libranges/base/log.h"

#define MAX_CBID 2048u
/* This many numbers without a name end the list of functions. */
#define MAX_GAP 64u

/*
 * In the order in which they are switched on: what describes comes before what refers to it, and
 * calls last, so that no launch is known whose work is not.
 */
static const struct {
	uint32_t kind;
	unsigned needs;    /* bits of enum rcap_cupti_kinds */
	unsigned excludes; /* likewise */
} kinds_wanted[] = {
	{ RCAP_CUPTI_DEVICE, 0, 0 },
	{ RCAP_CUPTI_CONTEXT, 0, 0 },
	{ RCAP_CUPTI_STREAM, 0, 0 },
	{ RCAP_CUPTI_OVERHEAD, 0, 0 },
	{ RCAP_CUPTI_JIT, 0, 0 },
	{ RCAP_CUPTI_GRAPH_TRACE, 0, RCAP_CUPTI_WITH_NODES },
	{ RCAP_CUPTI_MEMCPY, 0, 0 },
	{ RCAP_CUPTI_MEMCPY2, 0, 0 },
	{ RCAP_CUPTI_MEMSET, 0, 0 },
	{ RCAP_CUPTI_SYNCHRONIZATION, 0, 0 },
	{ RCAP_CUPTI_CUDA_EVENT, RCAP_CUPTI_WITH_EVENTS, 0 },
	{ RCAP_CUPTI_MEMORY2, RCAP_CUPTI_WITH_MEMORY, 0 },
	{ RCAP_CUPTI_EXTERNAL, RCAP_CUPTI_WITH_EXTERNAL, 0 },
	{ RCAP_CUPTI_CONCURRENT_KERNEL, 0, 0 },
	{ RCAP_CUPTI_DRIVER, RCAP_CUPTI_WITH_DRIVER, 0 },
	{ RCAP_CUPTI_RUNTIME, 0, 0 },
};

#define KIND_COUNT (sizeof(kinds_wanted) / sizeof(kinds_wanted[0]))

static _Atomic uint64_t enabled; /* bit per kind */

/* Says in a line what failed. Return: true if it did not. */
static bool check(int result, const char *what)
{
	if (result == 0) {
		return true;
	}
	rcap_cupti_status_add(result, "%s: %s", what, rcap_cupti_load_explain(result));
	return false;
}

bool rcap_cupti_start_claim(struct rcap_cupti_start *start,
                            const struct rcap_cupti_start_callbacks *callbacks)
{
	const int rc = rcap_cupti.subscribe(&start->subscriber, callbacks->event, NULL);

	switch (rc) {
	case RCAP_CUPTI_SUCCESS:
		break;
	case RCAP_CUPTI_MULTIPLE_SUBSCRIBERS:
	case RCAP_CUPTI_MAX_LIMIT_REACHED:
		rcap_cupti_status_add(
			rc, "no GPU data: another profiler uses CUPTI in this process (%s)",
			rcap_cupti_load_explain(rc));
		return false;
	case RCAP_CUPTI_INSUFFICIENT_PRIVILEGES:
		rcap_cupti_status_add(rc, "no GPU data: this user may not trace the GPU (%s)",
		                      rcap_cupti_load_explain(rc));
		return false;
	default:
		rcap_cupti_status_add(rc, "no GPU data: CUPTI finds no usable driver (%s)",
		                      rcap_cupti_load_explain(rc));
		return false;
	}
	start->has_tids = rcap_cupti.set_thread_id_type &&
	                  check(rcap_cupti.set_thread_id_type(RCAP_CUPTI_THREAD_ID_SYSTEM),
	                        "calls are of unknown threads: OS thread ids");
	/* Once in a process, and before anything is enabled: doing it again damages records. */
	start->is_monotonic = rcap_cupti.version >= RCAP_CUPTI_VERSION_11_6 &&
	                      rcap_cupti.register_time &&
	                      check(rcap_cupti.register_time(rcap_clock_mono_ns),
	                            "times are the system's: timestamp callback");
	return true;
}

/* Leaves the functions out that are not wanted, where the library can do that. */
static void filter_calls(uint32_t domain, int (*enable_api)(uint32_t cbid, uint8_t on))
{
	uint32_t gap = 0;

	for (uint32_t cbid = 1; enable_api && cbid < MAX_CBID && gap < MAX_GAP; cbid++) {
		const char *name = NULL;

		if (rcap_cupti.get_callback_name(domain, cbid, &name) != 0 || !name) {
			gap++;
			continue;
		}
		gap = 0;
		if (!rcap_cupti_defs_is_wanted(domain, name)) {
			/* What can't be left out here is when it comes. */
			(void) enable_api(cbid, 0);
		}
	}
}

static void set_attribute(uint32_t attribute, void *value, size_t bytes)
{
	/* Older libraries know fewer attributes. They do without. */
	(void) rcap_cupti.set_attribute(attribute, &bytes, value);
}

static void enable_kind(uint32_t kind, bool is_late)
{
	char what[64];
	int rc;

	if (rcap_cupti.stride[kind] == 0) {
		return; /* newer than the library */
	}
	if (is_late && rcap_cupti.enable_and_dump &&
	    (kind == RCAP_CUPTI_DEVICE || kind == RCAP_CUPTI_CONTEXT ||
	     kind == RCAP_CUPTI_STREAM)) {
		rc = rcap_cupti.enable_and_dump(kind);
	} else {
		rc = rcap_cupti.enable(kind);
	}
	rcap_log_format(what, sizeof(what), "records of kind %u", kind);
	if (check(rc, what)) {
		/* Relaxed: read at the end of the program. */
		atomic_fetch_or_explicit(&enabled, UINT64_C(1) << kind, memory_order_relaxed);
	}
}

void rcap_cupti_start_enable(const struct rcap_cupti_start *start, unsigned kinds, bool is_late,
                             const struct rcap_cupti_start_callbacks *callbacks)
{
	uint8_t yes = 1;

	set_attribute(RCAP_CUPTI_ATTR_ZEROED_OUT, &yes, sizeof(yes));
	if ((kinds & RCAP_CUPTI_WITH_LATENCY) && rcap_cupti.enable_latency) {
		check(rcap_cupti.enable_latency(1), "latency of launches");
	}
	if (!check(rcap_cupti.register_callbacks(callbacks->requested, callbacks->completed),
	           "no GPU data: callbacks for buffers")) {
		return;
	}
	for (size_t i = 0; i < KIND_COUNT; i++) {
		if ((kinds_wanted[i].needs & ~kinds) == 0 &&
		    (kinds_wanted[i].excludes & kinds) == 0) {
			enable_kind(kinds_wanted[i].kind, is_late);
		}
	}
	if ((kinds & RCAP_CUPTI_WITH_EVENTS) && rcap_cupti.enable_event_times) {
		check(rcap_cupti.enable_event_times(1), "times of events");
	}
	filter_calls(RCAP_CUPTI_DOMAIN_RUNTIME, rcap_cupti.enable_runtime_api);
	if (kinds & RCAP_CUPTI_WITH_DRIVER) {
		filter_calls(RCAP_CUPTI_DOMAIN_DRIVER, rcap_cupti.enable_driver_api);
	}
	(void) rcap_cupti.enable_callback(1, start->subscriber, RCAP_CUPTI_DOMAIN_RESOURCE,
	                                  RCAP_CUPTI_RESOURCE_INIT_FINISHED);
	(void) rcap_cupti.enable_callback(1, start->subscriber, RCAP_CUPTI_DOMAIN_STATE,
	                                  RCAP_CUPTI_STATE_FATAL_ERROR);
}

/* Each by itself: older libraries and some machines do not have them all. */
void rcap_cupti_start_ready(unsigned kinds)
{
	static const uint32_t counters[] = { RCAP_CUPTI_COUNTER_TO_DEVICE,
		                             RCAP_CUPTI_COUNTER_TO_HOST,
		                             RCAP_CUPTI_COUNTER_CPU_FAULT,
		                             RCAP_CUPTI_COUNTER_GPU_FAULT,
		                             RCAP_CUPTI_COUNTER_BETWEEN_DEVICES };
	int rc = RCAP_CUPTI_UNKNOWN;
	bool has_some = false;

	/* Relaxed: there is one thread that starts, and one callback. */
	if (!(kinds & RCAP_CUPTI_WITH_UNIFIED) ||
	    (atomic_load_explicit(&enabled, memory_order_relaxed) >> RCAP_CUPTI_UNIFIED_MEMORY &
	     1)) {
		return;
	}
	for (size_t i = 0;
	     rcap_cupti.configure_unified && i < sizeof(counters) / sizeof(counters[0]); i++) {
		const struct rcap_cupti_unified_config config = {
			.scope = RCAP_CUPTI_SCOPE_ALL_DEVICES, .counter = counters[i], .is_on = 1
		};
		const int result = rcap_cupti.configure_unified(&config, 1);

		has_some |= result == 0;
		rc = i == 0 ? result : rc;
	}
	if (has_some || check(rc, "counters of unified memory")) {
		enable_kind(RCAP_CUPTI_UNIFIED_MEMORY, false);
	}
}

void rcap_cupti_start_disable(void)
{
	const uint64_t kinds = atomic_exchange_explicit(&enabled, 0, memory_order_relaxed);

	for (uint32_t kind = 0; kind < RCAP_CUPTI_KINDS; kind++) {
		if (kinds >> kind & 1) {
			(void) rcap_cupti.disable(kind);
		}
	}
}
