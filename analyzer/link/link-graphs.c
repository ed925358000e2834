/* SPDX-License-Identifier: MIT */
/* Work of CUDA graphs of which the input does not tell more than its launch, for the footer. */
#include "analyzer/link/link-rules.h"

#include <string.h>

#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/rows/kineto.h"

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

/* A trace of PyTorch names no layer of what a graph runs, unless captures were read beside it. */
static void sum_launched(struct ra_model *model)
{
	struct ra_gpu *gpu = &model->gpu;
	struct ra_util_map known = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->api != RA_NONE && is_launch(model, gpu->apis[op->api].name, &known)) {
			gpu->launched_ns = ra_util_add_time(gpu->launched_ns, op->dur_ns);
		}
	}
	ra_util_map_free(&known);
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
	if (ra_model_has(model, RA_HAS_LOG)) {
		sum_wholes(&model->gpu);
	} else if (ra_model_has(model, RA_HAS_ROWS)) {
		const struct ra_kineto *rows = model->kineto;

		if (!rows->has_details && rows->captured == NULL) {
			sum_launched(model);
		}
	}
}
