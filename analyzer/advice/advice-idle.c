/* SPDX-License-Identifier: MIT */
/*
 * Why a device does nothing: every gap between its operations, parted by what kept the next one
 * away. From the end of the work before to the begin of the call that launched the next the
 * host is late; the rest of that call and the way to the device is the launch; what was launched
 * before is held up by the device itself.
 */
#include <stdlib.h>

#include "analyzer/advice/advice.h"
#include "analyzer/base/util.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/figures/gpu/gpu-gaps.h"
#include "analyzer/figures/gpu/gpu-meanwhile.h"
#include "analyzer/figures/python-stacks.h"
#include "analyzer/read-log/environment.h"
#include "format/error.h"

#define SHORT_KERNEL_NS 10000   /* less than a launch and its way to the device usually take */
#define MOST_BETWEEN_NS 1000000 /* longer gaps have other reasons than short kernels */
#define LONG_WAY_NS     100000  /* between a call and its work, where nothing else runs */
#define SIDE_DEVICE     20      /* a device that was busy for less than 1/20 of the busiest */
#define MOST_DEVICES    128     /* more are no machine's: their gaps are not looked into */

/* Kinds of memory and copies, as CUPTI counts. */
enum {
	MEMORY_PAGEABLE = 1,
	MEMORY_PINNED = 2,
	MEMORY_MANAGED = 5,
	COPY_ON_DEVICE = 8,
};

enum cause {
	LOADING,
	PROFILER,
	FIRST_USE,
	SYNC,
	SYNC_COPY,
	PAGEABLE,
	HOST,
	LAUNCH,
	SHORT,
	WAIT,
	BEFORE, /* what was launched before the recording ran first */
	NO_CALL,
	CAUSES
};

/* The causes of one device's idle time. */
struct idle {
	struct ra_advice *advice;
	const struct ra_advice_host *host;
	const struct ra_python_stacks *stacks;
	int64_t device;
	struct ra_advice_evidence causes[CAUSES];
	struct ra_advice_evidence python; /* of HOST: the functions that launched */
	int64_t caused_ns[CAUSES];
	uint64_t short_ops; /* shorter than the call that launched them */
	uint64_t linked_ops;
	bool has_ended; /* some operation has: the next one is not the first */
};

/* A gap, the operation behind it and the call that launched that. */
struct gap {
	int64_t start_ns;
	int64_t end_ns;
	const struct ra_gpu_op *next;
	const struct ra_gpu_op *last; /* NULL: none before */
	const struct ra_gpu_api *call;
	int64_t late_ns; /* end of what the host is to blame for; start_ns: nothing */
};

static int note(struct idle *idle, enum cause cause, int64_t start_ns, int64_t dur_ns,
                struct rlog_string name, uint32_t track)
{
	const struct ra_advice_event event = { start_ns, dur_ns, name, track, idle->device };

	if (dur_ns > 0) {
		idle->caused_ns[cause] = ra_util_add_time(idle->caused_ns[cause], dur_ns);
	}
	return ra_advice_note(&idle->causes[cause], &event);
}

/* Where a thread was; if it was in no range, where the one was that launched the work before. */
static int find_place(const struct idle *idle, const struct gap *gap, int64_t from_ns,
                      int64_t to_ns, struct rlog_string *place)
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
static bool ends_step(const struct idle *idle, const struct ra_gpu_api *wait, const struct gap *gap)
{
	return ra_advice_has_word(ra_model_string(idle->advice->model, wait->name), "Device") &&
	       !idle->advice->steps->steps.is_whole &&
	       find_step(idle->advice, wait->start_ns) !=
	               find_step(idle->advice, gap->call->start_ns);
}

/* What a call that waits is; CAUSES: it does not. */
static enum cause find_wait(const struct ra_advice *advice, const struct ra_gpu_api *api)
{
	const struct ra_model *model = advice->model;
	const struct rlog_string name = ra_model_string(model, api->name);
	uint32_t slice = api->slice;

