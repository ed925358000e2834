/* SPDX-License-Identifier: MIT */
/* Waits of the host for the GPU, and the late launches they cause. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/advice/advice-idle.h"
#include "analyzer/base/util.h"

#define MOST_BACK 16 /* at most this many waits of other threads are looked at */

/* True of calls whose name says that they wait: those with Synchronize, and copies without
 * Async. */
static bool is_waiting(struct rlog_string name)
{
	return ra_util_string_has(name, "Synchronize") ||
	       (ra_util_string_has(name, "emcpy") && !ra_util_string_has(name, "Async"));
}

static void add_waiting(struct ra_advice_idle *idle, const struct ra_gpu_api *api)
{
	RA_UTIL_APPEND(idle->waiting, idle->waiting_count, idle->waiting_capacity,
	               (struct ra_advice_waiting){
			       .process = idle->advice->model->tracks[api->track].process,
			       .track = api->track,
			       .start_ns = api->start_ns,
		       });
}

static int compare_waiting(const void *a, const void *b)
{
	const struct ra_advice_waiting *left = a;
	const struct ra_advice_waiting *right = b;
	int order = RA_ORDER_UP(left, right, process);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, track));
}

/* True if a copy of pageable memory waits: its call lasts until the copy is done. */
static bool is_waiting_copy(const struct ra_gpu *gpu, const struct ra_gpu_op *op)
{
	const struct ra_gpu_api *call = op->api != RA_NONE ? &gpu->apis[op->api] : NULL;

	return call != NULL && ra_advice_gap_is_pageable(op) &&
	       ra_util_add_time(call->start_ns, call->dur_ns) >
	               ra_util_add_time(op->start_ns, op->dur_ns);
}

/* If only one thread makes calls, no other thread can have waited with it. */
static void list_waiting(struct ra_advice_idle *idle)
{
	const struct ra_model *model = idle->advice->model;
	const struct ra_gpu *gpu = &model->gpu;

	for (size_t i = 0; i < gpu->api_count; i++) {
		if (ra_name_tests_ask(&idle->are_waiting, gpu->apis[i].name)) {
			add_waiting(idle, &gpu->apis[i]);
		}
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		if (is_waiting_copy(gpu, &gpu->ops[i])) {
			add_waiting(idle, &gpu->apis[gpu->ops[i].api]);
		}
	}
	RA_SORT(idle->waiting, idle->waiting_count, compare_waiting);
}

void ra_advice_waits_init(struct ra_advice_idle *idle)
{
	const struct ra_model *model = idle->advice->model;
	size_t threads = 0;

	idle->waits = ra_alloc_zeros(model->track_count + 1, sizeof(*idle->waits));
	ra_name_tests_init(&idle->are_waiting, model, is_waiting);
	for (size_t i = 0; i < model->gpu.api_count; i++) { /* Orders by track, then time. */
		struct ra_advice_wait *wait = &idle->waits[model->gpu.apis[i].track];

		threads += wait->end == 0;
		wait->of = model->gpu.apis[i].track;
		wait->next = wait->end == 0 ? i : wait->next;
		wait->end = i + 1;
	}
	if (threads > 1) {
		list_waiting(idle);
	}
}

/* Finds the wait that makes a thread late: its own wait, or that of another thread that it waited
 * for. */
static struct ra_advice_wait *find_wait(const struct ra_advice_idle *idle, uint32_t track)
{
	struct ra_advice_wait *own = &idle->waits[track];
	struct ra_advice_wait *other = &idle->waits[own->of];

	return other->start_ns == own->of_ns ? other : own;
}

/* Finds the step that was open on the CPU at a time. Return: step_count if there is none. */
static size_t find_step(const struct ra_advice *advice, int64_t time_ns)
{
	const struct ra_steps *steps = &advice->steps->steps;

	for (size_t i = 0; i < steps->times.step_count && !steps->is_whole; i++) {
		if (time_ns >= steps->hosts[i].start_ns && time_ns < steps->hosts[i].end_ns) {
			return i;
		}
	}
	return steps->times.step_count;
}

