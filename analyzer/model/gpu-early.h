/* SPDX-License-Identifier: MIT */
/* Finds work of a device that was launched before the recording began, as far as the file shows
 * this. */
#ifndef RA_GPU_EARLY_H
#define RA_GPU_EARLY_H

#include "analyzer/model/model.h"

/*
 * An operation is early if three things hold: it has no call; its queue runs it before the first
 * operation with a call; its correlation, if it has one, is lower than that of any call of the same
 * process, because correlations count upwards. So an operation whose call was lost during the
 * recording is not early.
 */
struct ra_gpu_early {
	const struct ra_gpu *gpu; /* borrowed */
	/* Owned; one entry for each queue. */
	struct ra_gpu_early_queue {
		size_t until; /* operations of the queue before this index have no call */
		/* smallest correlation of the calls of the process that gives the queue work */
		uint32_t least_corr;
	} * queues;
};

/* @model: must be linked (link.h), and must live longer. Time: O(operations + calls). */
void ra_gpu_early_init(struct ra_gpu_early *early, const struct ra_model *model);
void ra_gpu_early_fini(struct ra_gpu_early *early);

/* True if an operation is early. @op: index into gpu->ops. */
bool ra_gpu_early_is(const struct ra_gpu_early *early, size_t op);

/* Counts early operations. */
uint64_t ra_gpu_early_count(const struct ra_model *model);

#endif
