/* SPDX-License-Identifier: MIT */
/* The order of the GPU half of a model. */
#include <stdlib.h>

#include "analyzer/model/gpu.h"
#include "format/error.h"

#define COMPARE(a, b) ((a) < (b) ? -1 : (a) > (b))

static int compare_ops(const void *left, const void *right)
{
	const struct ra_gpu_op *a = left;
	const struct ra_gpu_op *b = right;

	if (a->queue != b->queue) {
		return COMPARE(a->queue, b->queue);
	}
	if (a->start_ns != b->start_ns) {
		return COMPARE(a->start_ns, b->start_ns);
	}
	/* Longer first, then anything that makes the order one. */
	return a->dur_ns != b->dur_ns ? COMPARE(b->dur_ns, a->dur_ns) : COMPARE(a->corr, b->corr);
}

static int compare_apis(const void *left, const void *right)
{
	const struct ra_gpu_api *a = left;
	const struct ra_gpu_api *b = right;

	if (a->track != b->track) {
		return COMPARE(a->track, b->track);
	}
	if (a->start_ns != b->start_ns) {
		return COMPARE(a->start_ns, b->start_ns);
	}
	if (a->dur_ns != b->dur_ns) {
		return COMPARE(b->dur_ns, a->dur_ns);
	}
	return a->is_driver != b->is_driver ? COMPARE(a->is_driver, b->is_driver)
	                                    : COMPARE(a->corr, b->corr);
}

static int compare_syncs(const void *left, const void *right)
{
	const struct ra_gpu_sync *a = left;
	const struct ra_gpu_sync *b = right;

	return a->start_ns != b->start_ns ? COMPARE(a->start_ns, b->start_ns)
	                                  : COMPARE(a->corr, b->corr);
}

static int compare_overheads(const void *left, const void *right)
{
	const struct ra_gpu_overhead *a = left;
	const struct ra_gpu_overhead *b = right;

	if (a->start_ns != b->start_ns) {
		return COMPARE(a->start_ns, b->start_ns);
	}
	return a->dur_ns != b->dur_ns ? COMPARE(b->dur_ns, a->dur_ns) : COMPARE(a->kind, b->kind);
}

/* A queue and its place before sorting. */
struct placed_queue {
	struct ra_gpu_queue queue;
	uint32_t place;
};

static int compare_queues(const void *left, const void *right)
{
	const struct ra_gpu_queue *a = &((const struct placed_queue *) left)->queue;
	const struct ra_gpu_queue *b = &((const struct placed_queue *) right)->queue;

	if (a->device != b->device) {
		return COMPARE(a->device, b->device);
	}
	if (a->context != b->context) {
		return COMPARE(a->context, b->context);
	}
	return a->stream != b->stream ? COMPARE(a->stream, b->stream)
	                              : COMPARE(a->process, b->process);
}

static int sort_queues(struct ra_gpu *gpu)
{
	struct placed_queue *placed = calloc(gpu->queue_count + 1, sizeof(*placed));
	uint32_t *index = calloc(gpu->queue_count + 1, sizeof(*index));
	const bool is_ready = placed != NULL && index != NULL;

	for (size_t i = 0; i < gpu->queue_count && is_ready; i++) {
		placed[i] = (struct placed_queue){ gpu->queues[i], (uint32_t) i };
	}
	if (is_ready && gpu->queue_count > 0) {
		qsort(placed, gpu->queue_count, sizeof(*placed), compare_queues);
	}
	for (size_t i = 0; i < gpu->queue_count && is_ready; i++) {
		gpu->queues[i] = placed[i].queue;
		index[placed[i].place] = (uint32_t) i;
	}
	for (size_t i = 0; i < gpu->op_count && is_ready; i++) {
		gpu->ops[i].queue = index[gpu->ops[i].queue];
	}
	free(placed);
	free(index);
	return is_ready ? 0 : -RLOG_E_NO_MEMORY;
}

int ra_gpu_sort(struct ra_gpu *gpu)
{
	int rc = sort_queues(gpu);

	if (rc != 0) {
		return rc;
	}
	if (gpu->op_count > 0) {
		qsort(gpu->ops, gpu->op_count, sizeof(*gpu->ops), compare_ops);
	}
	if (gpu->api_count > 0) {
		qsort(gpu->apis, gpu->api_count, sizeof(*gpu->apis), compare_apis);
	}
	if (gpu->sync_count > 0) {
		qsort(gpu->syncs, gpu->sync_count, sizeof(*gpu->syncs), compare_syncs);
	}
	if (gpu->overhead_count > 0) {
		qsort(gpu->overheads, gpu->overhead_count, sizeof(*gpu->overheads),
		      compare_overheads);
	}
	ra_gpu_sort_memories(gpu);
	for (size_t i = 0; i < gpu->op_count; i++) {
		struct ra_gpu_queue *queue = &gpu->queues[gpu->ops[i].queue];

		if (queue->op_count++ == 0) {
			queue->first_op = i;
		}
	}
	return 0;
}

static int compare_devices(const void *left, const void *right)
{
	const struct ra_gpu_device *a = left;
	const struct ra_gpu_device *b = right;

	return a->id < b->id ? -1 : a->id > b->id;
}

void ra_gpu_sort_devices(struct ra_gpu *gpu)
{
	if (gpu->device_count > 0) {
		qsort(gpu->devices, gpu->device_count, sizeof(*gpu->devices), compare_devices);
	}
}
