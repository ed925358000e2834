/* SPDX-License-Identifier: MIT */
/* --compat=tb: finds the steps, and the stretches of time of each role. */
#include "analyzer/compat/tb/steps.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/compat/tb/comm.h"

#define ENDLESS 9223372036854775807.0

struct bounds {
	double min;
	double max;
};

static const struct bounds nothing = { ENDLESS, -ENDLESS };

static void widen(struct bounds *bounds, double start, double end)
{
	bounds->min = start < bounds->min ? start : bounds->min;
	bounds->max = end > bounds->max ? end : bounds->max;
}

/* Returns the role of an event; RA_ROLE_OTHER: none. */
static enum ra_role find_role(const struct ra_tb_nodes *nodes, const struct ra_tb_event *event)
{
	const struct ra_kineto *kineto = nodes->events->kineto;
	const unsigned traits = ra_tb_events_traits(nodes->events, kineto->name[event->row]);

	switch (event->type) {
	case RA_TB_KERNEL:
		return ra_tb_comm_find(nodes, kineto->external[event->row]) != RA_UTIL_MAP_NONE
		               ? RA_ROLE_COMMUNICATION
		               : RA_ROLE_KERNEL;
	case RA_TB_MEMCPY:
		return RA_ROLE_MEMCPY;
	case RA_TB_MEMSET:
		return RA_ROLE_MEMSET;
	case RA_TB_RUNTIME:
		return RA_ROLE_RUNTIME;
	case RA_TB_OPERATOR:
	case RA_TB_ANNOTATION:
		if ((traits & RA_TB_TRAIT_LOADER) != 0) {
			return RA_ROLE_DATALOADER;
		}
		break;
	case RA_TB_PYTHON:
		break;
	default:
		return RA_ROLE_OTHER;
	}
	return (traits & RA_TB_TRAIT_COMM) != 0 ? RA_ROLE_COMMUNICATION : RA_ROLE_CPU_EXEC;
}

/* Returns the digits in "ProfilerStep#5", without leading zeros. */
static struct rlog_string name_step(struct rlog_string name)
{
	struct rlog_string digits = name;

	digits.bytes += strlen("ProfilerStep#");
	digits.length -= (uint32_t) strlen("ProfilerStep#");
	while (digits.length > 1 && digits.bytes[0] == '0') {
		digits.bytes++;
		digits.length--;
	}
	return digits;
}

static void add_event(struct ra_tb_steps *steps, const struct ra_tb_nodes *nodes,
                      const struct ra_tb_event *event)
{
	const struct ra_kineto *kineto = nodes->events->kineto;
	const struct rlog_string name = ra_kineto_string(kineto, kineto->name[event->row]);
	const enum ra_role role = find_role(nodes, event);

	if (event->type == RA_TB_STEP) {
		const struct ra_step step = { event->ts, event->end, name_step(name) };

		ra_step_times_add(&steps->times, &step);
		return;
	}
	if (event->type == RA_TB_TRACE && ra_util_string_is(name, "PyTorch Profiler (0)")) {
		steps->global_start = event->ts;
		steps->global_end = event->end;
	}
	if (role == RA_ROLE_OTHER) {
		return;
	}
	ra_stretches_join(&steps->times.roles[role], event->ts, event->end);
}

static void read_events(struct ra_tb_steps *steps, const struct ra_tb_nodes *nodes)
{
	const struct ra_tb_events *events = nodes->events;
	struct bounds cpu = nothing;
	struct bounds all = nothing;

	steps->global_start = ENDLESS;
	steps->global_end = -ENDLESS;
	for (size_t i = 0; i < events->count; i++) {
		const struct ra_tb_event event = ra_tb_events_get(events, i);

		if (event.type == RA_TB_MEMORY) {
			continue;
		}
		add_event(steps, nodes, &event);
		if (event.type == RA_TB_PYTHON || event.type == RA_TB_OPERATOR ||
		    event.type == RA_TB_STEP) {
			widen(&cpu, event.ts, event.end);
		}
		widen(&all, event.ts, event.end);
	}
	if (steps->global_start == ENDLESS) {
		steps->global_start = all.min;
	}
	if (steps->global_end == -ENDLESS) {
		steps->global_end = all.max;
	}
	if (steps->times.step_count == 0) {
		const struct ra_step step = { cpu.min, cpu.max, { "0", 1, 1 } };

		ra_step_times_add(&steps->times, &step);
	}
}

