/* SPDX-License-Identifier: MIT */
/* Which recording of a CUDA event a wait was for. */
#ifndef RA_GPU_EVENTS_H
#define RA_GPU_EVENTS_H

#include "analyzer/model/gpu.h"

/* An event was recorded in a stream. */
struct ra_gpu_recording {
	uint64_t sync_id; /* of all recordings no other has it; 0 not known */
	uint32_t event;
	uint32_t context;
	uint32_t stream;
	uint32_t corr; /* of the call */
};

struct ra_gpu_events {
	struct ra_gpu_recording *recordings; /* owned */
	size_t count;
	size_t capacity;
};

/* All zero is an empty list. */
void ra_gpu_events_fini(struct ra_gpu_events *events);

void ra_gpu_events_add(struct ra_gpu_events *events, const struct ra_gpu_recording *recording);

/*
 * Fills in what gpu->syncs were for, by sync_id, where that is not known by the event: then it is
 * the last recording in the wait's context before the wait's call, as calls are numbered in their
 * order. Brings the recordings into another order.
 */
void ra_gpu_events_find(struct ra_gpu_events *events, struct ra_gpu *gpu);

#endif
