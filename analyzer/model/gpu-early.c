/* SPDX-License-Identifier: MIT */
/* Finds work of a device that was launched before the recording began, as far as the file shows
 * this. */
#include "analyzer/model/gpu-early.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"

/* Finds the smallest correlation id of each process's calls; UINT32_MAX: no call has a correlation
 * id. Return: owned by the caller. */
static uint32_t *find_least(const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	uint32_t *least = ra_alloc_bytes((model->process_count + 1) * sizeof(*least));

	for (size_t i = 0; i <= model->process_count; i++) {
		least[i] = UINT32_MAX;
	}
	for (size_t i = 0; i < gpu->api_count; i++) {
		const uint32_t corr = gpu->apis[i].corr;
		uint32_t *known = &least[model->tracks[gpu->apis[i].track].process];

		*known = corr != 0 && corr < *known ? corr : *known;
	}
	return least;
}

void ra_gpu_early_init(struct ra_gpu_early *early, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	uint32_t *least = find_least(model);

	early->gpu = gpu;
	early->queues = ra_alloc_zeros(gpu->queue_count + 1, sizeof(*early->queues));
	for (size_t q = 0; q < gpu->queue_count; q++) {
		const struct ra_gpu_queue *queue = &gpu->queues[q];

		/* If a queue has no call at all, nobody knows when its work was launched. */
		for (size_t i = queue->first_op; i < queue->first_op + queue->op_count; i++) {
			const uint32_t api = gpu->ops[i].api;

			if (api != RA_NONE) {
				early->queues[q] = (struct ra_gpu_early_queue){
					i, least[model->tracks[gpu->apis[api].track].process]
				};
				break;
			}
		}
	}
	free(least);
}

void ra_gpu_early_fini(struct ra_gpu_early *early)
{
	free(early->queues);
	memset(early, 0, sizeof(*early));
}

bool ra_gpu_early_is(const struct ra_gpu_early *early, size_t op)
{
	const struct ra_gpu_op *at = &early->gpu->ops[op];

	return at->api == RA_NONE && op < early->queues[at->queue].until &&
	       at->corr < early->queues[at->queue].least_corr;
}

uint64_t ra_gpu_early_count(const struct ra_model *model)
{
	struct ra_gpu_early early;
	uint64_t count = 0;

	ra_gpu_early_init(&early, model);
	for (size_t i = 0; i < model->gpu.op_count; i++) {
		count += ra_gpu_early_is(&early, i);
	}
	ra_gpu_early_fini(&early);
	return count;
}
