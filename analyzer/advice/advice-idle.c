/* SPDX-License-Identifier: MIT */
/* Finds why a device is idle: walks through its gaps and copies, and reports the causes. */
#include "analyzer/advice/advice-idle.h"

#include "analyzer/base/text/util-string.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/figures/view-time.h"
#include "analyzer/base/util.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/read-log/facts/environment.h"

#define GRAPHS_WORTH 10 /* gaps before graphs are not mentioned if they take less than 1/10 */
#define SIDE_DEVICE  20 /* devices busy for less than 1/20 of the busiest are left out */
/* no machine has more devices; gaps of further devices are not looked at */
#define MOST_DEVICES 128

/* Finds the part of an operation during which nothing else runs on the device. */
static int64_t find_alone(const struct ra_advice_idle *idle,
                          const struct ra_gpu_order_device *device, size_t i, int64_t until_ns)
{
	const struct ra_gpu_order_op *at = &idle->advice->order.ops[device->first + i];
	const int64_t next_ns = i + 1 < device->count ? at[1].start_ns : at->end_ns;
	const int64_t from_ns = at->start_ns > until_ns ? at->start_ns : until_ns;
	const int64_t to_ns = at->end_ns < next_ns ? at->end_ns : next_ns;

	return to_ns > from_ns ? ra_advice_clip(idle->advice, from_ns, to_ns - from_ns) : 0;
}

/* True of copies and sets that block the program and don't use pageable memory. */
static bool stops_program(struct ra_advice_idle *idle, const struct ra_gpu_op *op)
{
	const struct ra_model *model = idle->advice->model;
	const uint32_t name = model->gpu.apis[op->api].name;
	const struct rlog_string call = ra_model_string(model, name);

	/* The name is tested last, because that takes longest, and there may be thousands of
	 * copies. */
	if (op->kind == RA_GPU_COPY) {
		return ra_name_tests_ask(&idle->are_waiting, name) &&
		       ra_util_string_has(call, "emcpy") && !ra_util_string_has(call, "Async");
	}
	return (op->dst_memory == RA_MEMORY_PINNED || op->dst_memory == RA_MEMORY_MANAGED) &&
	       ra_util_string_has(call, "emset") && !ra_util_string_has(call, "Async");
}

/* Charges a copy between host and device, and the gap before it, for the time in which nothing else
 * runs. */
static void note_copy(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                      int64_t alone_ns)
{
	const struct ra_advice *advice = idle->advice;
	const struct ra_gpu_op *op = gap->next;
	const bool is_pageable = ra_advice_gap_is_pageable(op);
	const int64_t dur_ns = gap->pageable_ns + alone_ns;

	if ((op->kind != RA_GPU_COPY && op->kind != RA_GPU_SET) || op->api == RA_NONE) {
		return;
	}
	if (op->copy_kind != RA_COPY_ON_DEVICE && dur_ns > 0 &&
	    (is_pageable || stops_program(idle, op))) {
		ra_advice_gap_charge(idle, is_pageable ? RA_CAUSE_PAGEABLE : RA_CAUSE_SYNC_COPY,
		                     op->start_ns - gap->pageable_ns, dur_ns,
		                     ra_advice_name_operator(advice, op),
		                     advice->model->gpu.apis[op->api].track);
	}
	ra_advice_waits_see_copy(idle, gap);
}

/* Counts short kernels that begin in the window. The walk also passes kernels before the window. */
static void count_short(struct ra_advice_idle *idle, const struct ra_gpu_op *op)
{
	const struct ra_model *model = idle->advice->model;
	double blocks;

	if (op->kind == RA_GPU_KERNEL && op->api != RA_NONE &&
	    op->start_ns >= idle->advice->start_ns) {
		idle->linked_ops++;
		idle->short_ops += op->dur_ns < model->gpu.apis[op->api].dur_ns;
		blocks = ra_gpu_metrics_find_load(model, (size_t) (op - model->gpu.ops)).blocks;
		idle->small_ops += blocks > 0 && blocks < 1; /* NaN or 0: not known */
	}
}

