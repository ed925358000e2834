/* SPDX-License-Identifier: MIT */
/* The GPU half of a model under construction: queues and launch shapes, each once. */
#ifndef RA_GPU_BUILD_H
#define RA_GPU_BUILD_H

#include "analyzer/base/util-map.h"
#include "analyzer/model/gpu.h"

/* Zero-initialise. */
struct ra_gpu_build {
	struct ra_util_map queues; /* hash → index */
	struct ra_util_map shapes; /* likewise */
	size_t queue_capacity;
	size_t shape_capacity;
};

void ra_gpu_build_fini(struct ra_gpu_build *build);

/* Index of the queue with the device, context, stream and process of `wanted`, which is added if
 * need be. ra_gpu_sort() gives it another. */
uint32_t ra_gpu_build_queue(struct ra_gpu_build *build, struct ra_gpu *gpu,
                            const struct ra_gpu_queue *wanted);

/* Likewise of a shape, whose padding is hashed, too: set it to zero first. */
uint32_t ra_gpu_build_shape(struct ra_gpu_build *build, struct ra_gpu *gpu,
                            const struct ra_gpu_shape *wanted);

#endif
