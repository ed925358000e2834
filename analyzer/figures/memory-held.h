/* SPDX-License-Identifier: MIT */
/* Follows the memory that CUDA's pools hold, whether handed out or not. */
#ifndef RA_MEMORY_HELD_H
#define RA_MEMORY_HELD_H

#include "analyzer/model/gpu/gpu.h"

/* State as of some time; start with zero. */
struct ra_memory_held {
	struct ra_memory_held_pool *pools; /* owned; programs have few */
	size_t count;
	size_t capacity;
	size_t next_event; /* next index into gpu->pool_events */
};

/*
 * The bytes that all pools of a device hold when an allocation is made from a pool or given back to
 * it.
 *
 * @memory: in order of time.
 */
int64_t ra_memory_held_sum(struct ra_memory_held *held, const struct ra_gpu *gpu,
                           const struct ra_gpu_memory *memory);

void ra_memory_held_fini(struct ra_memory_held *held);

#endif