	if (ra_advice_has_word(name, "Synchronize")) {
		return SYNC;
	}
	if (!ra_advice_has_word(name, "emcpy") || ra_advice_has_word(name, "Async")) {
		return CAUSES;
	}
	for (; slice != RA_NONE; slice = model->slices.parent[slice]) {
		const struct rlog_string range = ra_model_string(model, model->slices.name[slice]);

		if (ra_advice_has_word(range, "aten::item") ||
		    ra_advice_has_word(range, "_local_scalar_dense")) {
			return SYNC; /* ROCm copies and waits in one call */
		}
	}
	return SYNC_COPY;
}

/* The first call of the launching thread that may still run when the gap begins. */
static size_t find_calls(const struct ra_gpu *gpu, const struct gap *gap)
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
static int note_waits(struct idle *idle, const struct gap *gap, int64_t *rest_ns)
{
	const struct ra_gpu *gpu = &idle->advice->model->gpu;
	int rc = 0;

	for (size_t i = find_calls(gpu, gap);
	     i < gpu->api_count && gpu->apis[i].track == gap->call->track &&
	     gpu->apis[i].start_ns < gap->late_ns && rc == 0 && *rest_ns > 0;
	     i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const enum cause cause = find_wait(idle->advice, api);
		const int64_t cost_ns = api->dur_ns < *rest_ns ? api->dur_ns : *rest_ns;

		if (cause == CAUSES || api == gap->call || ends_step(idle, api, gap) ||
		    ra_util_add_time(api->start_ns, api->dur_ns) <= gap->start_ns) {
			continue;
		}
		rc = note(idle, cause, gap->start_ns, cost_ns,
		          api->slice != RA_NONE
		                  ? ra_model_string(idle->advice->model,
		                                    idle->advice->model->slices.name[api->slice])
		                  : ra_model_string(idle->advice->model, api->name),
		          api->track);
		*rest_ns -= cost_ns;
	}
	return rc;
}

static bool is_pageable(const struct ra_gpu_op *op)
{
	return op->kind == RA_GPU_COPY &&
	       (op->src_memory == MEMORY_PAGEABLE || op->dst_memory == MEMORY_PAGEABLE);
}

/* The function of Python that launches what is behind a gap. */
static int note_python(struct idle *idle, const struct gap *gap, int64_t dur_ns)
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
static int note_host(struct idle *idle, const struct gap *gap, int64_t host_ns, int64_t launch_ns)
{
	const struct ra_model *model = idle->advice->model;
	const uint32_t track = gap->call->track;
	struct rlog_string place = { "", 0, 0 };
	int rc = find_place(idle, gap, gap->start_ns,
	                    gap->late_ns > gap->start_ns ? gap->late_ns : gap->end_ns, &place);

	if (rc == 0) {
		rc = note(idle, HOST, gap->start_ns, host_ns + launch_ns, place, track);
	}
	if (rc == 0) {
		rc = note_python(idle, gap, host_ns + launch_ns);
	}
	if (rc == 0) {
		rc = note(idle, LAUNCH, gap->start_ns, launch_ns,
		          ra_model_string(model, gap->call->name), track);
	}
	if (rc == 0 && gap->last != NULL && gap->last->kind == RA_GPU_KERNEL &&
	    gap->last->dur_ns < SHORT_KERNEL_NS && host_ns + launch_ns < MOST_BETWEEN_NS) {
		rc = note(idle, SHORT, gap->start_ns, host_ns + launch_ns,
		          ra_advice_operator(idle->advice, gap->last), track);
	}
	return rc;
}

/* The part of the gap before the call that launched what is behind it. Sets what no other cause
 * explains. */
static int note_late(struct idle *idle, const struct gap *gap, int64_t *rest_ns)
{
	static const enum cause causes[] = { LOADING, PROFILER, FIRST_USE };
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
				rc = note(idle, causes[i], gap->start_ns, cost_ns, place,
				          gap->call->track);
			}
			*rest_ns -= cost_ns;
		}
	}
	return rc != 0 || *rest_ns <= 0 ? rc : note_waits(idle, gap, rest_ns);
}