/* The state of the walk over a device's operations. */
struct walk {
	const struct ra_gpu_order_device *device;
	int64_t until_ns; /* the latest end of all operations so far; `last` is the operation that
	                     ends then */
	const struct ra_gpu_op *last;
};

static void note_op(struct ra_advice_idle *idle, struct walk *walk, size_t i, bool is_single)
{
	const struct ra_gpu *gpu = &idle->advice->model->gpu;
	const struct ra_gpu_order_op *op = &idle->advice->order.ops[walk->device->first + i];
	struct ra_advice_gap gap = { .start_ns = walk->until_ns,
		                     .end_ns = op->start_ns,
		                     .next = &gpu->ops[op->op],
		                     .last = walk->last };

	if (gap.next->api != RA_NONE) {
		ra_advice_waits_see(idle, gap.next, walk->until_ns);
	}
	if (gap.end_ns > gap.start_ns) {
		ra_advice_gap_note(idle, &gap);
	}
	note_copy(idle, &gap, is_single ? find_alone(idle, walk->device, i, walk->until_ns) : 0);
	if (op->end_ns > walk->until_ns) {
		walk->until_ns = op->end_ns;
		walk->last = &gpu->ops[op->op];
	}
	idle->has_ended = true;
	count_short(idle, gap.next);
}

/* Finds the operation of [from, to) whose call came first. */
static size_t find_earliest(const struct ra_advice_idle *idle, const struct walk *walk, size_t from,
                            size_t to)
{
	const struct ra_gpu *gpu = &idle->advice->model->gpu;
	const struct ra_gpu_order_op *ops = &idle->advice->order.ops[walk->device->first];
	size_t earliest = from;
	int64_t earliest_ns = INT64_MAX;

	for (size_t i = from; i < to; i++) {
		const uint32_t api = gpu->ops[ops[i].op].api;

		if (api != RA_NONE && gpu->apis[api].start_ns < earliest_ns) {
			earliest = i;
			earliest_ns = gpu->apis[api].start_ns;
		}
	}
	return earliest;
}

/* If operations begin together, the one whose call came first ended the gap. */
static void note_gaps(struct ra_advice_idle *idle, const struct ra_gpu_order_device *device)
{
	const struct ra_advice *advice = idle->advice;
	const struct ra_gpu_order_op *ops = &advice->order.ops[device->first];
	struct walk walk = { .device = device, .until_ns = advice->start_ns };
	size_t to = 0;

	for (size_t from = 0; from < device->count; from = to) {
		size_t earliest;

		if (ops[from].start_ns >= advice->end_ns) {
			break;
		}
		for (to = from + 1; to < device->count && ops[to].start_ns == ops[from].start_ns;) {
			to++;
		}
		earliest = find_earliest(idle, &walk, from, to);
		note_op(idle, &walk, earliest, to - from == 1);
		for (size_t i = from; i < to; i++) {
			if (i != earliest) {
				note_op(idle, &walk, i, false);
			}
		}
	}
}

/* Reports idle time before operations that were launched long before they started, or whose call
 * was not recorded although other operations have theirs. */
static void tell_waits(struct ra_advice_idle *idle)
{
	const int64_t wait_ns = idle->caused_ns[RA_CAUSE_WAIT];
	const int64_t no_call_ns = idle->caused_ns[RA_CAUSE_NO_CALL];
	const bool is_wait = wait_ns > no_call_ns;
	const int64_t sum_ns = ra_util_add_time(wait_ns, is_wait ? no_call_ns : 0);
	const int64_t graphs_ns = ra_util_add_time(idle->graphs_ns[RA_CAUSE_WAIT],
	                                           is_wait ? idle->graphs_ns[RA_CAUSE_NO_CALL] : 0);
	struct ra_util_text detail = { 0 };

	ra_util_text_format(&detail, "%.0f%%",
	                    sum_ns > 0 ? 100 * (double) graphs_ns / (double) sum_ns : 0);
	ra_advice_add(idle->advice,
	              graphs_ns >= sum_ns - graphs_ns      ? RA_ADVICE_WAIT_GRAPHS
	              : graphs_ns >= sum_ns / GRAPHS_WORTH ? RA_ADVICE_WAIT_PART
	                                                   : RA_ADVICE_WAIT,
	              sum_ns, &idle->causes[RA_CAUSE_WAIT], &detail);
	ra_util_text_free(&detail);
	if (!is_wait) {
		ra_advice_add(idle->advice, RA_ADVICE_IDLE, no_call_ns,
		              &idle->causes[RA_CAUSE_NO_CALL], NULL);
	}
}

