/* SPDX-License-Identifier: MIT */
/* Sorts GPU operations by device, then time. */
#ifndef RA_GPU_ORDER_H
#define RA_GPU_ORDER_H

#include "analyzer/model/gpu-early.h"
#include "analyzer/model/model.h"

struct ra_gpu_order_op {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t op; /* index into model->gpu.ops */
	uint32_t device;
};

/* A device and its operations; a device may have none. */
struct ra_gpu_order_device {
	uint32_t id; /* CUPTI's id */
	size_t first;
	size_t count;
};

struct ra_gpu_order {
	struct ra_gpu_order_op *ops;         /* owned; sorted by device, start, longer first,
	                                        index */
	struct ra_gpu_order_device *devices; /* owned; sorted by id: the devices that are defined,
	                                        and those that queues have */
	size_t device_count;
	struct ra_gpu_early early; /* tells which operations were launched before the recording */
	/* The span of the capture: from its start, or the first operation if that is earlier, to
	 * its end. All operations are within it. */
	int64_t start_ns;
	int64_t end_ns;
};

/* O(n log n); 24 bytes an operation. */
void ra_gpu_order_init(struct ra_gpu_order *order, const struct ra_model *model);
void ra_gpu_order_fini(struct ra_gpu_order *order);

/* The device of each context. */
struct ra_gpu_order_contexts {
	struct ra_gpu_order_context {
		uint32_t id;
		uint32_t device; /* RA_NONE: the context's queues are on several devices */
	} * rows;                /* owned; sorted by id */
	size_t count;
};

/* O(n log n) for n queues. */
void ra_gpu_order_contexts_init(struct ra_gpu_order_contexts *contexts, const struct ra_gpu *gpu);
void ra_gpu_order_contexts_fini(struct ra_gpu_order_contexts *contexts);

/* Returns the device of a context; RA_NONE if it is unknown or the context has several. O(log
 * contexts). */
uint32_t ra_gpu_order_find_device(const struct ra_gpu_order_contexts *contexts, uint32_t context);

#endif
