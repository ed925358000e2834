/* SPDX-License-Identifier: MIT */
/* Switches CUPTI on and off as the program and the capture require. */
#include "libranges/cupti/cupti-start.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "libranges/base/clock.h"
#include "libranges/cupti/records/cupti-aside.h"
#include "libranges/cupti/records/cupti-buffers.h"
#include "libranges/cupti/load/cupti-calls.h"
#include "libranges/cupti/cupti-enable.h"
#include "libranges/cupti/records/cupti-flow.h"
#include "libranges/cupti/records/cupti-graphs.h"
#include "libranges/settings/cupti-kinds.h"
#include "libranges/cupti/load/cupti-load.h"
#include "libranges/cupti/records/cupti-nodes.h"
#include "libranges/cupti/load/cupti-status.h"
#include "libranges/cupti/load/cupti-way.h"
#include "libranges/base/log.h"
#include "libranges/process/process.h"
#include "libranges/record/steer.h"

/* How long to wait at most for the work of a context that is being destroyed. Other contexts may
 * always have work. */
#define CONTEXT_WAIT_NS UINT64_C(100000000)

/* Of is_on and has_unified, one thread sets the first and reads the second, and another thread does
 * the reverse. They are sequentially consistent, so that at least one thread sees both set. */
static struct {
	_Atomic bool is_on;             /* the GPU's work is recorded */
	_Atomic bool has_unified;       /* the counters of managed memory are set up */
	_Atomic uint32_t times;         /* how often the GPU's work was switched on */
	bool is_paused;                 /* the capture is off; once the worker runs, only it uses
	                                 * this */
	bool is_wanted;                 /* cudaProfilerStart was called, or is not required */
	_Atomic uint32_t instantiating; /* number of graphs that threads of the program are
	                                 * instantiating */
} work;

void rcap_cupti_start_prepare(struct rcap_cupti_start *start, unsigned kinds)
{
	start->has_tids = (rcap_cupti_way_is_shared() || rcap_cupti.set_thread_id_type) &&
	                  rcap_cupti_enable_check(rcap_cupti_way_set_tids(),
	                                          "calls are of unknown threads: OS thread ids");
	if (rcap_cupti_way_is_shared()) {
		/* All subscribers share one clock. Our clock points have both clocks. */
		start->is_monotonic = start->subscription.is_monotonic;
		return;
	}
	/* The clock can be set only once per process, and before anything is enabled. Setting it
	 * again damages records. */
	start->is_monotonic = !(kinds & RCAP_CUPTI_WITHOUT_CLOCK) &&
	                      rcap_cupti.version >= RCAP_CUPTI_VERSION_11_6 &&
	                      rcap_cupti.register_time &&
	                      rcap_cupti_enable_check(rcap_cupti_way_set_clock(rcap_clock_mono_ns),
	                                              "times are the system's: timestamp callback");
}

void rcap_cupti_start_tell_library(const struct rcap_cupti_start *start)
{
	rcap_cupti_status_add(0, "CUPTI %u from %s, times by %s", rcap_cupti.version,
	                      rcap_cupti.path,
	                      start->is_monotonic ? "CLOCK_MONOTONIC" : "CLOCK_REALTIME");
	if (rcap_cupti_load_is_other()) {
		rcap_cupti_status_add(0,
		                      "RANGES_CUPTI_PATH=%.*s is not used: the program has loaded "
		                      "another copy",
		                      200, rcap_process.config.cupti_path);
	}
	rcap_cupti_subscribe_tell();
}

/* Why each function is watched (enum rcap_cupti_calls_watch), by API and number. Constant once
 * CUPTI can call us. */
static uint8_t watched[2][RCAP_CUPTI_MAX_CBID];

/* Makes CUPTI call us at the begin and the end of the watched functions. */
static void watch_calls(void *subscriber)
{
	static const uint32_t domains[] = { RCAP_CUPTI_DOMAIN_RUNTIME, RCAP_CUPTI_DOMAIN_DRIVER };

	for (size_t i = 0; i < sizeof(domains) / sizeof(domains[0]); i++) {
		uint32_t cbid = 0;
		const char *name;

		while ((name = rcap_cupti_enable_next(domains[i], &cbid)) != NULL) {
			const enum rcap_cupti_calls_watch watch =
				rcap_cupti_calls_watch(domains[i], name);

			if (watch != RCAP_CUPTI_CALLS_NOT_WATCHED) {
				watched[domains[i] == RCAP_CUPTI_DOMAIN_RUNTIME][cbid] = watch;
				(void) rcap_cupti.enable_callback(1, subscriber, domains[i], cbid);
			}
		}
	}
}

