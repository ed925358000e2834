/* SPDX-License-Identifier: MIT */
/* Follows the memory that CUDA's pools hold. */
#include "analyzer/figures/memory-held.h"

#include <stdlib.h>

#include "analyzer/base/util.h"

#define DESTROYED 2 /* CUPTI's kind of an event */

struct ra_memory_held_pool {
	uint64_t address;
	uint32_t device;
	int64_t bytes;
};

static void hold(struct ra_memory_held *held, uint64_t address, uint32_t device, uint64_t bytes)
{
	static const int64_t most = INT64_MAX / 4;
	size_t i = 0;

	while (i < held->count &&
	       (held->pools[i].address != address || held->pools[i].device != device)) {
		i++;
	}
	if (i == held->count) {
		RA_UTIL_APPEND(
			held->pools, held->count, held->capacity,
			(struct ra_memory_held_pool){ .address = address, .device = device });
	}
	held->pools[i].bytes = bytes < (uint64_t) most ? (int64_t) bytes : most;
}

int64_t ra_memory_held_sum(struct ra_memory_held *held, const struct ra_gpu *gpu,
                           const struct ra_gpu_memory *memory)
{
	int64_t bytes = 0;

	while (held->next_event < gpu->pool_event_count &&
	       gpu->pool_events[held->next_event].time_ns <= memory->time_ns) {
		const struct ra_gpu_pool_event *event = &gpu->pool_events[held->next_event++];

		hold(held, event->pool, event->device,
		     event->kind == DESTROYED ? 0 : event->reserved);
	}
	hold(held, memory->pool, memory->device, memory->reserved);
	for (size_t i = 0; i < held->count; i++) {
		if (held->pools[i].device == memory->device) {
			bytes = ra_util_add_time(bytes, held->pools[i].bytes);
		}
	}
	return bytes;
}

void ra_memory_held_fini(struct ra_memory_held *held)
{
	free(held->pools);
}
