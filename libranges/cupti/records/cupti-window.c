/* SPDX-License-Identifier: MIT */
/* Decides which GPU events belong to a cycle of a capture that is switched on and off. */
#include "libranges/cupti/records/cupti-window.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/batch.h"
#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/process/process.h"

/* For this many calls it is remembered in which phase they began. A call's slot is given by its
 * correlation id. */
#define CALLS 65536u
/* At most this many events are put on hold. */
#define MAX_HELD 4096u
/* The ids of calls that begin at about the same time may be in another order than the calls. They
 * then differ by less than this. */
#define ID_MARGIN 64u
/* How long one sleep takes while an event waits for room in the spool. */
#define WAIT_NS 1000000

#define UNKNOWN UINT32_MAX

struct call {
	uint32_t correlation;
	uint32_t phase; /* number of the phase + 1; 0: the slot is empty */
};

struct held {
	struct rcap_timed event;
	uint32_t phase; /* UNKNOWN: not yet known */
};

/*
 * The state. Phases have numbers: phase 0 is before the first switch. Switch number n - 1, counted
 * from 0, begins phase n. The GPU's events are in phase `at`.
 */
static struct {
	uint32_t at;
	uint32_t first_on; /* smallest id of a call in phase `at`, if the capture is on in it;
	                    * UNKNOWN: none yet */
	uint32_t held_count;
	struct held *held; /* owned, like `calls`; NULL: not needed yet, or no memory */
	struct call *calls;
	uint64_t offset_ns; /* time of the events' clock minus CLOCK_MONOTONIC */
} window;

static struct rcap_control *control(void)
{
	return &rcap_process.spool.header->control;
}

void rcap_cupti_window_open(bool is_monotonic)
{
	window.first_on = UNKNOWN;
	if (!is_monotonic) {
		window.offset_ns = rcap_clock_real_ns() - rcap_clock_mono_ns();
	}
	/* Begins in the current phase, because there are no earlier events. */
	window.at = atomic_load_explicit(&control()->switches, memory_order_acquire);
	window.calls = calloc(CALLS, sizeof(*window.calls));
	/* Release pairs with the drain's acquire. The drain then waits for us when a cycle ends. */
	atomic_store_explicit(&control()->has_gpu, 1, memory_order_release);
}

static uint32_t count_switches(void)
{
	/* Acquire pairs with the release of the switching thread, so the entries are complete. */
	return atomic_load_explicit(&control()->switches, memory_order_acquire);
}

static enum rcap_phase kind_of(uint32_t phase)
{
	return phase == 0 ? (enum rcap_phase) control()->first_phase
	                  : (enum rcap_phase) rcap_control_at(control(), phase - 1)->phase;
}

/* Returns the phase in which something began. If it began before phase `at`, returns the phase
 * before `at`. */
static uint32_t phase_at(uint64_t ticks)
{
	const uint64_t ns = ticks - window.offset_ns;
	const uint32_t switches = count_switches();
	uint32_t phase = window.at;

	if (phase > 0 && ns < rcap_control_at(control(), phase - 1)->mono_ns) {
		return phase - 1;
	}
	while (phase < switches && ns >= rcap_control_at(control(), phase)->mono_ns) {
		phase++;
	}
	return phase;
}

static uint32_t correlation_of(const struct rcap_timed *event)
{
	for (uint32_t i = 0; i < event->count; i++) {
		if (event->attrs[i].attr == RLOG_ATTR_CORR) {
			return (uint32_t) event->attrs[i].value;
		}
	}
	return 0;
}

/* Returns the phase of the call that caused the event. UNKNOWN: it is not known yet. */
static uint32_t find_phase(const struct rcap_timed *event, uint32_t correlation)
{
	const struct call *call = window.calls ? &window.calls[correlation % CALLS] : NULL;

	if (correlation == 0 || !call) {
		return phase_at(event->ticks);
	}
	if (call->phase != 0 && call->correlation == correlation) {
		return call->phase - 1;
	}
	/* Ids increase. So the call that caused this event came after a call in phase `at`, in
	 * which the capture is on. */
	if (window.first_on != UNKNOWN && correlation > window.first_on + ID_MARGIN &&
	    count_switches() == window.at) {
		return window.at;
	}
	return UNKNOWN;
}

static void remember(uint32_t correlation, uint32_t phase)
{
	if (window.calls && correlation != 0) {
		window.calls[correlation % CALLS] =
			(struct call){ .correlation = correlation, .phase = phase + 1 };
	}
	if (phase == window.at && correlation < window.first_on &&
	    kind_of(phase) == RCAP_PHASE_ON) {
		window.first_on = correlation;
	}
}

