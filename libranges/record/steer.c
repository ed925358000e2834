/* SPDX-License-Identifier: MIT */
/* Switches the capture from within the program: by its steps, its ranges, its own calls. */
#include "libranges/record/steer.h"

#include <string.h>

#include "libranges/base/log.h"
#include "libranges/base/memory.h"
#include "libranges/settings/schedule.h"
#include "libranges/record/names/handles.h"
#include "libranges/record/names/names.h"
#include "libranges/record/watched.h"
#include "libranges/process/switch.h"

_Atomic uint64_t rcap_steer_started __attribute__((visibility("hidden")));

/* The plan of a schedule or a range. Written before the capture starts. */
static struct {
	struct rcap_schedule schedule;
	struct rcap_schedule_range range;
	bool has_schedule;
	bool has_range;
	bool has_profiler;       /* the range is the time between CUDA's profiler calls */
	_Atomic uint64_t ranges; /* number of ranges for which the capture was switched on */
	_Atomic bool is_open;    /* such a range is open now */
} plan;

static void keep_plan(struct rcap_control *control, const struct rcap_config *config)
{
	const char *const text = plan.has_schedule ? config->schedule
	                         : plan.has_range  ? config->capture_range
	                                           : "";

	rcap_log_format(control->plan, sizeof(control->plan), "%s", text);
	control->is_planned = plan.has_schedule || plan.has_range || config->delay_ns > 0 ||
	                      config->duration_ns > 0;
	control->has_cycles = rcap_schedule_has_cycles(config->schedule, config->capture_range,
	                                               config->standby && !control->is_planned);
	control->first_on_step = plan.has_schedule ? rcap_schedule_first(&plan.schedule) : 0;
}

/* Stores in the spool how much is kept, for the drain. */
static void keep_window(struct rcap_kept *kept, const struct rcap_config *config)
{
	struct rcap_keep_text keep = { 0 };
	char why[1];

	if (config->keep[0] != '\0' &&
	    rcap_keep_text_parse(config->keep, &keep, why, sizeof(why))) {
		kept->window_ns = keep.ns;
		kept->window_bytes = keep.bytes;
		rcap_log_format(kept->text, sizeof(kept->text), "%s", config->keep);
		rcap_log_format(kept->when, sizeof(kept->when), "%s", config->when);
		kept->before_ns = config->before_ns;
		kept->cool_ns = config->cool_down_ns;
		kept->most = config->snapshots;
	}
}

static const struct rcap_schedule_name *watched_name(void)
{
	return plan.has_range ? &plan.range.name : &plan.schedule.on;
}

void rcap_steer_begin(const struct rcap_config *config)
{
	struct rcap_control *control = &rcap_process.spool.header->control;
	char why[1];
	bool is_watching;
	bool is_off;

	/* A fork child continues the numbers of steps. No range of its parent is open in it. */
	plan.has_schedule = config->schedule[0] != '\0' &&
	                    rcap_schedule_parse(config->schedule, &plan.schedule, why, sizeof(why));
	plan.has_range =
		!plan.has_schedule && config->capture_range[0] != '\0' &&
		rcap_schedule_parse_range(config->capture_range, &plan.range, why, sizeof(why));
	atomic_store_explicit(&plan.is_open, false, memory_order_relaxed);
	atomic_store_explicit(&rcap_steer_started, 0, memory_order_relaxed);
	plan.has_profiler = plan.has_range && rcap_schedule_is_profiler(&plan.range.name);
	is_watching = (plan.has_range && !plan.has_profiler) ||
	              (plan.has_schedule && plan.schedule.on.length > 0);
	rcap_watched_set(is_watching ? watched_name() : NULL);
	rcap_process.is_watching = is_watching;
	keep_plan(control, config);
	keep_window(&control->kept, config);
	is_off = plan.has_schedule || plan.has_range || config->delay_ns > 0 || config->standby;
	control->first_phase = is_off ? RCAP_PHASE_OFF : RCAP_PHASE_ON;
	atomic_store_explicit(&control->phase, control->first_phase, memory_order_relaxed);
	rcap_switch_tell(control->first_phase);
}