/* True of a device-wide wait at the end of a step or between two steps. Programs wait there to
 * measure time. */
static bool ends_step(const struct ra_advice *advice, const struct ra_gpu_api *wait,
                      const struct ra_gpu_api *call)
{
	return ra_util_string_has(ra_model_string(advice->model, wait->name), "Device") &&
	       !advice->steps->steps.is_whole &&
	       find_step(advice, wait->start_ns) != find_step(advice, call->start_ns);
}

/* True of a call in the operator that reads a single number from a tensor. */
static bool is_in_item(const struct ra_model *model, const struct ra_gpu_api *api)
{
	uint32_t slice = api->slice;

	for (; slice != RA_NONE; slice = model->slices.parent[slice]) {
		const struct rlog_string range = ra_model_string(model, model->slices.name[slice]);

		if (ra_util_string_has(range, "aten::item") ||
		    ra_util_string_has(range, "_local_scalar_dense")) {
			return true;
		}
	}
	return false;
}

/* The cause of a call whose name says that it waits. */
static enum ra_advice_cause find_cause(const struct ra_model *model, const struct ra_gpu_api *api)
{
	return ra_util_string_has(ra_model_string(model, api->name), "Synchronize") ||
	                       is_in_item(model, api)
	               ? RA_CAUSE_SYNC
	               : RA_CAUSE_SYNC_COPY;
}

/* Charges the cost of a wait that has no more effect. */
static void flush(struct ra_advice_idle *idle, uint32_t track)
{
	struct ra_advice_wait *wait = &idle->waits[track];
	const struct ra_advice_event event = { wait->most_start_ns, wait->cost_ns, wait->place,
		                               track, idle->device };
	struct ra_advice_event worst = event;

	worst.dur_ns = wait->most_ns;
	if (wait->cost_ns > 0) {
		idle->caused_ns[wait->cause] =
			ra_util_add_time(idle->caused_ns[wait->cause], wait->cost_ns);
		ra_advice_note_sum(&idle->causes[wait->cause], &event, &worst);
	}
	wait->cost_ns = 0;
	wait->most_ns = 0;
	wait->last_ns = 0;
	wait->rest_ns = 0;
}

/* Makes a wait the one that is charged. Of consecutive waits only the longest counts, because
 * without it the others would have had to wait for the same work. */
static void take(struct ra_advice_idle *idle, const struct ra_gpu_api *api,
                 enum ra_advice_cause cause, int64_t dur_ns)
{
	struct ra_advice_wait *wait = &idle->waits[api->track];

	if (api->start_ns < wait->end_ns) {
		return; /* a call inside the wait */
	}
	wait->end_ns = ra_util_add_time(api->start_ns, api->dur_ns);
	if (dur_ns <= 0 || dur_ns < find_wait(idle, api->track)->rest_ns) {
		return;
	}
	flush(idle, api->track);
	wait->of = api->track;
	wait->start_ns = api->start_ns;
	wait->rest_ns = dur_ns;
	wait->cause = cause;
	wait->place = ra_advice_name_call(
		idle->advice, (uint32_t) (api - idle->advice->model->gpu.apis), api->slice);
}

/* The host's lead over the device at the end of a call, in ns. If negative, the host is late. */
static int64_t find_lead(int64_t device_ns, const struct ra_gpu_api *call)
{
	return device_ns - ra_util_add_time(call->start_ns, call->dur_ns);
}

