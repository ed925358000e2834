/* SPDX-License-Identifier: MIT */
/* Reads the part of a spool that says whether the capture is on. Processes that only look at a
 * spool use this, too. */
#include "libranges/spool/control.h"

#include <string.h>
#include <time.h>

/* How long to wait for a switch in progress: 0.1 ms at a time, and a second in all. */
#define SWITCHING_NS    100000
#define SWITCHING_TURNS 10000

bool rcap_control_is_used(const struct rcap_control *control)
{
	return control->first_phase != RCAP_PHASE_ON || control->is_planned != 0 ||
	       atomic_load_explicit(&control->switches, memory_order_acquire) > 0;
}

void rcap_control_now(const struct rcap_control *control, struct rcap_switch *out)
{
	const uint32_t passed = atomic_load_explicit(&control->passed, memory_order_relaxed);

	if (passed > 0) {
		*out = *rcap_control_at(control, passed - 1);
		return;
	}
	memset(out, 0, sizeof(*out));
	out->phase = control->first_phase;
	out->cycle = control->first_phase == RCAP_PHASE_ON;
	out->step = UINT64_MAX;
	out->by = RCAP_CONTROL_BY_START;
}

const char *rcap_control_by_name(uint32_t by)
{
	static const char *const names[] = { "start", "schedule", "range", "api", "ctl", "time" };

	return by < sizeof(names) / sizeof(names[0]) ? names[by] : "start";
}

uint64_t rcap_control_until(const struct rcap_control *control, uint64_t limit, bool is_live)
{
	const struct timespec step = { .tv_nsec = SWITCHING_NS };
	const uint32_t passed = atomic_load_explicit(&control->passed, memory_order_relaxed);
	uint64_t ticks;

	/* A switch takes some ns. The wait is limited, because the thread may be stopped in it, or
	 * have died. */
	for (int i = 0; is_live && i < SWITCHING_TURNS && atomic_load(&control->is_switching);
	     i++) {
		nanosleep(&step, NULL);
	}
	/* Acquire pairs with the release of the switching thread, so the entry is complete. */
	if (atomic_load_explicit(&control->switches, memory_order_acquire) == passed) {
		return limit;
	}
	ticks = rcap_control_at(control, passed)->ticks;
	return ticks < limit ? ticks : limit;
}