static void tell_short(struct ra_advice_idle *idle)
{
	struct ra_util_text detail = { 0 };

	ra_util_text_format(
		&detail, "%llu of %llu kernels are shorter than the call that launched them",
		(unsigned long long) idle->short_ops, (unsigned long long) idle->linked_ops);
	if (idle->small_ops * 2 > idle->linked_ops) {
		ra_util_text_format(&detail,
		                    ", and %llu kernels have fewer blocks than the GPU has "
		                    "multiprocessors: larger batches cost it little",
		                    (unsigned long long) idle->small_ops);
	}
	if (idle->caused_ns[RA_CAUSE_SHORT] * 2 > idle->caused_ns[RA_CAUSE_HOST] ||
	    idle->short_ops * 2 > idle->linked_ops) {
		ra_advice_add(idle->advice, RA_ADVICE_SHORT, idle->caused_ns[RA_CAUSE_SHORT],
		              &idle->causes[RA_CAUSE_SHORT], &detail);
	}
	ra_util_text_free(&detail);
}

/* Adds the time that the report `overview` counts for the data loader, if that differs. `overview`
 * counts all time of that role on all devices, even in gaps before operations that were launched
 * long before. */
static void put_of_overview(struct ra_util_text *detail, const struct ra_advice_idle *idle)
{
	const struct ra_report_steps *steps = idle->advice->steps;
	double loading_ns = 0;

	for (size_t i = 0; i < steps->steps.times.step_count; i++) {
		loading_ns += steps->costs[i].role[RA_ROLE_DATALOADER];
	}
	if (idle->advice->device_count == 1 && loading_ns >= 1 &&
	    ra_advice_ns(loading_ns) != idle->caused_ns[RA_CAUSE_LOADING]) {
		ra_util_text_format(detail, "; DataLoader of the report overview is ");
		ra_util_text_put_time(detail, ra_advice_ns(loading_ns));
		ra_util_text_format(detail,
		                    ": it counts all time in the loader without GPU work or CUDA "
		                    "call, even if the next work is launched already");
	}
}

/* Reports the cost of a cause. For waits, it also says where the program was after them. */
static void tell_plain(struct ra_advice_idle *idle, enum ra_advice_cause cause,
                       enum ra_advice_id id)
{
	const struct ra_advice_evidence *since = cause == RA_CAUSE_SYNC        ? &idle->since_sync
	                                         : cause == RA_CAUSE_SYNC_COPY ? &idle->since_copy
	                                                                       : NULL;
	struct ra_util_text detail = { 0 };

	if (since != NULL && since->total_ns > idle->caused_ns[cause] / 2) {
		ra_util_text_format(&detail, "; after that the program was in ");
		ra_advice_put_names(&detail, since);
	}
	if (cause == RA_CAUSE_LOADING) {
		put_of_overview(&detail, idle);
	}
	if (cause == RA_CAUSE_PAGEABLE && idle->before_copies_ns > idle->caused_ns[cause] / 10) {
		ra_util_text_format(&detail, "; ");
		ra_util_text_put_time(&detail, idle->before_copies_ns);
		ra_util_text_format(&detail, " of it pass in copy calls before their copies begin");
	}
	ra_advice_add(idle->advice, id, idle->caused_ns[cause], &idle->causes[cause], &detail);
	ra_util_text_free(&detail);
}