/* Switches kinds off, except a kind in use. */
static void disable_kinds(uint64_t which)
{
	/* This kind is needed until the instantiations are done: see settle_wholes(). */
	const uint64_t in_use =
		atomic_load(&work.instantiating) > 0 ? UINT64_C(1) << RCAP_CUPTI_GRAPH_TRACE : 0;

	rcap_cupti_enable_off(which & ~in_use);
	rcap_cupti_enable_driver_off();
}

/* Starts or stops recording the GPU's work. */
static void switch_work(unsigned kinds, bool on)
{
	if (atomic_exchange(&work.is_on, on) == on) {
		return;
	}
	if (!on) {
		(void) rcap_cupti.flush_all(0);
		disable_kinds(~RCAP_CUPTI_DESCRIPTIONS);
		return;
	}
	atomic_fetch_add(&work.times, 1);
	rcap_cupti_enable_kinds(kinds, false, ~RCAP_CUPTI_DESCRIPTIONS);
	if (kinds & RCAP_CUPTI_WITH_EVENTS) {
		rcap_cupti_enable_check(rcap_cupti_way_set_event_times(), "times of events");
	}
	if (atomic_load(&work.has_unified)) {
		(void) rcap_cupti_enable_kind(RCAP_CUPTI_UNIFIED_MEMORY, false);
	}
	rcap_cupti_enable_calls(kinds);
}

/* Switches graphs as wholes off, if an instantiation has switched them on. Nothing else does it. */
static void leave_wholes(void)
{
	if (!rcap_cupti_graphs_need_whole() && rcap_cupti_enable_is_on(RCAP_CUPTI_GRAPH_TRACE)) {
		rcap_cupti_enable_off(UINT64_C(1) << RCAP_CUPTI_GRAPH_TRACE);
	}
}

/*
 * Keeps the recording of graphs as wholes on while graphs are instantiated. CUPTI can record a
 * graph as a whole only if this was on when the graph was instantiated (NVIDIA's guide, "Late
 * attach limitations"). Otherwise a launch that is recorded as a whole ends the program by SIGSEGV
 * (seen on an H200, CUPTI 13.0). So it is switched on when an instantiation begins, and off when
 * the last simultaneous one ends, even while nothing else is recorded. Instantiations are counted,
 * not requests, so that a failed request does not change the count.
 */
static void settle_wholes(void)
{
	const bool is_used = atomic_load(&work.instantiating) > 0;

	if (!rcap_cupti_graphs_need_whole()) {
		leave_wholes();
		return;
	}
	if (rcap_cupti_graphs_are_whole() && atomic_load(&work.is_on)) {
		return; /* wholes stay on */
	}
	if (is_used && !rcap_cupti_enable_is_on(RCAP_CUPTI_GRAPH_TRACE)) {
		if (!rcap_cupti_enable_kind(RCAP_CUPTI_GRAPH_TRACE, false)) {
			rcap_cupti_graphs_refuse_whole();
		}
		leave_wholes(); /* the thread that asked for this may have stopped waiting
		                 * meanwhile */
	} else if (!is_used && rcap_cupti_enable_is_on(RCAP_CUPTI_GRAPH_TRACE)) {
		rcap_cupti_enable_off(UINT64_C(1) << RCAP_CUPTI_GRAPH_TRACE);
	}
}

void rcap_cupti_start_tend_graphs(void)
{
	const uint32_t kind = RCAP_CUPTI_GRAPH_TRACE;

	if (!rcap_cupti_graphs_is_due()) {
		settle_wholes();
	} else if (rcap_cupti_graphs_are_whole()) {
		rcap_cupti_graphs_give_up_whole();
		rcap_cupti_enable_off(UINT64_C(1) << kind);
	} else if (!atomic_load(&work.is_on) || rcap_cupti_enable_kind(kind, false)) {
		rcap_cupti_graphs_choose_whole();
	} else {
		rcap_cupti_graphs_refuse_whole();
	}
}

/* Counts the instantiations in progress. If an instantiation began before we watched, its end is
 * not counted. */
static void count_instantiation(bool is_enter)
{
	uint32_t count = atomic_load(&work.instantiating);

	while ((is_enter || count > 0) &&
	       !atomic_compare_exchange_weak(&work.instantiating, &count,
	                                     is_enter ? count + 1 : count - 1)) {
	}
}

