/* SPDX-License-Identifier: MIT */
/* Sweeps over each device's operations: unions, multiprocessors in use, occupancy. */
#include "analyzer/figures/gpu/gpu-busy.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/base/util.h"

/* A kernel starts to use multiprocessors, or ends. */
struct edge {
	int64_t time_ns;
	int64_t blocks; /* blocks that start; negative for the end of a kernel */
};

static int compare_edges(const void *left, const void *right)
{
	const struct edge *a = left;
	const struct edge *b = right;

	return RA_ORDER_UP(a, b, time_ns);
}

/* A union of intervals that come in order of start. */
struct cover {
	int64_t until_ns;
	int64_t sum_ns;
};

static void cover_add(struct cover *cover, const struct ra_gpu_order_op *op)
{
	const int64_t from_ns = op->start_ns > cover->until_ns ? op->start_ns : cover->until_ns;

	if (op->end_ns > from_ns) {
		cover->sum_ns = ra_util_add_time(cover->sum_ns, op->end_ns - from_ns);
		cover->until_ns = op->end_ns;
	}
}

/* One multiprocessor in the unit of `blocks` where only blocks per multiprocessor are known. */
#define PARTS (1 << 20)

/* Adds one kernel to the estimates. Return: number of edges added. */
static size_t add_kernel(struct ra_gpu_busy *row, const struct ra_model *model,
                         const struct ra_gpu_order_op *at, struct edge *edges)
{
	const struct ra_gpu *gpu = &model->gpu;
	const struct ra_gpu_metrics_load load = ra_gpu_metrics_find_load(model, at->op);
	const int64_t dur_ns = at->end_ns - at->start_ns;
	struct ra_gpu_metrics_shape shape;
	int64_t blocks;

	if (load.occupancy >= 0) {
		row->occupancy += load.occupancy * (double) dur_ns;
		row->occupancy_ns = ra_util_add_time(row->occupancy_ns, dur_ns);
	}
	if (ra_gpu_metrics_find_shape(gpu, &gpu->ops[at->op], &shape)) {
		row->multiprocessors = shape.multiprocessors;
		/* More blocks than multiprocessors use no more multiprocessors. The limit also
		 * keeps sums in range. */
		blocks =
			shape.blocks < shape.multiprocessors ? shape.blocks : shape.multiprocessors;
	} else if (load.blocks >= 0) {
		row->multiprocessors = PARTS;
		blocks = load.blocks < 1 ? (int64_t) (load.blocks * PARTS + 0.5) : PARTS;
	} else {
		return 0;
	}
	row->shaped_ns = ra_util_add_time(row->shaped_ns, dur_ns);
	edges[0] = (struct edge){ at->start_ns, blocks };
	edges[1] = (struct edge){ at->end_ns, -blocks };
	return 2;
}

/* Returns Σ min(blocks running, multiprocessors) × ns. In integers, so the order of summing does
 * not matter. */
static int64_t sum_multiprocessors(struct edge *edges, size_t count, int64_t limit)
{
	int64_t running = 0;
	int64_t sum = 0;

	RA_RUN_SORT(edges, count, compare_edges);
	for (size_t i = 0; i + 1 < count; i++) {
		int64_t part;

		running += edges[i].blocks;
		if (__builtin_mul_overflow(edges[i + 1].time_ns - edges[i].time_ns,
		                           running < limit ? running : limit, &part)) {
			part = INT64_MAX;
		}
		sum = ra_util_add_time(sum, part);
	}
	return sum;
}

static void sweep_device(struct ra_gpu_busy *row, const struct ra_model *model,
                         const struct ra_gpu_order *order, const struct ra_gpu_order_device *device,
                         struct edge *edges)
{
	struct cover all = { .until_ns = INT64_MIN };
	struct cover kernels = { .until_ns = INT64_MIN };
	size_t edge_count = 0;

	row->device = device->id;
	row->ops = device->count;
	for (size_t i = device->first; i < device->first + device->count; i++) {
		const struct ra_gpu_order_op *at = &order->ops[i];
		const enum ra_gpu_kind kind = (enum ra_gpu_kind) model->gpu.ops[at->op].kind;

		cover_add(&all, at);
		row->time_ns[kind] =
			ra_util_add_time(row->time_ns[kind], at->end_ns - at->start_ns);
		if (kind == RA_GPU_KERNEL) {
			cover_add(&kernels, at);
			edge_count += add_kernel(row, model, at, &edges[edge_count]);
		}
	}
	row->busy_ns = all.sum_ns;
	row->kernel_busy_ns = kernels.sum_ns;
	row->sm_ns = sum_multiprocessors(edges, edge_count, row->multiprocessors);
}

static bool is_wait_of_host(const struct ra_gpu_sync *sync)
{
	return sync->kind != 2; /* such a stream waits itself, the host does not */
}

static int compare_devices(const void *left, const void *right)
{
	const struct ra_gpu_busy *a = left;
	const struct ra_gpu_busy *b = right;

	return RA_ORDER_UP(a, b, device);
}

static void add_syncs(struct ra_gpu_busies *busies, const struct ra_gpu *gpu)
{
	struct ra_gpu_order_contexts contexts;

	ra_gpu_order_contexts_init(&contexts, gpu);
	for (size_t i = 0; i < gpu->sync_count; i++) {
		const struct ra_gpu_sync *sync = &gpu->syncs[i];
		const struct ra_gpu_busy key = {
			.device = ra_gpu_order_find_device(&contexts, sync->context),
		};
		struct ra_gpu_busy *row = NULL;

		if (is_wait_of_host(sync)) {
			row = RA_FIND(&key, busies->rows, busies->count, compare_devices);
		}
		if (row != NULL) {
			row->sync_ns = ra_util_add_time(row->sync_ns, sync->dur_ns);
		}
	}
	ra_gpu_order_contexts_fini(&contexts);
}

void ra_gpu_busy_init(struct ra_gpu_busies *busies, const struct ra_model *model,
                      const struct ra_gpu_order *order)
{
	struct edge *edges;
	size_t most = 0;

	*busies = (struct ra_gpu_busies){ 0 };
	for (size_t d = 0; d < order->device_count; d++) {
		most = order->devices[d].count > most ? order->devices[d].count : most;
	}
	edges = ra_alloc_zeros(2 * most + 1, sizeof(*edges));
	busies->rows = ra_alloc_zeros(order->device_count + 1, sizeof(*busies->rows));
	for (size_t d = 0; d < order->device_count; d++) {
		sweep_device(&busies->rows[busies->count++], model, order, &order->devices[d],
		             edges);
	}
	add_syncs(busies, &model->gpu);
	free(edges);
}

void ra_gpu_busy_fini(struct ra_gpu_busies *busies)
{
	free(busies->rows);
	*busies = (struct ra_gpu_busies){ 0 };
}
