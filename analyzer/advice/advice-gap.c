/* SPDX-License-Identifier: MIT */
/*
 * What kept the operation behind a gap away. From the end of the work before to the begin of the
 * call that launched the next the host is late; the rest of that call and the way to the device is
 * the launch; what was launched before is held up by the device itself.
 */
#include "analyzer/advice/advice-idle.h"

#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-gaps.h"
#include "analyzer/figures/gpu/gpu-meanwhile.h"
#include "analyzer/rows/kineto.h"

#define SHORT_KERNEL_NS 10000   /* less than a launch and its way to the device usually take */
#define MOST_BETWEEN_NS 1000000 /* longer gaps have other reasons than short kernels */
#define LONG_WAY_NS     100000  /* between a call and its work, where nothing else runs */

int ra_advice_gap_charge(struct ra_advice_idle *idle, enum ra_advice_cause cause, int64_t start_ns,
                         int64_t dur_ns, struct rlog_string name, uint32_t track)
{
	const struct ra_advice_event event = { start_ns, dur_ns, name, track, idle->device };

	if (dur_ns > 0) {
		idle->caused_ns[cause] = ra_util_add_time(idle->caused_ns[cause], dur_ns);
	}
	return ra_advice_note(&idle->causes[cause], &event);
}

/* Where a thread was; if it was in no range, where the one was that launched the work before. */
static int find_place(const struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                      int64_t from_ns, int64_t to_ns, struct rlog_string *place)
{
	const struct ra_model *model = idle->advice->model;
	uint32_t track = gap->call->track;
	struct ra_gpu_meanwhile meanwhile;
	int rc = ra_gpu_meanwhile_find(&meanwhile, model, track, from_ns, to_ns);

	if (rc == 0 && meanwhile.range == RA_NONE && gap->last != NULL &&
	    gap->last->api != RA_NONE) {
		track = model->gpu.apis[gap->last->api].track;
		rc = ra_gpu_meanwhile_find(&meanwhile, model, track, from_ns, to_ns);
	}
	*place = (struct rlog_string){ "", 0, 0 };
	if (rc == 0 && meanwhile.range != RA_NONE) {
		*place = ra_model_string(model, meanwhile.range);
	} else if (rc == 0 && meanwhile.api != RA_NONE) {
		*place = ra_model_string(model, meanwhile.api);
	}
	return rc;
}

/* The step that was open on the CPU; its count: none. */
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

/* True of a wait that ends a step, or comes between two: somebody measures there. */
static bool ends_step(const struct ra_advice_idle *idle, const struct ra_gpu_api *wait,
                      const struct ra_advice_gap *gap)
{
	return ra_advice_has_word(ra_model_string(idle->advice->model, wait->name), "Device") &&
	       !idle->advice->steps->steps.is_whole &&
	       find_step(idle->advice, wait->start_ns) !=
	               find_step(idle->advice, gap->call->start_ns);
}

/* What a call that waits is; RA_CAUSES: it does not. */
static enum ra_advice_cause find_wait(const struct ra_advice *advice, const struct ra_gpu_api *api)
{
	const struct ra_model *model = advice->model;
	const struct rlog_string name = ra_model_string(model, api->name);
	uint32_t slice = api->slice;

	if (ra_advice_has_word(name, "Synchronize")) {
		return RA_CAUSE_SYNC;
	}
	if (!ra_advice_has_word(name, "emcpy") || ra_advice_has_word(name, "Async")) {
		return RA_CAUSES;
	}
	for (; slice != RA_NONE; slice = model->slices.parent[slice]) {
		const struct rlog_string range = ra_model_string(model, model->slices.name[slice]);

		if (ra_advice_has_word(range, "aten::item") ||
		    ra_advice_has_word(range, "_local_scalar_dense")) {
			return RA_CAUSE_SYNC; /* ROCm copies and waits in one call */
		}
	}
	return RA_CAUSE_SYNC_COPY;
}

/* The first call of the launching thread that may still run when the gap begins. */
static size_t find_calls(const struct ra_gpu *gpu, const struct ra_advice_gap *gap)
{
	size_t low = 0;
	size_t high = gpu->api_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct ra_gpu_api *api = &gpu->apis[middle];

		if (api->track < gap->call->track ||
		    (api->track == gap->call->track && api->start_ns < gap->start_ns)) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	for (int i = 0; i < 4 && low > 0 && gpu->apis[low - 1].track == gap->call->track; i++) {
		low--;
	}
	return low;
}