static void write_event(struct rcap_thread *gpu, const struct rcap_timed *event,
                        uint64_t wait_until_ns)
{
	const struct timespec step = { .tv_nsec = WAIT_NS };

	/* Waits for the drain, so that fewer events are lost. No thread of the program waits for
	 * this one. */
	while (rcap_spool_is_tight(&rcap_process.spool) && rcap_clock_mono_ns() < wait_until_ns) {
		rcap_process_wake_drain();
		nanosleep(&step, NULL);
	}
	rcap_record_timed(gpu, event);
}

/* Writes or counts an event of phase `at` or before. Return: false if the event is of a later
 * phase. */
static bool deliver(struct rcap_thread *gpu, const struct rcap_timed *event, uint32_t phase,
                    uint64_t wait_until_ns)
{
	if (phase > window.at) {
		return false;
	}
	if (phase == window.at && kind_of(phase) == RCAP_PHASE_ON) {
		write_event(gpu, event, wait_until_ns);
	} else {
		/* Relaxed: a statistic. */
		atomic_fetch_add_explicit(&control()->outside, 1, memory_order_relaxed);
	}
	return true;
}

/* Delivers the events on hold whose phase is known now. @correlation: only those of the call with
 * this id; 0: those of all calls. @is_last: if an event's call is still unknown, the event's own
 * time decides. */
static void release(struct rcap_thread *gpu, uint32_t correlation, bool is_last,
                    uint64_t wait_until_ns)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < window.held_count; i++) {
		struct held *held = &window.held[i];
		const uint32_t own = correlation_of(&held->event);

		if (held->phase == UNKNOWN && (correlation == 0 || own == correlation)) {
			held->phase = find_phase(&held->event, own);
		}
		if (held->phase == UNKNOWN && is_last) {
			held->phase = phase_at(held->event.ticks);
		}
		if (held->phase == UNKNOWN ||
		    !deliver(gpu, &held->event, held->phase, wait_until_ns)) {
			window.held[kept++] = *held;
		}
	}
	window.held_count = kept;
}

static void hold(struct rcap_thread *gpu, const struct rcap_timed *event, uint32_t phase,
                 uint64_t wait_until_ns)
{
	if (!window.held) {
		window.held = malloc(MAX_HELD * sizeof(*window.held));
	}
	if (window.held_count == MAX_HELD) {
		release(gpu, 0, true, wait_until_ns);
	}
	if (!window.held || window.held_count == MAX_HELD) {
		(void) deliver(gpu, event, window.at, wait_until_ns);
		return;
	}
	window.held[window.held_count++] = (struct held){ .event = *event, .phase = phase };
}

void rcap_cupti_window_put(struct rcap_thread *gpu, const struct rcap_timed *event,
                           uint64_t wait_until_ns)
{
	const uint32_t correlation = correlation_of(event);
	uint32_t phase;

	if (event->op == RLOG_OP_API) {
		phase = phase_at(event->ticks);
		remember(correlation, phase);
	} else if (!rcap_control_is_used(control())) {
		write_event(gpu, event, wait_until_ns);
		return;
	} else {
		phase = find_phase(event, correlation);
	}
	if (phase == UNKNOWN || !deliver(gpu, event, phase, wait_until_ns)) {
		hold(gpu, event, phase, wait_until_ns);
	}
	if (event->op == RLOG_OP_API && window.held_count > 0) {
		release(gpu, correlation, false, wait_until_ns);
	}
}

enum rcap_phase rcap_cupti_window_phase(void)
{
	return kind_of(window.at);
}

bool rcap_cupti_window_next(enum rcap_phase *phase)
{
	if (window.at >= count_switches()) {
		return false;
	}
	*phase = kind_of(window.at + 1);
	return true;
}

/* Writes where the events of another cycle begin in the stream. */
static void mark_cycle(struct rcap_thread *gpu, uint32_t cycle)
{
	struct rcap_slot *slot = rcap_thread_reserve(gpu, 1);

	if (slot) {
		slot->a = cycle;
		slot->b = rcap_slot_word(slot, 0, 0, RCAP_OP_CYCLE);
		rcap_thread_publish(gpu, slot + 1);
	}
}

void rcap_cupti_window_advance(struct rcap_thread *gpu)
{
	release(gpu, 0, true, UINT64_MAX);
	window.at++;
	window.first_on = UNKNOWN;
	if (kind_of(window.at) == RCAP_PHASE_ON) {
		mark_cycle(gpu, rcap_control_at(control(), window.at - 1)->cycle);
	}
	release(gpu, 0, false, UINT64_MAX);
	/* Release pairs with the drain's acquire: all events from before the switch are in the
	 * spool. */
	atomic_store_explicit(&control()->gpu_done, window.at, memory_order_release);
	rcap_process_wake_drain();
}

void rcap_cupti_window_close(struct rcap_thread *gpu)
{
	while (window.at < count_switches()) {
		rcap_cupti_window_advance(gpu);
	}
	release(gpu, 0, true, UINT64_MAX);
}