static void tell_plains(struct ra_advice_idle *idle)
{
	static const struct {
		enum ra_advice_cause cause;
		enum ra_advice_id id;
	} plain[] = { { RA_CAUSE_BEFORE, RA_ADVICE_RECORDING_BEFORE },
		      { RA_CAUSE_PROFILER, RA_ADVICE_RECORDING },
		      { RA_CAUSE_LOADING, RA_ADVICE_LOADING },
		      { RA_CAUSE_FIRST_USE, RA_ADVICE_FIRST_USE },
		      { RA_CAUSE_ALLOCATION, RA_ADVICE_ALLOCATION },
		      { RA_CAUSE_SYNC, RA_ADVICE_SYNC },
		      { RA_CAUSE_SYNC_COPY, RA_ADVICE_SYNC_COPY },
		      { RA_CAUSE_PAGEABLE, RA_ADVICE_PAGEABLE } };

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		tell_plain(idle, plain[i].cause, plain[i].id);
	}
}

/* True if for most of the time no range or call of the program was recorded. */
static bool is_unknown(const struct ra_advice_idle *idle)
{
	const struct ra_advice_evidence *host = &idle->causes[RA_CAUSE_HOST];
	int64_t nowhere_ns = 0;

	for (size_t i = 0; i < host->name_count; i++) {
		if (host->names[i].name.bytes == ra_advice_nowhere) {
			nowhere_ns = host->names[i].total_ns;
		}
	}
	return nowhere_ns > host->total_ns / 2 && idle->python.total_ns < host->total_ns / 2;
}

/* True if most of the time is in long gaps. Then launching many operations is not the reason. */
static bool is_long(const struct ra_advice_idle *idle)
{
	return idle->long_ns > idle->caused_ns[RA_CAUSE_HOST] / 2;
}

/* Appends what slows the host, and how much of its lateness comes from waits. */
static void put_of_host(struct ra_util_text *detail, const struct ra_advice_idle *idle)
{
	const struct ra_model *model = idle->advice->model;
	const struct ra_advice_evidence *host = &idle->causes[RA_CAUSE_HOST];

	if (idle->advice->view_ns > 0) {
		ra_util_text_format(detail, "; all operators are slow: a view takes ");
		ra_util_text_put_time(detail, idle->advice->view_ns);
		ra_util_text_format(detail, ", usually under 2us");
	}
	if (ra_model_rows_count(model, RA_KINETO_PYTHON_FUNCTION) > 0) {
		if (idle->python.count > 0) {
			ra_util_text_format(detail, "; its Python code is in ");
			ra_advice_put_names(detail, &idle->python);
		}
		ra_util_text_format(detail,
		                    "; Python stacks were recorded, which slows the program");
	}
	if (host->shared_ns > 0) {
		ra_util_text_format(detail, "; ");
		ra_util_text_put_time(detail, host->shared_ns);
		ra_util_text_format(detail, " of it after a wait had let the GPU catch up");
	}
}

static void tell_host(struct ra_advice_idle *idle)
{
	const struct ra_model *model = idle->advice->model;
	const bool is_blocking = ra_environment_is_blocking(model->reader);
	const struct ra_advice_evidence *host = &idle->causes[RA_CAUSE_HOST];
	struct ra_util_text detail = { 0 };

	if (!is_blocking) {
		put_of_host(&detail, idle);
	}
	ra_advice_add(idle->advice,
	              is_blocking                 ? RA_ADVICE_BLOCKING
	              : is_unknown(idle)          ? RA_ADVICE_HOST_UNKNOWN
	              : is_long(idle)             ? RA_ADVICE_HOST_LONG
	              : idle->advice->view_ns > 0 ? RA_ADVICE_HOST_SLOW
	                                          : RA_ADVICE_HOST,
	              idle->caused_ns[RA_CAUSE_HOST], host, &detail);
	if (!is_blocking && idle->caused_ns[RA_CAUSE_LAUNCH] * 2 > idle->caused_ns[RA_CAUSE_HOST]) {
		ra_advice_add(idle->advice, RA_ADVICE_LAUNCH, idle->caused_ns[RA_CAUSE_LAUNCH],
		              &idle->causes[RA_CAUSE_LAUNCH], NULL);
	}
	ra_util_text_free(&detail);
}

