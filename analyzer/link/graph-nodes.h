/* SPDX-License-Identifier: MIT */
/* Tells which operations belong to CUDA graphs. */
#ifndef RA_GRAPH_NODES_H
#define RA_GRAPH_NODES_H

#include "analyzer/model/model.h"

/* True for the names of calls that launch a graph: cudaGraphLaunch, cuGraphLaunch, hipGraphLaunch,
 * and those with a suffix. */
bool ra_graph_nodes_is_launch(struct rlog_string name);

/* True if the operation is a node of a CUDA graph, or a graph as a whole. The operation's row or
 * the name of the call that launched it tells. O(length of the call's name). */
bool ra_graph_nodes_has(const struct ra_model *model, const struct ra_gpu_op *op);

#endif
