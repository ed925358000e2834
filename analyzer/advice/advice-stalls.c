/* SPDX-License-Identifier: MIT */
/* Finds kernels that stalled: calls that took much longer than others of their kind. */
#include <stdlib.h>

#include "analyzer/advice/advice.h"
#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"

/* With fewer calls of a kind, the median says nothing. */
#define LEAST_CALLS  5
#define LEAST_STALLS 3
/* A stalled call is longer than the median by at least LEAST_NS and by at least LEAST_PART of the
 * median. */
#define LEAST_NS   200000
#define LEAST_PART 0.5
/* At most one in MOST_PART calls of a kind may have stalled. */
#define MOST_PART 3
/* If a call's duration differs by at most this part from MOST_ALIKE others, these calls had more
 * work to do and did not stall. */
#define ALIKE      0.02
#define MOST_ALIKE 3

struct work {
	struct ra_advice *advice;
	const struct ra_gpu *gpu;
	uint32_t *calls; /* owned; the kernels, as indices into ops */
	size_t count;
	struct ra_advice_evidence stalls; /* for each stalled call, its time beyond the median of
	                                     its kind */
	size_t kinds;
	double worst_ratio;
};

static int compare_kinds(const struct ra_gpu *gpu, uint32_t left, uint32_t right)
{
	const struct ra_gpu_op *a = &gpu->ops[left];
	const struct ra_gpu_op *b = &gpu->ops[right];
	const int order = RA_ORDER_THEN(RA_ORDER_UP(a, b, name), RA_ORDER_UP(a, b, shape));

	return RA_ORDER_THEN(order,
	                     RA_ORDER(gpu->queues[a->queue].device, gpu->queues[b->queue].device));
}

/* Orders by kind, then by duration, the shortest first. */
static int compare_calls(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_gpu *gpu = context;
	const int order = compare_kinds(gpu, left, right);

	return RA_ORDER_THEN(order, RA_ORDER(gpu->ops[left].dur_ns, gpu->ops[right].dur_ns));
}

/* Collects the kernels whose kind is known. Leaves out collectives, because they wait for other
 * ranks, and kernels without a known grid, because their kind is not known. */
static void collect(struct work *work)
{
	const struct ra_gpu *gpu = work->gpu;

	work->calls = ra_alloc_bytes((gpu->op_count + 1) * sizeof(*work->calls));
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		struct ra_kernel_class class;

		if (op->kind != RA_GPU_KERNEL || op->shape == RA_NONE || op->dur_ns <= 0 ||
		    ra_advice_clip(work->advice, op->start_ns, op->dur_ns) < op->dur_ns) {
			continue;
		}
		ra_advice_classify(work->advice, op, &class);
		if (class.kind != RA_KERNEL_COMMUNICATION) {
			work->calls[work->count++] = (uint32_t) i;
		}
	}
	ra_run_sort_indices(work->calls, work->count, compare_calls, gpu);
}

/* True if several calls of the kind take about as long as this one: then they have a size of their
 * own. */
static bool is_size(const struct ra_gpu_op *ops, const uint32_t *kind, size_t count, size_t at)
{
	const int64_t dur_ns = ops[kind[at]].dur_ns;
	const int64_t reach_ns = (int64_t) (ALIKE * (double) dur_ns);
	size_t alike = 0;

	for (size_t i = at;
	     i > 0 && alike < MOST_ALIKE && dur_ns - ops[kind[i - 1]].dur_ns <= reach_ns; i--) {
		alike++;
	}
	for (size_t i = at + 1;
	     i < count && alike < MOST_ALIKE && ops[kind[i]].dur_ns - dur_ns <= reach_ns; i++) {
		alike++;
	}
	return alike >= MOST_ALIKE;
}

static void note_kind(struct work *work, const uint32_t *kind, size_t count)
{
	const struct ra_gpu_op *ops = work->gpu->ops;
	const int64_t median_ns = ops[kind[count / 2]].dur_ns;
	const int64_t least_ns = (int64_t) (LEAST_PART * (double) median_ns) > LEAST_NS
	                                 ? (int64_t) (LEAST_PART * (double) median_ns)
	                                 : LEAST_NS;
	size_t first = count;
	bool has = false;

	while (first > 0 && ops[kind[first - 1]].dur_ns - median_ns >= least_ns) {
		first--;
	}
	if (count < LEAST_CALLS || (count - first) * MOST_PART > count) {
		return;
	}
	for (size_t i = first; i < count; i++) {
		const struct ra_gpu_op *op = &ops[kind[i]];
		const double ratio = (double) op->dur_ns / (double) median_ns;
		struct ra_advice_event event;

		if (is_size(ops, kind, count, i)) {
			continue;
		}
		event = ra_advice_read_op(work->advice, op);
		event.dur_ns = op->dur_ns - median_ns;
		ra_advice_note(&work->stalls, &event);
		work->worst_ratio = ratio > work->worst_ratio ? ratio : work->worst_ratio;
		has = true;
	}
	work->kinds += has;
}

static void note_all(struct work *work)
{
	size_t first = 0;

	for (size_t i = 1; i <= work->count; i++) {
		if (i == work->count ||
		    compare_kinds(work->gpu, work->calls[i], work->calls[first]) != 0) {
			note_kind(work, work->calls + first, i - first);
			first = i;
		}
	}
}

void ra_advice_stalls_apply(struct ra_advice *advice)
{
	struct work work = { .advice = advice, .gpu = &advice->model->gpu };
	struct ra_util_text detail = { 0 };

	collect(&work);
	note_all(&work);
	if (work.stalls.count >= LEAST_STALLS) {
		ra_util_text_format(&detail, "%llu calls of %zu kernel%s took up to %.1f times",
		                    (unsigned long long) work.stalls.count, work.kinds,
		                    ra_util_text_plural(work.kinds), work.worst_ratio);
		ra_advice_add(advice, RA_ADVICE_STALLS,
		              ra_advice_gpu_time(advice, work.stalls.total_ns), &work.stalls,
		              &detail);
	}
	ra_util_text_free(&detail);
	ra_advice_evidence_fini(&work.stalls);
	free(work.calls);
}