/* Sets how much of each part of the host's lateness is also charged to waits: the same share as of
 * its whole lateness. */
static void share_waits(struct ra_advice_idle *idle)
{
	static const enum ra_advice_cause parts[] = { RA_CAUSE_LAUNCH, RA_CAUSE_SHORT };
	const int64_t host_ns = idle->caused_ns[RA_CAUSE_HOST];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && host_ns > 0; i++) {
		idle->causes[parts[i]].shared_ns =
			ra_advice_ns((double) idle->causes[RA_CAUSE_HOST].shared_ns *
		                     (double) idle->caused_ns[parts[i]] / (double) host_ns);
	}
}

static void advise_device(struct ra_advice *advice, const struct ra_advice_host *hosts,
                          const struct ra_python_stacks *stacks,
                          const struct ra_gpu_order_device *device)
{
	struct ra_advice_idle idle = {
		.advice = advice, .hosts = hosts, .stacks = stacks, .device = device->id
	};

	ra_advice_waits_init(&idle);
	note_gaps(&idle, device);
	ra_advice_waits_finish(&idle);
	share_waits(&idle);
	tell_plains(&idle);
	tell_host(&idle);
	if (!ra_environment_is_blocking(advice->model->reader)) {
		tell_short(&idle);
	}
	tell_waits(&idle);
	for (size_t i = 0; i < RA_CAUSES; i++) {
		ra_advice_evidence_fini(&idle.causes[i]);
	}
	ra_advice_evidence_fini(&idle.python);
	ra_advice_evidence_fini(&idle.since_sync);
	ra_advice_evidence_fini(&idle.since_copy);
}

/* Reports waits for data loaders if there is no GPU data. Then only the loaders' part of the window
 * is known. */
static void advise_loading(struct ra_advice *advice, const struct ra_advice_host *hosts)
{
	struct ra_advice_evidence evidence = { 0 };
	struct ra_intervals loading = { 0 };

	ra_advice_note_ranges(&evidence, advice, ra_op_kinds_is_loader, NULL);
	for (size_t i = 0; i <= advice->model->process_count; i++) {
		ra_intervals_add_all(&loading, &hosts[i].loading);
	}
	ra_advice_add(advice, RA_ADVICE_LOADING,
	              ra_intervals_cover(&loading, advice->start_ns, advice->end_ns), &evidence,
	              NULL);
	ra_intervals_fini(&loading);
	ra_advice_evidence_fini(&evidence);
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

void ra_advice_idle_apply(struct ra_advice *advice)
{
	struct ra_advice_host *hosts = ra_advice_host_init(advice);
	struct ra_python_stacks stacks;
	int64_t most_ns = 0;
	size_t advised = 0;

	advice->view_ns = ra_view_time_find_slow(advice->model);
	ra_python_stacks_init_calls(&stacks, advice->model);
	for (size_t d = 0; d < advice->order.device_count; d++) {
		const int64_t sum_ns = sum_device(advice, &advice->order.devices[d]);

		most_ns = sum_ns > most_ns ? sum_ns : most_ns;
	}
	for (size_t d = 0; d < advice->order.device_count && advised < MOST_DEVICES; d++) {
		const struct ra_gpu_order_device *device = &advice->order.devices[d];

		if (device->count > 0 && sum_device(advice, device) >= most_ns / SIDE_DEVICE) {
			advise_device(advice, hosts, &stacks, device);
			advised++;
		}
	}
	if (advice->model->gpu.op_count == 0) {
		advise_loading(advice, hosts);
	}
	ra_python_stacks_fini(&stacks);
	ra_advice_host_fini(hosts, advice);
}