/*
 * What waits cost: without one the host would have launched the next operation as much earlier as
 * it lasted, so it costs that at most, and no more than the host was late.
 */
static int note_waits(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                      int64_t *rest_ns)
{
	const struct ra_gpu *gpu = &idle->advice->model->gpu;
	int rc = 0;

	for (size_t i = find_calls(gpu, gap);
	     i < gpu->api_count && gpu->apis[i].track == gap->call->track &&
	     gpu->apis[i].start_ns < gap->late_ns && rc == 0 && *rest_ns > 0;
	     i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const enum ra_advice_cause cause = find_wait(idle->advice, api);
		const int64_t cost_ns = api->dur_ns < *rest_ns ? api->dur_ns : *rest_ns;

		if (cause == RA_CAUSES || api == gap->call || ends_step(idle, api, gap) ||
		    ra_util_add_time(api->start_ns, api->dur_ns) <= gap->start_ns) {
			continue;
		}
		rc = ra_advice_gap_charge(
			idle, cause, gap->start_ns, cost_ns,
			api->slice != RA_NONE
				? ra_model_string(idle->advice->model,
		                                  idle->advice->model->slices.name[api->slice])
				: ra_model_string(idle->advice->model, api->name),
			api->track);
		*rest_ns -= cost_ns;
	}
	return rc;
}

bool ra_advice_gap_is_pageable(const struct ra_gpu_op *op)
{
	return op->kind == RA_GPU_COPY &&
	       (op->src_memory == RA_MEMORY_PAGEABLE || op->dst_memory == RA_MEMORY_PAGEABLE);
}

/* The function of Python that launches what is behind a gap. */
static int note_python(struct ra_advice_idle *idle, const struct ra_advice_gap *gap, int64_t dur_ns)
{
	struct ra_advice_event event = { .start_ns = gap->start_ns, .dur_ns = dur_ns };
	uint32_t row;

	if (idle->stacks->count == 0) {
		return 0;
	}
	row = idle->stacks->kineto->api_event[gap->next->api];
	event.name =
		ra_python_stacks_function(idle->stacks, ra_python_stacks_find(idle->stacks, row));
	return event.name.length == 0 ? 0 : ra_advice_note(&idle->python, &event);
}

/* A device that runs short kernels is idle between them, however fast the host is. */
static int note_host(struct ra_advice_idle *idle, const struct ra_advice_gap *gap, int64_t host_ns,
                     int64_t launch_ns)
{
	const struct ra_model *model = idle->advice->model;
	const uint32_t track = gap->call->track;
	struct rlog_string place = { "", 0, 0 };
	int rc = find_place(idle, gap, gap->start_ns,
	                    gap->late_ns > gap->start_ns ? gap->late_ns : gap->end_ns, &place);

	if (rc == 0) {
		rc = ra_advice_gap_charge(idle, RA_CAUSE_HOST, gap->start_ns, host_ns + launch_ns,
		                          place, track);
	}
	if (rc == 0) {
		rc = note_python(idle, gap, host_ns + launch_ns);
	}
	if (rc == 0) {
		rc = ra_advice_gap_charge(idle, RA_CAUSE_LAUNCH, gap->start_ns, launch_ns,
		                          ra_model_string(model, gap->call->name), track);
	}
	if (rc == 0 && gap->last != NULL && gap->last->kind == RA_GPU_KERNEL &&
	    gap->last->dur_ns < SHORT_KERNEL_NS && host_ns + launch_ns < MOST_BETWEEN_NS) {
		rc = ra_advice_gap_charge(idle, RA_CAUSE_SHORT, gap->start_ns, host_ns + launch_ns,
		                          ra_advice_operator(idle->advice, gap->last), track);
	}
	return rc;
}

/* The part of the gap before the call that launched what is behind it. Sets what no other cause
 * explains. */
