/* SPDX-License-Identifier: MIT */
/* Finds the recording of a CUDA event that a wait was for. */
#ifndef RA_GPU_EVENTS_H
#define RA_GPU_EVENTS_H

#include "analyzer/model/gpu/gpu.h"

/* A recording: a CUDA event was recorded on a stream. */
struct ra_gpu_recording {
	uint64_t sync_id; /* unique to this recording; 0: not known */
	uint32_t event;
	uint32_t context;
	uint32_t stream;
	uint32_t corr; /* correlation of the call that recorded it */
};

struct ra_gpu_events {
	struct ra_gpu_recording *recordings; /* owned */
	size_t count;
	size_t capacity;
};

/* Frees the list. An all-zero struct is an empty list. */
void ra_gpu_events_fini(struct ra_gpu_events *events);

void ra_gpu_events_add(struct ra_gpu_events *events, const struct ra_gpu_recording *recording);

/*
 * Sets which recording each of gpu->syncs waited for, found by sync_id. If sync_id is not known,
 * the recording is the event's last one in the wait's context before the wait's call. The order of
 * calls is that of their correlations. Changes the order of the recordings.
 */
void ra_gpu_events_find(struct ra_gpu_events *events, struct ra_gpu *gpu);

#endif
