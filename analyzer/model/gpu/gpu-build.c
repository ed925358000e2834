/* SPDX-License-Identifier: MIT */
/* The GPU part of a model under construction: stores each queue and each launch shape once. */
#include "analyzer/model/gpu/gpu-build.h"

#include <string.h>

#include "analyzer/base/util.h"

void ra_gpu_build_fini(struct ra_gpu_build *build)
{
	ra_util_map_free(&build->queues);
	ra_util_map_free(&build->shapes);
}

static bool is_queue(const struct ra_gpu_queue *a, const struct ra_gpu_queue *b)
{
	return a->device == b->device && a->context == b->context && a->stream == b->stream &&
	       a->process == b->process;
}

/* Devices and processes are small numbers, contexts and streams mostly below 2^24. If two queues
 * get the same key, the next key is tried. */
uint32_t ra_gpu_build_queue(struct ra_gpu_build *build, struct ra_gpu *gpu,
                            const struct ra_gpu_queue *wanted)
{
	uint64_t key = (uint64_t) wanted->device << 48 ^ (uint64_t) wanted->context << 24 ^
	               (uint64_t) wanted->process << 40 ^ wanted->stream;

	for (;; key++) {
		const uint32_t queue = ra_util_map_find(&build->queues, key);

		if (queue == RA_UTIL_MAP_NONE) {
			break;
		}
		if (is_queue(&gpu->queues[queue], wanted)) {
			return queue;
		}
	}
	ra_util_map_put(&build->queues, key, (uint32_t) gpu->queue_count);
	RA_UTIL_APPEND(gpu->queues, gpu->queue_count, build->queue_capacity, *wanted);
	return (uint32_t) gpu->queue_count - 1;
}

static bool is_shape(const struct ra_gpu_shape *a, const struct ra_gpu_shape *b)
{
	return memcmp(a->grid, b->grid, sizeof(a->grid)) == 0 &&
	       memcmp(a->block, b->block, sizeof(a->block)) == 0 &&
	       memcmp(a->cluster, b->cluster, sizeof(a->cluster)) == 0 &&
	       a->registers == b->registers && a->static_shared_bytes == b->static_shared_bytes &&
	       a->dynamic_shared_bytes == b->dynamic_shared_bytes &&
	       a->local_bytes == b->local_bytes && a->is_optin == b->is_optin &&
	       a->priority == b->priority && a->launch_type == b->launch_type;
}

uint32_t ra_gpu_build_shape(struct ra_gpu_build *build, struct ra_gpu *gpu,
                            const struct ra_gpu_shape *wanted)
{
	uint64_t key = 0;

	for (size_t i = 0; i < sizeof(*wanted); i += sizeof(uint32_t)) {
		uint32_t word;

		memcpy(&word, (const char *) wanted + i, sizeof(word));
		key = (key ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		key ^= key >> 32;
	}
	for (;; key++) {
		const uint32_t shape = ra_util_map_find(&build->shapes, key);

		if (shape == RA_UTIL_MAP_NONE) {
			break;
		}
		if (is_shape(&gpu->shapes[shape], wanted)) {
			return shape;
		}
	}
	ra_util_grow(&gpu->shapes, &build->shape_capacity, gpu->shape_count + 1, sizeof(*wanted));
	ra_util_map_put(&build->shapes, key, (uint32_t) gpu->shape_count);
	memcpy(&gpu->shapes[gpu->shape_count], wanted, sizeof(*wanted));
	return (uint32_t) gpu->shape_count++;
}
