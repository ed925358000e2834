/* SPDX-License-Identifier: MIT */
/* Switches CUPTI on and off with the capture. */
#include "libranges/cupti/cupti-switch.h"

#include <stdatomic.h>

#include "libranges/cupti/records/cupti-aside.h"
#include "libranges/cupti/records/cupti-buffers.h"
#include "libranges/cupti/records/cupti-flow.h"
#include "libranges/cupti/cupti-start.h"
#include "libranges/cupti/records/cupti-window.h"
#include "libranges/process/process.h"

/* The end of a pause without limit: years from now. */
#define PAUSE_UNTIL_NS (UINT64_C(1) << 62)

/* Requests to take all records out of CUPTI: how many were made, and how many were served. */
static struct {
	_Atomic uint32_t asked;
	_Atomic uint32_t served;
} takes;

static void do_nothing(uint32_t number, uint64_t value)
{
	(void) number;
	(void) value;
}

void rcap_cupti_switch_tell(bool on)
{
	if (on && rcap_cupti_flow_is_here() && !rcap_cupti_flow_is_over()) {
		(void) rcap_cupti_aside_ask(do_nothing, 0, 0);
	} else {
		rcap_cupti_buffers_wake();
	}
}

/* Makes a request if is_new. Return: true if all requests are served. The atomics are sequentially
 * consistent, because they are used rarely. */
static bool take(bool is_new)
{
	if (rcap_process_is_off() || !rcap_cupti_flow_is_here() || rcap_cupti_flow_is_over()) {
		return true;
	}
	if (is_new) {
		atomic_fetch_add(&takes.asked, 1);
		rcap_cupti_buffers_wake();
	}
	return atomic_load(&takes.served) == atomic_load(&takes.asked);
}

void rcap_cupti_switch_open(void)
{
	atomic_store(&rcap_process.switch_gpu, rcap_cupti_switch_tell);
	atomic_store(&rcap_process.take_gpu, take);
}

static void serve_takes(void)
{
	const uint32_t asked = atomic_load(&takes.asked);

	if (asked != atomic_load(&takes.served)) {
		rcap_cupti_start_take_out();
		rcap_cupti_flow_convert(UINT64_MAX);
		rcap_cupti_flow_settle(true, UINT64_MAX);
		atomic_store(&takes.served, asked);
	}
}

void rcap_cupti_switch_serve(unsigned kinds)
{
	enum rcap_phase phase;

	while (rcap_cupti_window_next(&phase)) {
		if (rcap_cupti_window_phase() == RCAP_PHASE_ON) {
			rcap_cupti_start_take_out();
			rcap_cupti_flow_convert(UINT64_MAX);
			rcap_cupti_flow_settle(true, UINT64_MAX);
		}
		if (phase == RCAP_PHASE_OFF) {
			rcap_cupti_start_pause();
		} else {
			rcap_cupti_start_resume(kinds);
		}
		rcap_cupti_flow_advance();
	}
	serve_takes();
}

bool rcap_cupti_switch_is_paused(void)
{
	return rcap_cupti_window_phase() == RCAP_PHASE_OFF;
}

void rcap_cupti_switch_wait(uint64_t until_ns, bool is_active)
{
	if (is_active && rcap_cupti_switch_is_paused()) {
		rcap_cupti_buffers_wait(PAUSE_UNTIL_NS);
	} else {
		rcap_cupti_buffers_look_ahead();
		rcap_cupti_buffers_wait(until_ns);
	}
}
