/* SPDX-License-Identifier: MIT */
/* Frees the data that the nodes of --compat=tb own, partly or completely. */
#include "analyzer/compat/tb/nodes.h"

#include <stdlib.h>

#include "analyzer/compat/tb/comm.h"
#include "analyzer/compat/tb/links.h"

void ra_tb_nodes_drop_calls(struct ra_tb_nodes *nodes)
{
	free(nodes->links);
	free(nodes->runtimes);
	nodes->links = NULL;
	nodes->runtimes = NULL;
	nodes->link_count = 0;
	nodes->link_capacity = 0;
	nodes->runtime_count = 0;
	nodes->runtime_capacity = 0;
	nodes->real_runtimes = 0;
}

void ra_tb_nodes_drop_trees(struct ra_tb_nodes *nodes)
{
	ra_tb_nodes_drop_calls(nodes);
	free(nodes->trees);
	free(nodes->order);
	free(nodes->nodes);
	nodes->trees = NULL;
	nodes->order = NULL;
	nodes->nodes = NULL;
	nodes->tree_count = 0;
	nodes->tree_capacity = 0;
	nodes->node_count = 0;
	nodes->node_capacity = 0;
}

void ra_tb_nodes_fini(struct ra_tb_nodes *nodes)
{
	ra_tb_links_fini(nodes);
	ra_tb_comm_fini(nodes);
	ra_tb_nodes_drop_trees(nodes);
	free(nodes->devices);
	*nodes = (struct ra_tb_nodes){ 0 };
}