/* True at the begin of a call, false at its end. */
static bool is_begin(const void *data)
{
	uint32_t site; /* the first member of CUPTI's data about a call */

	memcpy(&site, data, sizeof(site));
	return site == RCAP_CUPTI_SITE_ENTER;
}

bool rcap_cupti_start_is_action(uint32_t domain, uint32_t cbid, const void *data,
                                enum rcap_cupti_calls_watch *watch)
{
	const bool is_enter = is_begin(data);

	*watch = cbid < RCAP_CUPTI_MAX_CBID ? watched[domain == RCAP_CUPTI_DOMAIN_RUNTIME][cbid]
	                                    : RCAP_CUPTI_CALLS_NOT_WATCHED;
	if (*watch == RCAP_CUPTI_CALLS_INSTANTIATES) {
		count_instantiation(is_enter);
		*watch = is_enter ? RCAP_CUPTI_CALLS_INSTANTIATES : RCAP_CUPTI_CALLS_INSTANTIATED;
		return rcap_cupti_graphs_need_whole();
	}
	return *watch != RCAP_CUPTI_CALLS_NOT_WATCHED &&
	       (*watch == RCAP_CUPTI_CALLS_ENDS_CONTEXT ||
	        *watch == RCAP_CUPTI_CALLS_PROFILER_STOP) == is_enter;
}

/* Takes records out of CUPTI, and waits some time for work in progress. CUPTI keeps a buffer that
 * has unfinished work. */
static void flush_context(void)
{
	const struct timespec step = { .tv_nsec = 1000000 };
	const uint64_t until = rcap_clock_mono_ns() + CONTEXT_WAIT_NS;

	(void) rcap_cupti.flush_all(0);
	rcap_cupti_aside_revive();
	while (rcap_cupti_buffers_are_kept() && rcap_clock_mono_ns() < until) {
		nanosleep(&step, NULL);
		(void) rcap_cupti.flush_all(0);
	}
}

void rcap_cupti_start_act(unsigned kinds, enum rcap_cupti_calls_watch watch)
{
	if (watch == RCAP_CUPTI_CALLS_ENDS_CONTEXT) {
		flush_context();
	} else if (watch == RCAP_CUPTI_CALLS_INSTANTIATES ||
	           watch == RCAP_CUPTI_CALLS_INSTANTIATED) {
		settle_wholes();
	} else {
		work.is_wanted = watch == RCAP_CUPTI_CALLS_PROFILER_START;
		switch_work(kinds, work.is_wanted && !work.is_paused);
	}
}

void rcap_cupti_start_pause(void)
{
	if (!work.is_paused) {
		work.is_paused = true;
		atomic_store(&work.is_on, false);
		disable_kinds(UINT64_MAX);
	}
}

void rcap_cupti_start_resume(unsigned kinds)
{
	if (work.is_paused) {
		work.is_paused = false;
		/* Asks CUPTI to describe the devices, contexts and streams that exist by now. */
		rcap_cupti_enable_kinds(kinds, true, RCAP_CUPTI_DESCRIPTIONS);
		switch_work(kinds, work.is_wanted);
	}
}

void rcap_cupti_start_take_out(void)
{
	flush_context();
}

/* Handles a watched call that the worker did not serve in time. Programs instantiate hundreds of
 * graphs. If CUPTI waits for the thread that waits for CUPTI, only the first instantiation may
 * wait. */
void rcap_cupti_start_missed(enum rcap_cupti_calls_watch watch)
{
	static _Atomic bool has_told;

	/* Relaxed: any thread may be first. */
	if (watch == RCAP_CUPTI_CALLS_ENDS_CONTEXT &&
	    !atomic_exchange_explicit(&has_told, true, memory_order_relaxed)) {
		rcap_cupti_status_add(0, "CUPTI did not finish before a context ended: data of "
		                         "this context may be lost");
	}
	/* The worker must handle the end of an instantiation in any case. */
	if (watch == RCAP_CUPTI_CALLS_INSTANTIATES || watch == RCAP_CUPTI_CALLS_INSTANTIATED) {
		if (rcap_cupti_aside_is_stuck()) {
			rcap_cupti_graphs_leave_nodes();
		}
		rcap_cupti_buffers_wake();
	}
	/* This graph can never be recorded as a whole. */
	if (watch == RCAP_CUPTI_CALLS_INSTANTIATES && !atomic_load(&work.is_on)) {
		rcap_cupti_graphs_leave_whole();
	}
}