static int note_late(struct ra_advice_idle *idle, const struct ra_advice_gap *gap, int64_t *rest_ns)
{
	static const enum ra_advice_cause causes[] = { RA_CAUSE_LOADING, RA_CAUSE_PROFILER,
		                                       RA_CAUSE_FIRST_USE };
	const struct ra_intervals *const sets[] = { &idle->host->loading, &idle->host->profiler,
		                                    &idle->host->first_use };
	int rc = 0;

	*rest_ns = gap->late_ns - gap->start_ns;
	for (size_t i = 0; i < 3 && rc == 0 && *rest_ns > 0; i++) {
		int64_t cost_ns = ra_advice_cover(sets[i], gap->start_ns, gap->late_ns);
		struct rlog_string place;

		cost_ns = cost_ns < *rest_ns ? cost_ns : *rest_ns;
		if (cost_ns > 0) {
			rc = find_place(idle, gap, gap->start_ns, gap->late_ns, &place);
			if (rc == 0) {
				rc = ra_advice_gap_charge(idle, causes[i], gap->start_ns, cost_ns,
				                          place, gap->call->track);
			}
			*rest_ns -= cost_ns;
		}
	}
	return rc != 0 || *rest_ns <= 0 ? rc : note_waits(idle, gap, rest_ns);
}

/* The part behind the begin of the call. */
static int note_way(struct ra_advice_idle *idle, const struct ra_advice_gap *gap, int64_t host_ns)
{
	const struct ra_model *model = idle->advice->model;
	const int64_t call_end_ns = ra_util_add_time(gap->call->start_ns, gap->call->dur_ns);
	const int64_t way_ns = gap->end_ns - gap->late_ns;
	const int64_t behind_ns =
		gap->end_ns - (call_end_ns > gap->late_ns ? call_end_ns : gap->late_ns);
	const struct rlog_string name = ra_model_string(model, gap->call->name);
	const uint32_t track = gap->call->track;
	int64_t first_ns;
	int rc;

	if (ra_advice_gap_is_pageable(gap->next) && way_ns > RA_GPU_GAPS_SHORT_NS) {
		rc = ra_advice_gap_charge(idle, RA_CAUSE_PAGEABLE, gap->late_ns, way_ns,
		                          ra_advice_operator(idle->advice, gap->next), track);
		return rc != 0 ? rc : note_host(idle, gap, host_ns, 0);
	}
	if (gap->last == NULL && !idle->has_ended && behind_ns > LONG_WAY_NS) {
		return ra_advice_gap_charge(idle, RA_CAUSE_BEFORE, gap->start_ns, host_ns + way_ns,
		                            name, track);
	}
	if (behind_ns > (gap->late_ns > gap->start_ns ? LONG_WAY_NS : RA_GPU_GAPS_SHORT_NS)) {
		struct ra_advice_event event;

		rc = ra_advice_read_op(idle->advice, gap->next, &event);
		if (rc == 0) {
			rc = ra_advice_gap_charge(idle, RA_CAUSE_WAIT, gap->end_ns - behind_ns,
			                          behind_ns, event.name, track);
		}
		return rc != 0 ? rc : note_host(idle, gap, host_ns, way_ns - behind_ns);
	}
	first_ns = ra_advice_cover(&idle->host->first_use, gap->late_ns, gap->end_ns);
	rc = ra_advice_gap_charge(idle, RA_CAUSE_FIRST_USE, gap->late_ns, first_ns,
	                          ra_advice_operator(idle->advice, gap->next), track);
	if (rc == 0 && (call_end_ns > gap->start_ns || gap->late_ns > gap->start_ns)) {
		rc = note_host(idle, gap, host_ns, way_ns - first_ns);
	}
	return rc;
}

int ra_advice_gap_note(struct ra_advice_idle *idle, struct ra_advice_gap *gap)
{
	const struct ra_gpu *gpu = &idle->advice->model->gpu;
	int64_t host_ns = 0;
	int rc;

	if (gap->next->api == RA_NONE) {
		struct ra_advice_event event;

		rc = ra_advice_read_op(idle->advice, gap->next, &event);
		return rc != 0 ? rc
		               : ra_advice_gap_charge(idle, RA_CAUSE_NO_CALL, gap->start_ns,
		                                      gap->end_ns - gap->start_ns, event.name,
		                                      RA_NONE);
	}
	gap->call = &gpu->apis[gap->next->api];
	gap->late_ns = gap->call->start_ns;
	gap->late_ns = gap->late_ns < gap->start_ns ? gap->start_ns
	               : gap->late_ns > gap->end_ns ? gap->end_ns
	                                            : gap->late_ns;
	rc = note_late(idle, gap, &host_ns);
	return rc != 0 ? rc : note_way(idle, gap, host_ns);
}
