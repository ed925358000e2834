/* SPDX-License-Identifier: MIT */
/*
 * Places deferred events that have times of a GPU's timer, if no sync point relates that timer to a
 * clock that we can convert. Two things are known: the events were over when they were submitted,
 * and a kernel was running during each event.
 */
#ifndef RA_DEFERRED_GPU_H
#define RA_DEFERRED_GPU_H

#include "analyzer/read-log/ranges/spans.h"

struct ra_deferred_gpu_event {
	int64_t begin; /* by the GPU's timer, in ns */
	int64_t end;   /* not before `begin` */
	uint32_t call; /* index of the call that submitted it */
	uint32_t data; /* index in slice_data */
	uint16_t domain;
};

struct ra_deferred_gpu {
	struct ra_deferred_gpu_event *events; /* owned; grouped by call */
	size_t count;
	size_t capacity;
};

/* True if the event's times make sense. */
bool ra_deferred_gpu_is_sound(const struct ra_deferred_gpu_event *event);

/* Stores an event for later. Its times must make sense. */
void ra_deferred_gpu_add(struct ra_deferred_gpu *gpu, const struct ra_deferred_gpu_event *event);
void ra_deferred_gpu_fini(struct ra_deferred_gpu *gpu);

/*
 * Makes ranges of the events that can be placed by kernels; the others are counted as unplaced. The
 * model must have its GPU operations. Time: O((events + kernels) log kernels).
 */
void ra_deferred_gpu_place(const struct ra_deferred_gpu *gpu, struct ra_model *model,
                           struct ra_spans *spans);

#endif