/* The part behind the begin of the call. */
static int note_way(struct idle *idle, const struct gap *gap, int64_t host_ns)
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

	if (is_pageable(gap->next) && way_ns > RA_GPU_GAPS_SHORT_NS) {
		rc = note(idle, PAGEABLE, gap->late_ns, way_ns,
		          ra_advice_operator(idle->advice, gap->next), track);
		return rc != 0 ? rc : note_host(idle, gap, host_ns, 0);
	}
	if (gap->last == NULL && !idle->has_ended && behind_ns > LONG_WAY_NS) {
		return note(idle, BEFORE, gap->start_ns, host_ns + way_ns, name, track);
	}
	if (behind_ns > (gap->late_ns > gap->start_ns ? LONG_WAY_NS : RA_GPU_GAPS_SHORT_NS)) {
		struct ra_advice_event event;

		rc = ra_advice_read_op(idle->advice, gap->next, &event);
		if (rc == 0) {
			rc = note(idle, WAIT, gap->end_ns - behind_ns, behind_ns, event.name,
			          track);
		}
		return rc != 0 ? rc : note_host(idle, gap, host_ns, way_ns - behind_ns);
	}
	first_ns = ra_advice_cover(&idle->host->first_use, gap->late_ns, gap->end_ns);
	rc = note(idle, FIRST_USE, gap->late_ns, first_ns,
	          ra_advice_operator(idle->advice, gap->next), track);
	if (rc == 0 && (call_end_ns > gap->start_ns || gap->late_ns > gap->start_ns)) {
		rc = note_host(idle, gap, host_ns, way_ns - first_ns);
	}
	return rc;
}

static int note_gap(struct idle *idle, struct gap *gap)
{
	const struct ra_gpu *gpu = &idle->advice->model->gpu;
	int64_t host_ns = 0;
	int rc;

	if (gap->next->api == RA_NONE) {
		struct ra_advice_event event;

		rc = ra_advice_read_op(idle->advice, gap->next, &event);
		return rc != 0 ? rc
		               : note(idle, NO_CALL, gap->start_ns, gap->end_ns - gap->start_ns,
		                      event.name, RA_NONE);
	}
	gap->call = &gpu->apis[gap->next->api];
	gap->late_ns = gap->call->start_ns;
	gap->late_ns = gap->late_ns < gap->start_ns ? gap->start_ns
	               : gap->late_ns > gap->end_ns ? gap->end_ns
	                                            : gap->late_ns;
	rc = note_late(idle, gap, &host_ns);
	return rc != 0 ? rc : note_way(idle, gap, host_ns);
}

/* A copy between host and device counts as far as nothing else runs. */
static int note_copy(struct idle *idle, const struct ra_gpu_order_device *device, size_t i,
                     int64_t until_ns)
{
	const struct ra_advice *advice = idle->advice;
	const struct ra_gpu *gpu = &advice->model->gpu;
	const struct ra_gpu_order_op *at = &advice->order.ops[device->first + i];
	const struct ra_gpu_op *op = &gpu->ops[at->op];
	const int64_t next_ns = i + 1 < device->count ? at[1].start_ns : at->end_ns;
	const int64_t from_ns = at->start_ns > until_ns ? at->start_ns : until_ns;
	const int64_t to_ns = at->end_ns < next_ns ? at->end_ns : next_ns;
	enum cause cause = PAGEABLE;

	if ((op->kind != RA_GPU_COPY && op->kind != RA_GPU_SET) || op->api == RA_NONE ||
	    op->copy_kind == COPY_ON_DEVICE || to_ns <= from_ns) {
		return 0;
	}
	if (!is_pageable(op)) {
		const bool is_set = op->kind == RA_GPU_SET;
		const struct rlog_string call =
			ra_model_string(advice->model, gpu->apis[op->api].name);

		if (ra_advice_has_word(call, "Async") ||
		    !ra_advice_has_word(call, is_set ? "emset" : "emcpy") ||
		    (is_set && op->dst_memory != MEMORY_PINNED &&
		     op->dst_memory != MEMORY_MANAGED)) {
			return 0;
		}
		cause = SYNC_COPY;
	}
	return note(idle, cause, from_ns, ra_advice_clip(advice, from_ns, to_ns - from_ns),
	            ra_advice_operator(advice, op), gpu->apis[op->api].track);
}

