/* SPDX-License-Identifier: MIT */
/* Sorts the GPU part of a model. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/model/gpu/gpu.h"

static int compare_ops(const void *left, const void *right)
{
	const struct ra_gpu_op *a = left;
	const struct ra_gpu_op *b = right;
	int order = RA_ORDER_UP(a, b, queue);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	/* Longer operations come first. The other keys only make the order unique. */
	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, dur_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, corr));
}

static int compare_apis(const void *left, const void *right)
{
	const struct ra_gpu_api *a = left;
	const struct ra_gpu_api *b = right;
	int order = RA_ORDER_UP(a, b, track);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, dur_ns));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, is_driver));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, corr));
}

static uint32_t find_queue(const void *row)
{
	return ((const struct ra_gpu_op *) row)->queue;
}

static uint32_t find_track(const void *row)
{
	return ((const struct ra_gpu_api *) row)->track;
}

/* Each queue's operations come nearly in order, so sorting takes little time. */
static void sort_ops(struct ra_gpu *gpu)
{
	const struct ra_run_sort_groups queues = { gpu->queue_count, find_queue };

	RA_RUN_SORT_GROUPS(gpu->ops, gpu->op_count, compare_ops, &queues);
}

/* Each thread's calls come nearly in order, so sorting takes little time. */
static void sort_apis(struct ra_gpu *gpu)
{
	struct ra_run_sort_groups tracks = { 0, find_track };

	for (size_t i = 0; i < gpu->api_count; i++) {
		if (gpu->apis[i].track >= tracks.count) {
			tracks.count = (size_t) gpu->apis[i].track + 1;
		}
	}
	RA_RUN_SORT_GROUPS(gpu->apis, gpu->api_count, compare_apis, &tracks);
}

static int compare_syncs(const void *left, const void *right)
{
	const struct ra_gpu_sync *a = left;
	const struct ra_gpu_sync *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, start_ns), RA_ORDER_UP(a, b, corr));
}

static int compare_overheads(const void *left, const void *right)
{
	const struct ra_gpu_overhead *a = left;
	const struct ra_gpu_overhead *b = right;
	int order = RA_ORDER_UP(a, b, start_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, dur_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, kind));
}

/* A queue, and its index before sorting. */
struct placed_queue {
	struct ra_gpu_queue queue;
	uint32_t place;
};

static int compare_queues(const void *left, const void *right)
{
	const struct ra_gpu_queue *a = &((const struct placed_queue *) left)->queue;
	const struct ra_gpu_queue *b = &((const struct placed_queue *) right)->queue;
	int order = RA_ORDER_UP(a, b, device);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, context));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, stream));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, process));
}

static void sort_queues(struct ra_gpu *gpu)
{
	struct placed_queue *placed = ra_alloc_zeros(gpu->queue_count + 1, sizeof(*placed));
	uint32_t *index = ra_alloc_zeros(gpu->queue_count + 1, sizeof(*index));

	for (size_t i = 0; i < gpu->queue_count; i++) {
		placed[i] = (struct placed_queue){ gpu->queues[i], (uint32_t) i };
	}
	RA_SORT(placed, gpu->queue_count, compare_queues);
	for (size_t i = 0; i < gpu->queue_count; i++) {
		gpu->queues[i] = placed[i].queue;
		index[placed[i].place] = (uint32_t) i;
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		gpu->ops[i].queue = index[gpu->ops[i].queue];
	}
	free(placed);
	free(index);
}

void ra_gpu_sort(struct ra_gpu *gpu)
{
	sort_queues(gpu);
	sort_ops(gpu);
	sort_apis(gpu);
	RA_SORT(gpu->syncs, gpu->sync_count, compare_syncs);
	RA_SORT(gpu->overheads, gpu->overhead_count, compare_overheads);
	ra_gpu_sort_memories(gpu);
	for (size_t i = 0; i < gpu->op_count; i++) {
		struct ra_gpu_queue *queue = &gpu->queues[gpu->ops[i].queue];

		if (queue->op_count++ == 0) {
			queue->first_op = i;
		}
	}
}

static int compare_devices(const void *left, const void *right)
{
	const struct ra_gpu_device *a = left;
	const struct ra_gpu_device *b = right;

	return RA_ORDER_UP(a, b, id);
}

void ra_gpu_sort_devices(struct ra_gpu *gpu)
{
	RA_SORT(gpu->devices, gpu->device_count, compare_devices);
}
