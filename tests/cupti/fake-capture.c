/* SPDX-License-Identifier: MIT */
/*
 * CUDA graphs of the stand-in for libcuda.so.1 that a program makes node by node, with what CUPTI
 * tells of that, in the order and with the ids that were seen on an H200 (CUPTI 13.0): an
 * executable graph is a clone, of whose nodes each is told of; then one more copy is made, of which
 * only the beginning is told; graphs inside of it get clones of their own, but their kernels have
 * ids behind those of the graph around, which are told of nowhere; and one node more is made that
 * nobody asked for.
 */
#define _GNU_SOURCE /* NOLINT(readability-identifier-naming) */
#include <pthread.h>
#include <stdlib.h>

#include "fake.h"
#include "libranges/abi/cupti-abi.h"

#define CB_GRAPH 350u /* fake-cupti.c knows its name */
#define GRAPHS   4096u
#define FEW      64u /* nodes of a graph at first; a power of two, as the others */

struct node {
	uint64_t id;
	const char *kernel; /* NULL: a graph is inside */
	uint32_t child;
};

static struct graph {
	struct node *nodes;
	uint32_t count;
	uint32_t next; /* lower half of the next node's id */
} * graphs[GRAPHS];

static uint32_t graph_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

uint32_t fake_graph_make(void)
{
	uint32_t id;

	pthread_mutex_lock(&lock);
	id = ++graph_count;
	graphs[id] = calloc(1, sizeof(*graphs[id]));
	pthread_mutex_unlock(&lock);
	return id;
}

static void tell(uint32_t cbid, uint32_t graph, uint64_t node, uint32_t type, uint64_t original)
{
	/* Handles are the ids: see cuptiGetGraphNodeId() of the stand-in. */
	const struct rcap_cupti_node_data data = {
		.graph = (const void *) (uintptr_t) graph,
		.node = (const void *) (uintptr_t) node,
		.original_node = (const void *) (uintptr_t) original,
		.type = type,
	};
	const struct rcap_cupti_resource_data resource = { .descriptor = &data };

	fake_called(RCAP_CUPTI_DOMAIN_RESOURCE, cbid, &resource);
}

static uint64_t next_id(uint32_t graph)
{
	return (uint64_t) graph << 32 | graphs[graph]->next++;
}

static struct node *begin_node(uint32_t graph, uint32_t type)
{
	struct graph *of = graphs[graph];
	struct node *node;

	if (of->count == 0 || (of->count >= FEW && (of->count & (of->count - 1)) == 0)) {
		of->nodes = realloc(of->nodes,
		                    sizeof(*of->nodes) * (of->count == 0 ? FEW : 2 * of->count));
	}
	node = &of->nodes[of->count++];
	*node = (struct node){ 0 };
	node->id = next_id(graph);
	tell(RCAP_CUPTI_RESOURCE_NODE_STARTING, graph, node->id, type, 0);
	return node;
}

void fake_graph_add(uint32_t graph, const char *kernel)
{
	struct node *node = begin_node(graph, 0);

	node->kernel = kernel;
	tell(RCAP_CUPTI_RESOURCE_NODE_CREATED, graph, node->id, 0, 0);
}

static uint32_t clone_graph(uint32_t from)
{
	const uint32_t to = fake_graph_make();

	for (uint32_t i = 0; i < graphs[from]->count; i++) {
		const struct node *old = &graphs[from]->nodes[i];
		struct node *node = begin_node(to, old->kernel ? 0 : RCAP_CUPTI_NODE_CHILD);

		node->kernel = old->kernel;
		node->child = old->kernel ? 0 : clone_graph(old->child);
		tell(RCAP_CUPTI_RESOURCE_NODE_CREATED, to, node->id, 0, 0);
		tell(RCAP_CUPTI_RESOURCE_NODE_CLONED, to, node->id, 0, old->id);
	}
	return to;
}

void fake_graph_add_child(uint32_t graph, uint32_t child)
{
	struct node *node = begin_node(graph, RCAP_CUPTI_NODE_CHILD);

	node->child = clone_graph(child);
	tell(RCAP_CUPTI_RESOURCE_NODE_CREATED, graph, node->id, 0, 0);
}

/* The kernels of graphs inside get their ids. */
static void take_in(uint32_t exec, uint32_t graph)
{
	for (uint32_t i = 0; i < graphs[graph]->count; i++) {
		if (graphs[graph]->nodes[i].kernel) {
			graphs[graph]->nodes[i].id = next_id(exec);
		}
	}
}

uint32_t fake_graph_instantiate(uint32_t graph)
{
	const uint32_t exec = clone_graph(graph);
	const uint32_t copy = fake_graph_make();

	for (uint32_t i = 0; i < graphs[exec]->count; i++) {
		tell(RCAP_CUPTI_RESOURCE_NODE_STARTING, copy, next_id(copy), 0, 0);
	}
	for (uint32_t i = 0; i < graphs[exec]->count; i++) {
		if (!graphs[exec]->nodes[i].kernel) {
			take_in(exec, graphs[exec]->nodes[i].child);
		}
	}
	tell(RCAP_CUPTI_RESOURCE_NODE_CREATED, exec, next_id(exec), 0, 0);
	return exec;
}

void fake_graph_update(uint32_t exec, uint32_t graph)
{
	for (uint32_t i = graphs[exec]->count; i-- > 0;) {
		struct node *node = &graphs[exec]->nodes[i];
		const struct node *now = &graphs[graph]->nodes[i];

		node->kernel = now->kernel;
		tell(RCAP_CUPTI_RESOURCE_NODE_UPDATED, 0, now->id, 0, node->id);
	}
}

static void emit_nodes(uint32_t exec, uint32_t graph, uint32_t stream, uint32_t correlation)
{
	for (uint32_t i = 0; i < graphs[graph]->count; i++) {
		const struct node *node = &graphs[graph]->nodes[i];
		const struct fake_launch launch = { .name = node->kernel,
			                            .stream = stream,
			                            .grid = { 1, 1, 1 },
			                            .block = { 32, 1, 1 },
			                            .graph = exec,
			                            .node = node->id };

		if (node->kernel) {
			fake_emit_kernel(&launch, correlation);
		} else {
			emit_nodes(exec, node->child, stream, correlation);
		}
	}
}

void fake_graph_replay(uint32_t exec, uint32_t stream)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();

	emit_nodes(exec, exec, stream, correlation);
	fake_emit_call(CB_GRAPH, start, correlation);
}
