/* SPDX-License-Identifier: MIT */
/* Switches the capture on and off; no other file does. */
#include "libranges/process/switch.h"

#include <string.h>

#include "libranges/base/clock.h"
#include "libranges/process/process.h"

void rcap_switch_tell(uint32_t phase)
{
	const bool is_quiet = phase == RCAP_PHASE_OFF && !rcap_process.is_watching;

	atomic_store_explicit(&rcap_process.phase, phase, memory_order_relaxed);
	atomic_store_explicit(&rcap_process.is_quiet, is_quiet, memory_order_relaxed);
}

uint32_t rcap_switch_cycle(void)
{
	const struct rcap_control *control = &rcap_process.spool.header->control;
	uint32_t cycle = control->first_phase == RCAP_PHASE_ON;
	uint32_t count;

	/* The lock prevents switches by other threads. */
	rcap_process_lock();
	count = atomic_load_explicit(&control->switches, memory_order_relaxed);
	if (count > 0) {
		cycle = rcap_control_at(control, count - 1)->cycle;
	}
	rcap_process_unlock();
	return cycle;
}

bool rcap_switch_copy_log(uint64_t cycle, char *path, size_t size)
{
	const struct rcap_control *control = &rcap_process.spool.header->control;
	const struct rcap_closed_log *closed = &control->closed[cycle % RCAP_CONTROL_LOGS];
	/* Acquire pairs with the drain's release, so the entry is complete. */
	const uint32_t done = atomic_load_explicit(&control->cycles_done, memory_order_acquire);
	size_t length;

	/* The drain may be about to overwrite the oldest entry. */
	if (cycle == 0 || cycle > done || done - cycle >= RCAP_CONTROL_LOGS - 1 ||
	    closed->cycle != cycle) {
		return false;
	}
	length = strnlen(closed->path, sizeof(closed->path) - 1);
	if (length == 0 || length >= size) {
		return false;
	}
	memcpy(path, closed->path, length);
	path[length] = '\0';
	/* The copy is the name of that cycle's log, unless the drain has reused the entry
	 * meanwhile. */
	return atomic_load_explicit(&control->cycles_done, memory_order_acquire) - cycle <
	       RCAP_CONTROL_LOGS - 1;
}

/* Appends a switch for the drain to handle. The lock is held. */
static int append(struct rcap_control *control, enum rcap_phase phase, enum rcap_control_by by,
                  uint64_t step)
{
	const uint32_t count = atomic_load_explicit(&control->switches, memory_order_relaxed);
	const uint32_t now = atomic_load_explicit(&control->phase, memory_order_relaxed);
	struct rcap_switch *entry = &control->ring[count % RCAP_CONTROL_SWITCHES];
	uint32_t cycle = control->first_phase == RCAP_PHASE_ON;

	if (now == (uint32_t) phase) {
		return RCAP_CONTROL_IS_SO;
	}
	/* Acquire pairs with the drain's release: the drain no longer reads the entry. */
	if (count - atomic_load_explicit(&control->passed, memory_order_acquire) >=
	    RCAP_CONTROL_SWITCHES - 1) { /* the drain still reads the last entry */
		atomic_fetch_add_explicit(&control->refused, 1, memory_order_relaxed);
		return RCAP_CONTROL_FULL;
	}
	if (count > 0) {
		cycle = rcap_control_at(control, count - 1)->cycle;
	}
	entry->cycle = cycle + (phase == RCAP_PHASE_ON);
	entry->phase = (uint32_t) phase;
	entry->by = (uint32_t) by;
	entry->step = step;
	/* Stored before the clock is read, and sequentially consistent. So if the drain has a later
	 * event, it sees that a switch is in progress. */
	atomic_store(&control->is_switching, 1);
	entry->mono_ns = rcap_clock_mono_ns();
	entry->ticks = rcap_clock_now();
	/* Release pairs with the drain's acquire, so the entry is complete. */
	atomic_store_explicit(&control->switches, count + 1, memory_order_release);
	atomic_store_explicit(&control->is_switching, 0, memory_order_release);
	/* Relaxed: for what a thread does before it sees this, the time decides the phase. */
	atomic_store_explicit(&control->phase, (uint32_t) phase, memory_order_relaxed);
	rcap_switch_tell((uint32_t) phase);
	return RCAP_CONTROL_DONE;
}

int rcap_switch_to(enum rcap_phase phase, enum rcap_control_by by, uint64_t step)
{
	struct rcap_control *control = &rcap_process.spool.header->control;
	void (*switched)(bool);
	int result;

	rcap_process_lock();
	result = append(control, phase, by, step);
	rcap_process_unlock();
	if (result != RCAP_CONTROL_DONE) {
		return result;
	}
	rcap_process_wake_drain();
	/* Acquire pairs with the release of the thread that set the hook: the GPU's capture has
	 * begun. */
	switched = atomic_load_explicit(&rcap_process.switch_gpu, memory_order_acquire);
	if (switched) {
		switched(phase != RCAP_PHASE_OFF);
	}
	return result;
}
