/* SPDX-License-Identifier: MIT */
/* Sums for the footer the GPU time of operations that belong to CUDA graphs. */
#include "analyzer/link/link-rules.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/link/graph-nodes.h"

/* True if a call's name is that of a graph launch. @known: results for names tested before. */
static bool is_launch(const struct ra_model *model, uint32_t name, struct ra_util_map *known)
{
	uint32_t is_one = ra_util_map_find(known, name);

	if (is_one == RA_UTIL_MAP_NONE) {
		is_one = ra_graph_nodes_is_launch(ra_model_string(model, name));
		ra_util_map_put(known, name, is_one);
	}
	return is_one != 0;
}

/* Flags of a call, stored in one byte. */
#define ONE   1u /* the call launched a graph, and one operation of the graph is known … */
#define MORE  2u /* … and another one */
#define WHOLE 4u /* the call is counted, because some of its work is in the range of the call */

/* Computes the flags of all calls. Return: owned; NULL: no graph was launched. */
static uint8_t *look_at_calls(const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	struct ra_util_map known = { 0 };
	uint8_t *calls = NULL;
	uint32_t last = RA_NONE; /* name of the last call; most calls have the same name as the call
	                            before */
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
		if (is_one && calls == NULL) {
			calls = ra_alloc_zeros(gpu->api_count, sizeof(*calls));
		}
		if (is_one) {
			calls[api] |= (calls[api] & ONE) != 0 ? MORE : ONE;
		}
	}
	ra_util_map_free(&known);
	return calls;
}

/* Sums the time of graphs with several operations. A graph with a single operation, such as NCCL's,
 * hides no layers of a model. Also sums the time of operations that belong to the range of their
 * launch, because no rule gave them to another range. */
static void sum_launched(struct ra_model *model)
{
	struct ra_gpu *gpu = &model->gpu;
	uint8_t *calls = look_at_calls(model);

	for (size_t i = 0; i < gpu->op_count && calls != NULL; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		uint8_t *call = op->api != RA_NONE ? &calls[op->api] : NULL;

		if (call == NULL || *call == 0) {
			continue;
		}
		if ((*call & MORE) != 0) {
			gpu->launched_ns = ra_util_add_time(gpu->launched_ns, op->dur_ns);
		}
		if (op->slice != RA_NONE && op->slice == gpu->apis[op->api].slice) {
			gpu->graph_launch_ns = ra_util_add_time(gpu->graph_launch_ns, op->dur_ns);
			gpu->graph_launches += (*call & WHOLE) == 0;
			*call |= WHOLE;
		}
	}
	free(calls);
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
