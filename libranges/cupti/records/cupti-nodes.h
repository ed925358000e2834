/* SPDX-License-Identifier: MIT */
/*
 * Records nodes of CUDA graphs as the program makes them. They show where a kernel of a replay
 * comes from. They are kept until the worker writes them.
 */
#ifndef RCAP_CUPTI_NODES_H
#define RCAP_CUPTI_NODES_H

#include <stdbool.h>
#include <stdint.h>

/* How a node was made: see the op "graph node" in doc/format.md. */
enum rcap_cupti_nodes_how {
	RCAP_CUPTI_NODES_MADE,
	RCAP_CUPTI_NODES_CLONED,
	RCAP_CUPTI_NODES_UPDATED,
};

struct rcap_cupti_node {
	uint64_t time; /* ns, by the clock of CUPTI's records */
	uint64_t node; /* this and `original`: CUPTI's ids */
	uint64_t original;
	uint32_t outer; /* the graph that is being made and will contain this node's graph; 0:
	                 * none */
	uint32_t tid;
	uint32_t how; /* enum rcap_cupti_nodes_how */
};

/* Makes CUPTI report nodes, if it has ids of nodes (11.1 and later). Context: the start. */
void rcap_cupti_nodes_watch(void *subscriber);

/*
 * Keeps a resource that CUPTI reports, if it is a node. @data: struct rcap_cupti_resource_data.
 * Return: false if there is no room for it. Context: CUPTI's callback.
 */
bool rcap_cupti_nodes_keep(uint32_t cbid, const void *data, uint64_t time);

/* Takes the oldest node. Return: false if there is none. Context: the thread that converts
 * buffers. */
bool rcap_cupti_nodes_take(struct rcap_cupti_node *out);

#endif
