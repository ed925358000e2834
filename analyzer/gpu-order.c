/* SPDX-License-Identifier: MIT */
/* Sorts GPU operations by device and time. */
#include "analyzer/gpu-order.h"

#include <stdlib.h>

#include "format/error.h"

#define COMPARE(a, b) ((a) < (b) ? -1 : (a) > (b))

static int compare_ops(const void *left, const void *right)
{
	const struct ra_gpu_order_op *a = left;
	const struct ra_gpu_order_op *b = right;

	if (a->device != b->device) {
		return COMPARE(a->device, b->device);
	}
	if (a->start_ns != b->start_ns) {
		return COMPARE(a->start_ns, b->start_ns);
	}
	return a->end_ns != b->end_ns ? COMPARE(b->end_ns, a->end_ns) : COMPARE(a->op, b->op);
}

static int compare_devices(const void *left, const void *right)
{
	const struct ra_gpu_order_device *a = left;
	const struct ra_gpu_order_device *b = right;

	return COMPARE(a->id, b->id);
}

/* Those defined and those of queues, each once. */
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
	qsort(order->devices, count, sizeof(*order->devices), compare_devices);
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

int ra_gpu_order_init(struct ra_gpu_order *order, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;

	*order = (struct ra_gpu_order){ .end_ns = model->end_ns };
	order->ops = calloc(gpu->op_count + 1, sizeof(*order->ops));
	order->devices = calloc(gpu->device_count + gpu->queue_count + 1, sizeof(*order->devices));
	if (order->ops == NULL || order->devices == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	list_devices(order, gpu);
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const int64_t end_ns = op->start_ns + op->dur_ns;

		order->ops[i] = (struct ra_gpu_order_op){ op->start_ns, end_ns, (uint32_t) i,
			                                  gpu->queues[op->queue].device };
		order->start_ns = op->start_ns < order->start_ns ? op->start_ns : order->start_ns;
		order->end_ns = end_ns > order->end_ns ? end_ns : order->end_ns;
	}
	qsort(order->ops, gpu->op_count, sizeof(*order->ops), compare_ops);
	share_ops(order, gpu->op_count);
	return 0;
}

void ra_gpu_order_fini(struct ra_gpu_order *order)
{
	free(order->ops);
	free(order->devices);
	*order = (struct ra_gpu_order){ 0 };
}

uint32_t ra_gpu_order_find_device(const struct ra_gpu *gpu, uint32_t context)
{
	uint32_t found = RA_NONE;

	for (size_t i = 0; i < gpu->queue_count; i++) {
		const struct ra_gpu_queue *queue = &gpu->queues[i];

		if (queue->context == context) {
			if (found != RA_NONE && found != queue->device) {
				return RA_NONE;
			}
			found = queue->device;
		}
	}
	return found;
}
