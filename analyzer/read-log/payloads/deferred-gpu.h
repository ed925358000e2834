/* SPDX-License-Identifier: MIT */
/*
 * Deferred events timed by a GPU's timer, when no sync point tells how it relates to a clock of
 * ours. Two things are known: the events were over when they were submitted, and a kernel ran
 * during each.
 */
#ifndef RA_DEFERRED_GPU_H
#define RA_DEFERRED_GPU_H

#include "analyzer/read-log/ranges/spans.h"

struct ra_deferred_gpu_event {
	int64_t begin; /* ns of the GPU's timer */
	int64_t end;   /* not before begin */
	uint32_t call; /* index of the call that submitted it */
	uint32_t data; /* index in slice_data */
	uint16_t domain;
};

struct ra_deferred_gpu {
	struct ra_deferred_gpu_event *events; /* owned; grouped by call */
	size_t count;
	size_t capacity;
};

/* False if the event's times are nonsense. */
bool ra_deferred_gpu_is_sound(const struct ra_deferred_gpu_event *event);

/* Stores an event for later. It must be sound. */
void ra_deferred_gpu_add(struct ra_deferred_gpu *gpu, const struct ra_deferred_gpu_event *event);
void ra_deferred_gpu_fini(struct ra_deferred_gpu *gpu);

/*
 * Makes ranges of the events that kernels can place; the others count as unplaced. The model must
 * have its GPU operations. Time: O((events + kernels) log kernels).
 */
void ra_deferred_gpu_place(const struct ra_deferred_gpu *gpu, struct ra_model *model,
                           struct ra_spans *spans);

#endif