/* The device work that was launched in a step. */
struct work {
	struct bounds span;
	uint64_t count;
};

static void add_work(struct ra_tb_nodes *nodes, const struct ra_tb_runtime *runtime,
                     struct work *work)
{
	for (uint32_t i = runtime->first; i != RA_KINETO_NONE; i = nodes->devices[i].next) {
		struct ra_tb_device *device = &nodes->devices[i];

		widen(&work->span, device->start, device->end);
		device->is_in_step = true;
		work->count++;
	}
}

/* Finds the device work of the steps. Walks over steps and calls together, so each call belongs to
 * at most one step. Return: the number of device operations found. */
static uint64_t match(const struct ra_step_times *times, struct ra_tb_nodes *nodes,
                      struct work *works)
{
	uint64_t count = 0;
	size_t call = 0;

	for (size_t i = 0; i < times->step_count; i++) {
		works[i] = (struct work){ nothing, 0 };
		for (; call < nodes->real_runtimes; call++) {
			const struct ra_tb_runtime *runtime = &nodes->runtimes[call];
			const struct ra_stretch span = ra_tb_nodes_times(nodes, runtime);

			if (span.start < times->steps[i].start) {
				continue;
			}
			if (span.end <= times->steps[i].end) {
				add_work(nodes, runtime, &works[i]);
			} else if (span.start >= times->steps[i].end) {
				break;
			}
		}
		count += works[i].count;
	}
	return count;
}

/* Returns the earliest time at which the first step may begin: after the work that was launched
 * before it. */
static double find_first(const struct ra_step_times *times, const struct ra_tb_nodes *nodes,
                         const struct work *first)
{
	double start = times->steps[0].start;

	for (size_t i = 0; i < nodes->device_count && first->count > 0; i++) {
		const struct ra_tb_device *device = &nodes->devices[i];

		if (!device->is_in_step && device->end < first->span.min && device->end > start) {
			start = device->end;
		}
	}
	return start;
}

/* Extends each step until its device work is done. The next step begins then. */
static void stretch(struct ra_step_times *times, const struct work *works, double first)
{
	double before = first;

	for (size_t i = 0; i < times->step_count; i++) {
		struct ra_step *step = &times->steps[i];

		step->start = before > step->start ? before : step->start;
		if (works[i].count > 0 && works[i].span.max > step->end) {
			step->end = works[i].span.max;
		}
		step->end = step->end < step->start ? step->start : step->end;
		before = step->end;
	}
}

/* Drops the last steps if they have no device work. Also drops one more step if it has much less
 * device work than the step before, because the profiler may have stopped too early. */
static void drop_last(struct ra_step_times *times, const struct work *works)
{
	size_t keep = times->step_count;

	while (keep > 0 && works[keep - 1].count == 0) {
		keep--;
	}
	if (times->step_count < 2 || keep == 0) {
		return;
	}
	if (keep > 1 && (double) works[keep - 2].count * 0.8 > (double) works[keep - 1].count) {
		keep--;
	}
	times->step_count = keep;
}

void ra_tb_steps_init(struct ra_tb_steps *steps, struct ra_tb_nodes *nodes)
{
	struct work *works;

	memset(steps, 0, sizeof(*steps));
	steps->times.restarts = true;
	read_events(steps, nodes);
	works = ra_alloc_zeros(steps->times.step_count, sizeof(*works));
	if (match(&steps->times, nodes, works) > 0) {
		stretch(&steps->times, works, find_first(&steps->times, nodes, &works[0]));
		drop_last(&steps->times, works);
	}
	free(works);
	ra_tb_comm_place(nodes, &steps->times);
}

void ra_tb_steps_fini(struct ra_tb_steps *steps)
{
	ra_step_times_fini(&steps->times);
}