void rcap_cupti_start_tell(unsigned kinds)
{
	const uint32_t times = atomic_load(&work.times);

	if (!(kinds & RCAP_CUPTI_WITH_PROFILER)) {
		return;
	}
	if (times == 0) {
		rcap_cupti_status_add(0, "no GPU data: RANGES_CUDA=profiler waits for "
		                         "cudaProfilerStart, which the program did not call");
	} else {
		rcap_cupti_status_add(0,
		                      "GPU data covers only the time between cudaProfilerStart and "
		                      "cudaProfilerStop: %u time%s",
		                      times, times == 1 ? "" : "s");
	}
}

void rcap_cupti_start_enable(const struct rcap_cupti_start *start, unsigned kinds, bool is_late,
                             const struct rcap_cupti_start_callbacks *callbacks)
{
	/* Ignores failures: older libraries lack some attributes, and work without them. */
	(void) rcap_cupti_way_set_zeroed();
	if (kinds & RCAP_CUPTI_WITH_LATENCY) {
		rcap_cupti_enable_check(rcap_cupti_way_set_latency(), "latency of launches");
	}
	if (!rcap_cupti_enable_check(
		    rcap_cupti_way_register(callbacks->requested, callbacks->completed),
		    "no GPU data: callbacks for buffers")) {
		return;
	}
	if ((kinds & RCAP_CUPTI_WITH_EVENTS) &&
	    rcap_cupti.stride[RCAP_CUPTI_CUDA_EVENT] < sizeof(struct rcap_cupti_event)) {
		rcap_cupti_status_add(0,
		                      "CUDA events have no times: that takes CUPTI 12.8 or later");
	}
	work.is_wanted = !(kinds & RCAP_CUPTI_WITH_PROFILER);
	work.is_paused = rcap_process_is_off();
	if (!work.is_paused) {
		rcap_cupti_enable_kinds(kinds, is_late, RCAP_CUPTI_DESCRIPTIONS);
	}
	if (!work.is_paused && work.is_wanted) {
		switch_work(kinds, true);
	}
	watch_calls(start->subscription.subscriber);
	rcap_cupti_nodes_watch(start->subscription.subscriber);
	(void) rcap_cupti.enable_callback(1, start->subscription.subscriber,
	                                  RCAP_CUPTI_DOMAIN_RESOURCE,
	                                  RCAP_CUPTI_RESOURCE_INIT_FINISHED);
	(void) rcap_cupti.enable_callback(1, start->subscription.subscriber,
	                                  RCAP_CUPTI_DOMAIN_STATE, RCAP_CUPTI_STATE_FATAL_ERROR);
}

bool rcap_cupti_start_can_whole(void)
{
	return rcap_cupti.stride[RCAP_CUPTI_GRAPH_TRACE] != 0 && !rcap_cupti_way_is_shared();
}

/* Sets each counter separately, because some are missing in older libraries and on some
 * machines. */
void rcap_cupti_start_ready(unsigned kinds)
{
	static const uint32_t counters[] = { RCAP_CUPTI_COUNTER_TO_DEVICE,
		                             RCAP_CUPTI_COUNTER_TO_HOST,
		                             RCAP_CUPTI_COUNTER_CPU_FAULT,
		                             RCAP_CUPTI_COUNTER_GPU_FAULT,
		                             RCAP_CUPTI_COUNTER_BETWEEN_DEVICES };
	int rc = RCAP_CUPTI_UNKNOWN;
	bool has_some = false;

	if (!(kinds & RCAP_CUPTI_WITH_UNIFIED) || atomic_load(&work.has_unified)) {
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
	if (has_some || rcap_cupti_enable_check(rc, "counters of unified memory")) {
		atomic_store(&work.has_unified, true);
		if (atomic_load(&work.is_on)) {
			(void) rcap_cupti_enable_kind(RCAP_CUPTI_UNIFIED_MEMORY, false);
		}
	}
}

void rcap_cupti_start_disable(void)
{
	disable_kinds(UINT64_MAX);
}

unsigned rcap_cupti_start_kinds(void)
{
	char why[160];
	const int kinds = rcap_cupti_kinds_parse(rcap_process.config.cuda, why, sizeof(why));

	if (kinds < 0) {
		return RCAP_CUPTI_ON;
	}
	/* With these settings cudaProfilerStart() and cudaProfilerStop() switch the whole capture,
	 * and CUPTI with it. */
	return (unsigned) kinds &
	       ~(rcap_steer_has_profiler() ? (unsigned) RCAP_CUPTI_WITH_PROFILER : 0);
}
