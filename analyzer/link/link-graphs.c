/* SPDX-License-Identifier: MIT */
/* How much work is of CUDA graphs, for the footer. */
#include "analyzer/link/link-rules.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/* Launches by the name of their call: cudaGraphLaunch, cuGraphLaunch, hipGraphLaunch. @known: names
 * that were looked at. */
static bool is_launch(const struct ra_model *model, uint32_t name, struct ra_util_map *known)
{
	static const char word[] = "GraphLaunch";
	uint32_t is_one = ra_util_map_find(known, name);

	if (is_one == RA_UTIL_MAP_NONE) {
		const struct rlog_string text = ra_model_string(model, name);

		is_one = text.bytes != NULL &&
		         memmem(text.bytes, text.length, word, sizeof(word) - 1) != NULL;
		ra_util_map_put(known, name, is_one);
	}
	return is_one != 0;
}

/* How many operations each call launched by a graph, 2 for all above. Return: owned; NULL: no
 * graph was launched. */
static uint8_t *count_launched(const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	struct ra_util_map known = { 0 };
	uint8_t *counts = NULL;
	uint32_t last = RA_NONE; /* name: most calls have that of the one before */
	bool is_one = false;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const uint32_t api = gpu->ops[i].api;

		if (api == RA_NONE) {
			continue;
		}
		if (gpu->apis[api].name != last) {
			last = gpu->apis[api].name;
			is_one = is_launch(model, last, &known);
		}
		if (is_one && counts == NULL) {
			counts = ra_alloc_zeros(gpu->api_count, sizeof(*counts));
		}
		if (is_one && counts[api] < 2) {
			counts[api]++;
		}
	}
	ra_util_map_free(&known);
	return counts;
}

/* A graph of one operation, as NCCL's, has no more layers than its launch. */
static void sum_launched(struct ra_model *model)
{
	struct ra_gpu *gpu = &model->gpu;
	uint8_t *counts = count_launched(model);

	for (size_t i = 0; i < gpu->op_count && counts != NULL; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->api != RA_NONE && counts[op->api] > 1) {
			gpu->launched_ns = ra_util_add_time(gpu->launched_ns, op->dur_ns);
		}
	}
	free(counts);
}

static void sum_wholes(struct ra_gpu *gpu)
{
	for (size_t i = 0; i < gpu->op_count; i++) {
		if (gpu->ops[i].kind == RA_GPU_GRAPH) {
			gpu->whole_ns = ra_util_add_time(gpu->whole_ns, gpu->ops[i].dur_ns);
		}
	}
}

void ra_link_graphs_sum(struct ra_model *model)
{
	sum_launched(model);
	if (ra_model_has(model, RA_HAS_LOG)) {
		sum_wholes(&model->gpu);
	}
}
