/* SPDX-License-Identifier: MIT */
/* Sorts GPU operations by device and time. */
#include "analyzer/figures/gpu/gpu-order.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"

static int compare_ops(const void *left, const void *right)
{
	const struct ra_gpu_order_op *a = left;
	const struct ra_gpu_order_op *b = right;
	int order = RA_ORDER_UP(a, b, device);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, end_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, op));
}

static int compare_devices(const void *left, const void *right)
{
	const struct ra_gpu_order_device *a = left;
	const struct ra_gpu_order_device *b = right;

	return RA_ORDER_UP(a, b, id);
}

/* Finds the ids of devices that are defined or that queues have, each once. */
static void list_devices(struct ra_gpu_order *order, const struct ra_gpu *gpu)
{
	size_t count = 0;
	size_t kept = 0;

	for (size_t i = 0; i < gpu->device_count; i++) {
		order->devices[count++].id = gpu->devices[i].id;
	}
	for (size_t i = 0; i < gpu->queue_count; i++) {
		order->devices[count++].id = gpu->queues[i].device;
	}
	RA_SORT(order->devices, count, compare_devices);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || order->devices[kept - 1].id != order->devices[i].id) {
			order->devices[kept++] = order->devices[i];
		}
	}
	order->device_count = kept;
}

static void share_ops(struct ra_gpu_order *order, size_t op_count)
{
	size_t next = 0;

	for (size_t d = 0; d < order->device_count; d++) {
		struct ra_gpu_order_device *device = &order->devices[d];

		device->first = next;
		while (next < op_count && order->ops[next].device == device->id) {
			next++;
		}
		device->count = next - device->first;
	}
}

void ra_gpu_order_init(struct ra_gpu_order *order, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;

	*order = (struct ra_gpu_order){ .end_ns = model->end_ns };
	order->ops = ra_alloc_zeros(gpu->op_count + 1, sizeof(*order->ops));
	order->devices =
		ra_alloc_zeros(gpu->device_count + gpu->queue_count + 1, sizeof(*order->devices));
	list_devices(order, gpu);
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const int64_t end_ns = op->start_ns + op->dur_ns;

		order->ops[i] = (struct ra_gpu_order_op){ op->start_ns, end_ns, (uint32_t) i,
			                                  gpu->queues[op->queue].device };
		order->start_ns = op->start_ns < order->start_ns ? op->start_ns : order->start_ns;
		order->end_ns = end_ns > order->end_ns ? end_ns : order->end_ns;
	}
	/* The model has the operations of one queue after the other, each queue's in order of
	 * time. */
	RA_RUN_SORT(order->ops, gpu->op_count, compare_ops);
	share_ops(order, gpu->op_count);
	ra_gpu_early_init(&order->early, model);
}

void ra_gpu_order_fini(struct ra_gpu_order *order)
{
	free(order->ops);
	free(order->devices);
	ra_gpu_early_fini(&order->early);
	*order = (struct ra_gpu_order){ 0 };
}

static int compare_contexts(const void *left, const void *right)
{
	const struct ra_gpu_order_context *a = left;
	const struct ra_gpu_order_context *b = right;

	return RA_ORDER_UP(a, b, id);
}

void ra_gpu_order_contexts_init(struct ra_gpu_order_contexts *contexts, const struct ra_gpu *gpu)
{
	size_t kept = 0;

	*contexts = (struct ra_gpu_order_contexts){ 0 };
	contexts->rows = ra_alloc_zeros(gpu->queue_count + 1, sizeof(*contexts->rows));
	for (size_t i = 0; i < gpu->queue_count; i++) {
		contexts->rows[i] = (struct ra_gpu_order_context){ gpu->queues[i].context,
			                                           gpu->queues[i].device };
	}
	RA_SORT(contexts->rows, gpu->queue_count, compare_contexts);
	for (size_t i = 0; i < gpu->queue_count; i++) {
		struct ra_gpu_order_context *last = kept > 0 ? &contexts->rows[kept - 1] : NULL;

		if (last == NULL || last->id != contexts->rows[i].id) {
			contexts->rows[kept++] = contexts->rows[i];
		} else if (last->device != contexts->rows[i].device) {
			last->device = RA_NONE;
		}
	}
	contexts->count = kept;
}

void ra_gpu_order_contexts_fini(struct ra_gpu_order_contexts *contexts)
{
	free(contexts->rows);
	*contexts = (struct ra_gpu_order_contexts){ 0 };
}

uint32_t ra_gpu_order_find_device(const struct ra_gpu_order_contexts *contexts, uint32_t context)
{
	const struct ra_gpu_order_context key = { .id = context };
	const struct ra_gpu_order_context *row =
		RA_FIND(&key, contexts->rows, contexts->count, compare_contexts);

	return row != NULL ? row->device : RA_NONE;
}
