/* SPDX-License-Identifier: MIT */
/* Tells which operations belong to CUDA graphs. */
#include "analyzer/link/graph-nodes.h"

#include <string.h>

bool ra_graph_nodes_is_launch(struct rlog_string name)
{
	static const char word[] = "GraphLaunch";

	return name.bytes != NULL &&
	       memmem(name.bytes, name.length, word, sizeof(word) - 1) != NULL;
}

bool ra_graph_nodes_has(const struct ra_model *model, const struct ra_gpu_op *op)
{
	return op->graph != 0 || op->kind == RA_GPU_GRAPH ||
	       (op->api != RA_NONE &&
	        ra_graph_nodes_is_launch(ra_model_string(model, model->gpu.apis[op->api].name)));
}
