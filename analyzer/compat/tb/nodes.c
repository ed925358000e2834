/* SPDX-License-Identifier: MIT */
/* --compat=tb: holds operators, runtime calls and device work, linked as in the plugin. */
#include "analyzer/compat/tb/nodes.h"

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

#define NONE RA_KINETO_NONE

uint32_t ra_tb_nodes_add(struct ra_tb_nodes *nodes, const struct ra_tb_node *node)
{
	struct ra_tb_node *added;

	if (nodes->node_count == NONE) {
		ra_alloc_end();
	}
	ra_util_grow(&nodes->nodes, &nodes->node_capacity, nodes->node_count + 1,
	             sizeof(*nodes->nodes));
	added = &nodes->nodes[nodes->node_count];
	*added = *node;
	added->parent = NONE;
	added->first_child = NONE;
	added->last_child = NONE;
	added->next = NONE;
	added->first_link = NONE;
	added->last_link = NONE;
	return (uint32_t) nodes->node_count++;
}

void ra_tb_nodes_link(struct ra_tb_nodes *nodes, uint32_t node, uint32_t runtime)
{
	struct ra_tb_node *owner = &nodes->nodes[node];
	const uint32_t link = (uint32_t) nodes->link_count;

	if (nodes->link_count == NONE) {
		ra_alloc_end();
	}
	RA_UTIL_APPEND(nodes->links, nodes->link_count, nodes->link_capacity,
	               (struct ra_tb_link){ runtime, NONE });
	if (owner->first_link == NONE) {
		owner->first_link = link;
	} else {
		nodes->links[owner->last_link].next = link;
	}
	owner->last_link = link;
}

bool ra_tb_nodes_is_operator(const struct ra_tb_nodes *nodes, uint32_t node)
{
	const struct ra_tb_node *at = &nodes->nodes[node];

	if (at->class != RA_TB_PLAIN || at->type != RA_TB_OPERATOR) {
		return false;
	}
	return (ra_tb_events_traits(nodes->events, at->name) &
	        (RA_TB_TRAIT_OPTIMIZER | RA_TB_TRAIT_DP | RA_TB_TRAIT_DDP)) == 0;
}

uint32_t ra_tb_nodes_begin(const struct ra_tb_nodes *nodes, uint32_t root)
{
	uint32_t node = root;

	while (nodes->nodes[node].first_child != NONE) {
		node = nodes->nodes[node].first_child;
	}
	return node;
}

uint32_t ra_tb_nodes_next(const struct ra_tb_nodes *nodes, uint32_t root, uint32_t node)
{
	if (node == root) {
		return NONE;
	}
	if (nodes->nodes[node].next != NONE) {
		return ra_tb_nodes_begin(nodes, nodes->nodes[node].next);
	}
	return nodes->nodes[node].parent;
}

uint32_t ra_tb_nodes_below(const struct ra_tb_nodes *nodes, uint32_t top, uint32_t node)
{
	if (nodes->nodes[node].first_child != NONE) {
		return nodes->nodes[node].first_child;
	}
	while (node != top && nodes->nodes[node].next == NONE) {
		node = nodes->nodes[node].parent;
	}
	return node == top ? NONE : nodes->nodes[node].next;
}
