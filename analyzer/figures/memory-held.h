/* SPDX-License-Identifier: MIT */
/* Follows the memory that CUDA's pools hold, both handed out and free. */
#ifndef RA_MEMORY_HELD_H
#define RA_MEMORY_HELD_H

#include "analyzer/model/gpu/gpu.h"

/* The pools' state at some time; zero at the start. */
struct ra_memory_held {
	struct ra_memory_held_pool *pools; /* owned; a program has few pools */
	size_t count;
	size_t capacity;
	size_t next_event; /* next index into gpu->pool_events */
};

/*
 * Returns the bytes that all pools of a device hold when an allocation is made from a pool or given
 * back to it.
 *
 * @memory: records in order of time.
 */
int64_t ra_memory_held_sum(struct ra_memory_held *held, const struct ra_gpu *gpu,
                           const struct ra_gpu_memory *memory);

void ra_memory_held_fini(struct ra_memory_held *held);

#endif