/* Looks at a thread's own waits before a call. */
static void see_own(struct ra_advice_idle *idle, uint32_t track, const struct ra_gpu_api *call,
                    int64_t until_ns)
{
	const struct ra_advice *advice = idle->advice;
	const struct ra_gpu *gpu = &advice->model->gpu;
	struct ra_advice_wait *wait = &idle->waits[track];

	for (; wait->next < wait->end && gpu->apis[wait->next].start_ns < call->start_ns;
	     wait->next++) {
		const struct ra_gpu_api *api = &gpu->apis[wait->next];

		if (ra_name_tests_ask(&idle->are_waiting, api->name) &&
		    !ends_step(advice, api, call) && find_lead(until_ns, api) < api->dur_ns) {
			take(idle, api, find_cause(advice->model, api),
			     ra_advice_clip(advice, api->start_ns, api->dur_ns));
		}
	}
}

/* Counts the waiting calls before (process, time) in the order of the list. */
static size_t count_waiting(const struct ra_advice_idle *idle, uint32_t process, int64_t time_ns)
{
	const struct ra_advice_waiting wanted = { process, 0, time_ns };
	size_t low = 0;
	size_t high = idle->waiting_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_waiting(&idle->waiting[middle], &wanted) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/*
 * Looks at the waits of other threads. If a thread has made no call since another thread of its
 * process began to wait, it waited, too: it gets its work from that thread, as in PyTorch's
 * backward passes. So the other thread's wait made this thread late, by as much time as that wait
 * can still explain.
 *
 * @api: a call of the thread, which may be its first since the other thread's wait.
 * @call: the call that launched the next operation.
 */
static void see_others(struct ra_advice_idle *idle, size_t api, const struct ra_gpu_api *call,
                       int64_t until_ns)
{
	const struct ra_model *model = idle->advice->model;
	const struct ra_gpu_api *first = &model->gpu.apis[api];
	const bool has_before = api > 0 && first[-1].track == first->track;
	const int64_t since_ns =
		has_before ? ra_util_add_time(first[-1].start_ns, first[-1].dur_ns) : INT64_MIN;
	const uint32_t process = model->tracks[first->track].process;
	size_t i = count_waiting(idle, process, first->start_ns);

	for (size_t back = 0; back < MOST_BACK && i-- > 0; back++) {
		const struct ra_advice_waiting *waiting = &idle->waiting[i];
		const struct ra_advice_wait *other = &idle->waits[waiting->track];

		if (waiting->process != process || waiting->start_ns < since_ns) {
			break;
		}
		see_own(idle, waiting->track, call, until_ns);
		if (other->start_ns >= since_ns && other->end_ns <= first->start_ns &&
		    other->rest_ns > find_wait(idle, first->track)->rest_ns) {
			idle->waits[first->track].of = waiting->track;
			idle->waits[first->track].of_ns = other->start_ns;
		}
	}
}

void ra_advice_waits_see(struct ra_advice_idle *idle, const struct ra_gpu_op *op, int64_t until_ns)
{
	const struct ra_gpu_api *call = &idle->advice->model->gpu.apis[op->api];
	const struct ra_advice_wait *wait = &idle->waits[call->track];
	size_t api = wait->next;

	for (; api <= op->api && idle->waiting_count > 0; api++) {
		see_others(idle, api, call, until_ns);
	}
	see_own(idle, call->track, call, until_ns);
	wait = find_wait(idle, call->track);
	if (wait->rest_ns > 0 && call->start_ns >= wait->end_ns &&
	    find_lead(op->start_ns, call) > RA_ADVICE_LONG_WAY_NS &&
	    find_lead(op->start_ns, call) >= wait->rest_ns) {
		/* The host has as much lead again as before the wait, so the wait has no more
		 * effect. */
		flush(idle, (uint32_t) (wait - idle->waits));
	}
}

void ra_advice_waits_see_copy(struct ra_advice_idle *idle, const struct ra_advice_gap *gap)
{
	const struct ra_model *model = idle->advice->model;
	const struct ra_gpu_op *op = gap->next;
	const struct ra_gpu_api *call = &model->gpu.apis[op->api];
	const int64_t end_ns = ra_util_add_time(call->start_ns, call->dur_ns);

	if (!ra_advice_gap_is_pageable(op) || end_ns <= gap->start_ns ||
	    end_ns <= ra_util_add_time(op->start_ns, op->dur_ns)) {
		return;
	}
	take(idle, call, is_in_item(model, call) ? RA_CAUSE_SYNC : RA_CAUSE_SYNC_COPY,
	     call->dur_ns - gap->way_ns);
}

/* Adds the cost of a wait in a gap. */
static void add_cost(struct ra_advice_wait *wait, const struct ra_advice_gap *gap, int64_t cost_ns)
{
	if (wait->cost_ns == 0 || wait->last_start_ns != gap->start_ns) {
		wait->last_ns = 0;
	}
	wait->last_start_ns = gap->start_ns;
	wait->last_ns = ra_util_add_time(wait->last_ns, cost_ns);
	wait->cost_ns = ra_util_add_time(wait->cost_ns, cost_ns);
	wait->rest_ns -= cost_ns;
	if (wait->last_ns > wait->most_ns) {
		wait->most_ns = wait->last_ns;
		wait->most_start_ns = gap->start_ns;
	}
}

/* Notes a cost of a wait that also counts as the host's own lateness. */
static void share_cost(struct ra_advice_idle *idle, int64_t cost_ns)
{
	int64_t *shared_ns = &idle->causes[RA_CAUSE_HOST].shared_ns;

	*shared_ns = ra_util_add_time(*shared_ns, cost_ns);
}

/* Notes where the program was after the wait. */
static void note_since(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                       const struct ra_intervals *parts, int64_t cost_ns)
{
	const uint32_t track = gap->call->track;
	const struct ra_advice_wait *wait = find_wait(idle, track);
	struct ra_intervals before = { 0 };
	struct ra_intervals during = { 0 };
	struct ra_intervals behind = { 0 };
	struct ra_gpu_place_query query = { .track = track, .parts = &behind };
	struct ra_advice_event event = { gap->start_ns, cost_ns, { "", 0, 0 }, track, -1 };

	ra_intervals_add(&before, INT64_MIN, wait->end_ns);
	ra_intervals_part(parts, &before, &during, &behind);
	if (behind.count > 0) {
		event.name = ra_advice_gap_find_place(idle, &query);
		ra_advice_note(wait->cause == RA_CAUSE_SYNC ? &idle->since_sync : &idle->since_copy,
		               &event);
	}
	ra_intervals_fini(&before);
	ra_intervals_fini(&during);
	ra_intervals_fini(&behind);
}

void ra_advice_waits_charge(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                            const struct ra_intervals *parts, int64_t *rest_ns)
{
	struct ra_advice_wait *wait = find_wait(idle, gap->call->track);
	const int64_t cost_ns = wait->rest_ns < *rest_ns ? wait->rest_ns : *rest_ns;

	if (cost_ns <= 0) {
		return;
	}
	if (wait->cost_ns == 0) {
		*rest_ns -= cost_ns;
	} else {
		share_cost(idle, cost_ns);
	}
	add_cost(wait, gap, cost_ns);
	note_since(idle, gap, parts, cost_ns);
}

void ra_advice_waits_charge_launch(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                                   int64_t launch_ns)
{
	struct ra_advice_wait *wait = find_wait(idle, gap->call->track);
	const int64_t cost_ns = wait->rest_ns < launch_ns ? wait->rest_ns : launch_ns;

	if (wait->cost_ns > 0 && cost_ns > 0) {
		add_cost(wait, gap, cost_ns);
		share_cost(idle, cost_ns);
	}
}

void ra_advice_waits_finish(struct ra_advice_idle *idle)
{
	for (uint32_t t = 0; t < idle->advice->model->track_count; t++) {
		flush(idle, t);
	}
	free(idle->waits);
	free(idle->waiting);
	ra_name_tests_fini(&idle->are_waiting);
	idle->waits = NULL;
	idle->waiting = NULL;
}
