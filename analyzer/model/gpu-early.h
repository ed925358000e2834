/* SPDX-License-Identifier: MIT */
/* Finds work of a device that was launched before the recording began, as far as the file shows it.
 */
#ifndef RA_GPU_EARLY_H
#define RA_GPU_EARLY_H

#include "analyzer/model/model.h"

/*
 * An operation is early if three things hold: it has no call; its queue runs it before the first
 * operation with a call; its correlation, if it has one, is lower than that of any call of the same
 * process, because correlations count upwards. So an operation that lost its call in the midst of a
 * recording is not early.
 */
struct ra_gpu_early {
	const struct ra_gpu *gpu; /* borrowed */
	/* Owned; by queue. */
	struct ra_gpu_early_queue {
		size_t until;        /* operations before this index have no call */
		uint32_t least_corr; /* least correlation of the calls of the process that gives it
		                        work */
	} * queues;
};

/* @model: linked (link.h); it must live until the end. Time: operations + calls. */
void ra_gpu_early_init(struct ra_gpu_early *early, const struct ra_model *model);
void ra_gpu_early_fini(struct ra_gpu_early *early);

/* @op: index into gpu->ops. */
bool ra_gpu_early_is(const struct ra_gpu_early *early, size_t op);

/* Counts early operations. */
uint64_t ra_gpu_early_count(const struct ra_model *model);

#endif
