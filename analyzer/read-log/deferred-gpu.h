/* SPDX-License-Identifier: MIT */
/*
 * Deferred events in the time of a GPU of which no sync point tells what it is on a clock of ours.
 * What is known: they were over when they were submitted, and a kernel ran meanwhile.
 */
#ifndef RA_DEFERRED_GPU_H
#define RA_DEFERRED_GPU_H

#include "analyzer/read-log/spans.h"

struct ra_deferred_gpu_event {
	int64_t begin; /* ns of the GPU's timer */
	int64_t end;   /* not before it */
	uint32_t call; /* index: who submitted it */
	uint32_t data; /* index in slice_data */
	uint16_t domain;
};

struct ra_deferred_gpu {
	struct ra_deferred_gpu_event *events; /* owned; those of a call stand together */
	size_t count;
	size_t capacity;
};

/* False if its times are nonsense. */
bool ra_deferred_gpu_is_sound(const struct ra_deferred_gpu_event *event);

/* Keeps an event for later; it is sound. */
void ra_deferred_gpu_add(struct ra_deferred_gpu *gpu, const struct ra_deferred_gpu_event *event);
void ra_deferred_gpu_fini(struct ra_deferred_gpu *gpu);

/*
 * Makes ranges of those whose time the kernels tell; the others count as unplaced. The GPU's work
 * is in the model.
 * Time: O((events + kernels) log kernels).
 */
void ra_deferred_gpu_place(const struct ra_deferred_gpu *gpu, struct ra_model *model,
                           struct ra_spans *spans);

#endif