static int note_gaps(struct idle *idle, const struct ra_gpu_order_device *device)
{
	struct ra_advice *advice = idle->advice;
	const struct ra_gpu *gpu = &advice->model->gpu;
	int64_t until_ns = advice->start_ns;
	const struct ra_gpu_op *last = NULL;
	int rc = 0;

	for (size_t i = 0; i < device->count && rc == 0; i++) {
		const struct ra_gpu_order_op *op = &advice->order.ops[device->first + i];
		struct gap gap = { .start_ns = until_ns,
			           .end_ns = op->start_ns,
			           .next = &gpu->ops[op->op],
			           .last = last };

		if (op->start_ns >= advice->end_ns) {
			break;
		}
		if (gap.end_ns > gap.start_ns) {
			rc = note_gap(idle, &gap);
		}
		if (rc == 0) {
			rc = note_copy(idle, device, i, until_ns);
		}
		if (op->end_ns > until_ns) {
			until_ns = op->end_ns;
			last = &gpu->ops[op->op];
		}
		idle->has_ended = true;
		if (gap.next->kind == RA_GPU_KERNEL && gap.next->api != RA_NONE) {
			idle->linked_ops++;
			idle->short_ops += gap.next->dur_ns < gpu->apis[gap.next->api].dur_ns;
		}
	}
	return rc;
}

/* What passes at the device before its next operation, though it has been launched or has no call
 * in a recording that has others'. */
static int tell_waits(struct idle *idle)
{
	const int64_t wait_ns = idle->caused_ns[WAIT];
	const int64_t no_call_ns = idle->caused_ns[NO_CALL];
	const bool is_wait = wait_ns > no_call_ns;
	int rc = ra_advice_add(idle->advice, RA_ADVICE_WAIT,
	                       ra_util_add_time(wait_ns, is_wait ? no_call_ns : 0),
	                       &idle->causes[WAIT], NULL);

	if (rc == 0 && !is_wait) {
		rc = ra_advice_add(idle->advice, RA_ADVICE_IDLE, no_call_ns, &idle->causes[NO_CALL],
		                   NULL);
	}
	return rc;
}

static int tell_short(struct idle *idle)
{
	struct ra_util_text detail = { 0 };
	int rc = 0;

	ra_util_text_format(
		&detail, "%llu of %llu kernels are shorter than the call that launched them",
		(unsigned long long) idle->short_ops, (unsigned long long) idle->linked_ops);
	if (idle->caused_ns[SHORT] * 2 > idle->caused_ns[HOST] ||
	    idle->short_ops * 2 > idle->linked_ops) {
		rc = ra_advice_add(idle->advice, RA_ADVICE_SHORT, idle->caused_ns[SHORT],
		                   &idle->causes[SHORT], &detail);
	}
	ra_util_text_free(&detail);
	return rc;
}

static int tell_recording(struct idle *idle)
{
	const bool is_before = idle->caused_ns[BEFORE] >= idle->caused_ns[PROFILER];
	const enum cause cause = is_before ? BEFORE : PROFILER;
	struct ra_util_text detail = { 0 };
	int rc;

	ra_util_text_format(&detail, "%s",
	                    is_before ? "the first operation had been launched and did not begin: "
	                                "the GPU still ran what was launched before the recording"
	                              : "the profiler starts, stops or writes");
	rc = ra_advice_add(idle->advice, RA_ADVICE_RECORDING, idle->caused_ns[cause],
	                   &idle->causes[cause], &detail);
	ra_util_text_free(&detail);
	return rc;
}

