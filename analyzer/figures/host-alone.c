/* SPDX-License-Identifier: MIT */
/* Finds how long the host needs for its steps without waits for GPUs. */
#include "analyzer/figures/host-alone.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/intervals.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

/* A call that launches waited only if it took at least this many ns, and this many times as long as
 * the quick tenth of the calls of its name. Without a wait it takes 2 to 20 us. */
#define LONG_NS    30000
#define LONG_TIMES 5
#define QUICK_PART 10

/* A thread with less than this part (1/4) of all launches only brings data. The step does not wait
 * for it. */
#define LEAST_PART 4

/* What a call does with a GPU. */
enum {
	DOES_NOTHING,
	LAUNCHES, /* launches kernels, graphs, or copies that do not block the host */
	WAITS,    /* returns when the GPU has finished */
};

struct work {
	const struct ra_model *model;
	uint8_t *does;         /* owned; for each call, one of the above */
	uint64_t *launches;    /* owned; for each track, its number of launches */
	uint64_t all_launches; /* sum of launches */
	uint32_t *ops;         /* owned; for each call, the first operation it launched, or
	                          RA_NONE */
	int64_t *quick_ns;     /* owned; for each name, the duration below which a tenth of its
	                          calls are */
	struct ra_intervals waits;
};

/* A copy or memset without Async in its name returns when it has finished. */
static void note_ops(struct work *work)
{
	const struct ra_gpu *gpu = &work->model->gpu;

	for (size_t i = 0; i < gpu->api_count; i++) {
		work->ops[i] = RA_NONE;
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->api == RA_NONE || work->does[op->api] != DOES_NOTHING) {
			continue;
		}
		work->does[op->api] =
			(op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET) &&
					!ra_util_string_has(
						ra_model_string(work->model,
		                                                gpu->apis[op->api].name),
						"Async")
				? WAITS
				: LAUNCHES;
		work->ops[op->api] = (uint32_t) i;
		work->launches[gpu->apis[op->api].track]++;
		work->all_launches++;
	}
	for (size_t i = 0; i < gpu->api_count; i++) {
		if (ra_util_string_has(ra_model_string(work->model, gpu->apis[i].name),
		                       "Synchronize")) {
			work->does[i] = WAITS;
		}
	}
}

/* A call and its name. */
struct named {
	int64_t dur_ns;
	uint32_t name;
};

static int compare_named(const void *left, const void *right)
{
	const struct named *a = left;
	const struct named *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, name), RA_ORDER_UP(a, b, dur_ns));
}

static void find_quick(struct work *work)
{
	const struct ra_gpu *gpu = &work->model->gpu;
	struct named *calls = ra_alloc_zeros(gpu->api_count + 1, sizeof(*calls));
	size_t count = 0;

	for (size_t i = 0; i < gpu->api_count; i++) {
		if (work->does[i] == LAUNCHES) {
			calls[count++] = (struct named){ gpu->apis[i].dur_ns, gpu->apis[i].name };
		}
	}
	RA_SORT(calls, count, compare_named);
	for (size_t first = 0; first < count;) {
		size_t end = first;

		while (end < count && calls[end].name == calls[first].name) {
			end++;
		}
		work->quick_ns[calls[first].name] =
			calls[first + (end - first) / QUICK_PART].dur_ns;
		first = end;
	}
	free(calls);
}

/*
 * True if a call that launches waited. It may wait for room in a full queue; then its work had to
 * wait for long, too. A copy of pageable memory waits for the work before it. A call that is only
 * slow, such as the first launch of a kernel, finds the GPU idle.
 */
static bool is_long(const struct work *work, size_t call)
{
	const struct ra_gpu_api *api = &work->model->gpu.apis[call];
	const int64_t end_ns = ra_util_add_time(api->start_ns, api->dur_ns);
	const struct ra_gpu_op *op;

	if (work->does[call] != LAUNCHES || work->ops[call] == RA_NONE || api->dur_ns < LONG_NS ||
	    api->dur_ns / LONG_TIMES < work->quick_ns[api->name]) {
		return false;
	}
	op = &work->model->gpu.ops[work->ops[call]];
	return op->start_ns - end_ns >= LONG_NS ||
	       (op->start_ns - api->start_ns >= LONG_NS &&
	        ra_util_add_time(op->start_ns, op->dur_ns) <= end_ns);
}

static void collect_waits(struct work *work)
{
	const struct ra_gpu *gpu = &work->model->gpu;

	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const int64_t quick_ns = work->does[i] == LAUNCHES ? work->quick_ns[api->name] : 0;

		if ((work->does[i] == WAITS || is_long(work, i)) &&
		    work->launches[api->track] >= work->all_launches / LEAST_PART) {
			ra_intervals_add(&work->waits, ra_util_add_time(api->start_ns, quick_ns),
			                 ra_util_add_time(api->start_ns, api->dur_ns));
		}
	}
}

/* Sums the steps' ranges, which are in order and do not overlap, and the waits in them. */
static struct ra_host_alone measure(struct work *work, const struct ra_steps *steps)
{
	struct ra_intervals ranges = { 0 };
	struct ra_host_alone alone;

	for (size_t i = 0; i < steps->times.step_count; i++) {
		ra_intervals_join(&ranges, steps->hosts[i].start_ns, steps->hosts[i].end_ns);
	}
	ra_intervals_unite(&work->waits);
	alone.range_ns = ra_intervals_length(&ranges);
	alone.waits_ns = ra_intervals_overlap(&ranges, &work->waits);
	ra_intervals_fini(&ranges);
	return alone;
}

struct ra_host_alone ra_host_alone_find(const struct ra_model *model, const struct ra_steps *steps)
{
	struct work work = { .model = model };
	struct ra_host_alone alone = { 0, 0 };

	if (steps->is_whole || model->gpu.api_count == 0) {
		return alone;
	}
	work.does = ra_alloc_zeros(model->gpu.api_count + 1, 1);
	work.launches = ra_alloc_zeros(model->track_count + 1, sizeof(*work.launches));
	work.ops = ra_alloc_zeros(model->gpu.api_count + 1, sizeof(*work.ops));
	work.quick_ns = ra_alloc_zeros(model->name_count + 1, sizeof(*work.quick_ns));
	note_ops(&work);
	find_quick(&work);
	collect_waits(&work);
	alone = measure(&work, steps);
	free(work.does);
	free(work.launches);
	free(work.ops);
	free(work.quick_ns);
	ra_intervals_fini(&work.waits);
	return alone;
}
