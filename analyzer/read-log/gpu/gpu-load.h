/* SPDX-License-Identifier: MIT */
/* Reads the GPU's events of a log into the model. */
#ifndef RA_GPU_LOAD_H
#define RA_GPU_LOAD_H

#include "analyzer/model/build/builder.h"
#include "analyzer/read-log/gpu/gpu-streams.h"

struct ra_gpu_load_source {
	struct ra_builder *builder;
	const struct ra_gpu_streams *streams;
};

/*
 * Fills model->gpu, except for what linking finds. Sorts the arrays as gpu.h defines. Makes tracks
 * for threads that made API calls but no ranges. The model's own tracks must be complete.
 *
 * Return: 0, or -RLOG_E_NO_MEMORY from the reader. Memory: 80 bytes per operation, 48 per API call.
 */
int ra_gpu_load(const struct ra_gpu_load_source *source);

#endif