static int tell_host(struct idle *idle)
{
	static const struct {
		enum cause cause;
		enum ra_advice_id id;
	} plain[] = { { LOADING, RA_ADVICE_LOADING },
		      { FIRST_USE, RA_ADVICE_FIRST_USE },
		      { SYNC, RA_ADVICE_SYNC },
		      { SYNC_COPY, RA_ADVICE_SYNC_COPY },
		      { PAGEABLE, RA_ADVICE_PAGEABLE } };
	const struct ra_model *model = idle->advice->model;
	const bool is_blocking = ra_environment_is_blocking(model->reader);
	struct ra_util_text detail = { 0 };
	int rc = 0;

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]) && rc == 0; i++) {
		rc = ra_advice_add(idle->advice, plain[i].id, idle->caused_ns[plain[i].cause],
		                   &idle->causes[plain[i].cause], NULL);
	}
	if (is_blocking) {
		ra_util_text_format(&detail, "each launch waits until the work of the one before "
		                             "is done (CUDA_LAUNCH_BLOCKING)");
	} else if (ra_model_rows_count(model, RA_KINETO_PYTHON_FUNCTION) > 0) {
		if (idle->python.count > 0) {
			ra_util_text_format(&detail, "; launched from ");
			ra_advice_put_names(&detail, &idle->python);
		}
		ra_util_text_format(&detail, "; stacks of Python were recorded, which slow it");
	}
	if (rc == 0) {
		rc = ra_advice_add(idle->advice, is_blocking ? RA_ADVICE_BLOCKING : RA_ADVICE_HOST,
		                   idle->caused_ns[HOST], &idle->causes[HOST], &detail);
	}
	if (rc == 0 && !is_blocking && idle->caused_ns[LAUNCH] * 2 > idle->caused_ns[HOST]) {
		rc = ra_advice_add(idle->advice, RA_ADVICE_LAUNCH, idle->caused_ns[LAUNCH],
		                   &idle->causes[LAUNCH], NULL);
	}
	ra_util_text_free(&detail);
	return rc;
}

static int advise_device(struct ra_advice *advice, const struct ra_advice_host *host,
                         const struct ra_python_stacks *stacks,
                         const struct ra_gpu_order_device *device)
{
	struct idle idle = {
		.advice = advice, .host = host, .stacks = stacks, .device = device->id
	};
	int rc = note_gaps(&idle, device);

	if (rc == 0) {
		rc = tell_host(&idle);
	}
	if (rc == 0 && !ra_environment_is_blocking(advice->model->reader)) {
		rc = tell_short(&idle);
	}
	if (rc == 0) {
		rc = tell_waits(&idle);
	}
	if (rc == 0) {
		rc = tell_recording(&idle);
	}
	for (size_t i = 0; i < CAUSES; i++) {
		ra_advice_evidence_fini(&idle.causes[i]);
	}
	ra_advice_evidence_fini(&idle.python);
	return rc;
}

/* Without a GPU the loader's part of the window is all that there is. */
static int advise_loading(struct ra_advice *advice, const struct ra_advice_host *host)
{
	struct ra_advice_evidence evidence = { 0 };
	int rc = ra_advice_note_ranges(&evidence, advice, ra_op_kinds_is_loader);

	if (rc == 0) {
		rc = ra_advice_add(
			advice, RA_ADVICE_LOADING,
			ra_advice_cover(&host->loading, advice->start_ns, advice->end_ns),
			&evidence, NULL);
	}
	ra_advice_evidence_fini(&evidence);
	return rc;
}

static int64_t sum_device(const struct ra_advice *advice, const struct ra_gpu_order_device *device)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < device->count; i++) {
		const struct ra_gpu_order_op *op = &advice->order.ops[device->first + i];

		sum_ns = ra_util_add_time(sum_ns, op->end_ns - op->start_ns);
	}
	return sum_ns;
}

int ra_advice_idle_apply(struct ra_advice *advice)
{
	struct ra_advice_host host;
	struct ra_python_stacks stacks;
	int64_t most_ns = 0;
	size_t advised = 0;
	int rc = ra_advice_host_init(&host, advice);
	const int stacks_rc = ra_python_stacks_init(&stacks, advice->model);

	rc = rc != 0 ? rc : stacks_rc;
	for (size_t d = 0; d < advice->order.device_count; d++) {
		const int64_t sum_ns = sum_device(advice, &advice->order.devices[d]);

		most_ns = sum_ns > most_ns ? sum_ns : most_ns;
	}
	for (size_t d = 0; d < advice->order.device_count && advised < MOST_DEVICES && rc == 0;
	     d++) {
		const struct ra_gpu_order_device *device = &advice->order.devices[d];

		if (device->count > 0 && sum_device(advice, device) >= most_ns / SIDE_DEVICE) {
			rc = advise_device(advice, &host, &stacks, device);
			advised++;
		}
	}
	if (rc == 0 && advice->model->gpu.op_count == 0) {
		rc = advise_loading(advice, &host);
	}
	ra_python_stacks_fini(&stacks);
	ra_advice_host_fini(&host);
	return rc;
}