/* Handles the begin of the next step of a schedule. */
static void take_step(void)
{
	struct rcap_control *control = &rcap_process.spool.header->control;
	/* Relaxed: each number is given out once, even if several threads call. */
	const uint64_t step = atomic_fetch_add_explicit(&control->steps, 1, memory_order_relaxed);
	const enum rcap_phase phase = rcap_schedule_phase(&plan.schedule, step);

	/* If one cycle follows another directly, each has a log of its own, because a phase that is
	 * not `on` ends the first cycle. During that phase open ranges are still known, and the
	 * GPU's capture goes on. */
	if (rcap_schedule_is_turn(&plan.schedule, step)) {
		(void) rcap_switch_to(RCAP_PHASE_WARMUP, RCAP_CONTROL_BY_SCHEDULE, step);
	}
	if (atomic_load_explicit(&control->phase, memory_order_relaxed) != (uint32_t) phase) {
		(void) rcap_switch_to(phase, RCAP_CONTROL_BY_SCHEDULE, step);
	}
}

void rcap_steer_step(void)
{
	if (!rcap_process_start()) {
		return;
	}
	if (plan.has_schedule && plan.schedule.on.length == 0) {
		take_step();
	} else if (!plan.has_schedule) {
		atomic_fetch_add_explicit(&rcap_process.spool.header->control.steps, 1,
		                          memory_order_relaxed);
	}
}

int rcap_steer_by(enum rcap_phase phase, enum rcap_control_by by)
{
	if (!rcap_process_start()) {
		return RCAP_CONTROL_FULL;
	}
	if (rcap_process.spool.header->control.is_planned) {
		return RCAP_CONTROL_PLANNED;
	}
	return rcap_switch_to(phase, by, UINT64_MAX);
}

/* True if the plan's name has this domain, or no domain. */
static bool is_domain(uint32_t domain)
{
	const struct rcap_schedule_name *name = watched_name();

	return !name->has_domain || rcap_handles_is_domain(domain, name->domain);
}

/* Handles the start of a range for which the capture may be switched on. Return: false if it is not
 * switched on for this one. */
static bool begin_range(void)
{
	bool is_open = false;

	/* Relaxed: if several threads open such a range, the capture is for the first one. */
	if ((plan.range.count != 0 &&
	     atomic_load_explicit(&plan.ranges, memory_order_relaxed) >= plan.range.count) ||
	    !atomic_compare_exchange_strong_explicit(&plan.is_open, &is_open, true,
	                                             memory_order_relaxed, memory_order_relaxed)) {
		return false;
	}
	atomic_fetch_add_explicit(&plan.ranges, 1, memory_order_relaxed);
	if (rcap_switch_to(RCAP_PHASE_ON, RCAP_CONTROL_BY_RANGE, UINT64_MAX) != RCAP_CONTROL_DONE) {
		atomic_store_explicit(&plan.is_open, false, memory_order_relaxed);
		return false;
	}
	return true;
}

bool rcap_steer_opens(const char *text, uint32_t domain)
{
	size_t length;

	if (!text || !rcap_process_start()) {
		return false;
	}
	length = rcap_memory_measure(text, RCAP_SCHEDULE_NAME + 24);
	if (length == RCAP_MEMORY_BAD || !rcap_watched_is_name(text, length) ||
	    !is_domain(domain)) {
		return false;
	}
	if (!plan.has_range) {
		take_step();
		return false;
	}
	return begin_range();
}

bool rcap_steer_has_profiler(void)
{
	return plan.has_profiler;
}

void rcap_steer_profile(bool starts)
{
	if (plan.has_profiler && starts) {
		(void) begin_range();
	} else if (plan.has_profiler && atomic_load_explicit(&plan.is_open, memory_order_relaxed)) {
		rcap_steer_closed();
	}
}

void rcap_steer_opened(struct rcap_thread *thread, uint32_t domain)
{
	struct rcap_depth *depth = rcap_thread_depth(thread, domain);

	/* Makes the fast path leave pops at depth 0 to the slow path. */
	thread->watched_domain = domain;
	thread->watched_depth = depth->now;
	depth->now = 0;
}

bool rcap_steer_closes(struct rcap_thread *thread, uint32_t domain)
{
	struct rcap_depth *depth = rcap_thread_depth(thread, domain);

	if (thread->watched_depth == 0 || thread->watched_domain != domain || depth->now != 0) {
		return false;
	}
	depth->now = thread->watched_depth;
	thread->watched_depth = 0;
	return true;
}

void rcap_steer_closed(void)
{
	(void) rcap_switch_to(RCAP_PHASE_OFF, RCAP_CONTROL_BY_RANGE, UINT64_MAX);
	atomic_store_explicit(&plan.is_open, false, memory_order_relaxed);
}
