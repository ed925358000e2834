/* SPDX-License-Identifier: MIT */
/* The GPU part of a model under construction: stores each queue and each launch shape once. */
#ifndef RA_GPU_BUILD_H
#define RA_GPU_BUILD_H

#include "analyzer/base/util-map.h"
#include "analyzer/model/gpu/gpu.h"

/* State of the construction. Zero-initialise. */
struct ra_gpu_build {
	struct ra_util_map queues; /* hash of a queue → its index */
	struct ra_util_map shapes; /* hash of a shape → its index */
	size_t queue_capacity;
	size_t shape_capacity;
};

void ra_gpu_build_fini(struct ra_gpu_build *build);

/* Returns the index of the queue with the device, context, stream and process of `wanted`. Adds the
 * queue if it is new. ra_gpu_sort() changes the indices. */
uint32_t ra_gpu_build_queue(struct ra_gpu_build *build, struct ra_gpu *gpu,
                            const struct ra_gpu_queue *wanted);

/* Returns the index of a launch shape. Adds the shape if it is new. Set the whole shape to zero
 * before you fill it, because its padding is hashed, too. */
uint32_t ra_gpu_build_shape(struct ra_gpu_build *build, struct ra_gpu *gpu,
                            const struct ra_gpu_shape *wanted);

#endif
