/* SPDX-License-Identifier: MIT */
/* What CUDA's memory pools hold, handed out or not. */
#ifndef RA_MEMORY_HELD_H
#define RA_MEMORY_HELD_H

#include "analyzer/model/gpu.h"

/* As of some time; zero to begin with. */
struct ra_memory_held {
	struct ra_memory_held_pool *pools; /* owned; programs have few */
	size_t count;
	size_t capacity;
	size_t next_event; /* of gpu->pool_events */
};

/*
 * What all pools of a device hold when an allocation out of one was made, or given back.
 *
 * @memory: in order of time.
 */
int64_t ra_memory_held_sum(struct ra_memory_held *held, const struct ra_gpu *gpu,
                           const struct ra_gpu_memory *memory);

void ra_memory_held_fini(struct ra_memory_held *held);

#endif
