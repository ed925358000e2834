/* SPDX-License-Identifier: MIT */
/* What stands in a spool about the capture being on: also for who only looks. */
#include <string.h>

#include "libranges/spool/control.h"

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
