/* SPDX-License-Identifier: MIT */
/* A graph of dependencies, and the longest path through it. */
#include "analyzer/compat/hta/critical/critical-graph.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/model/model.h"
#include "analyzer/base/util.h"

void ra_critical_graph_fini(struct ra_critical_graph *graph)
{
	free(graph->edges);
	ra_util_map_free(&graph->place);
	*graph = (struct ra_critical_graph){ 0 };
}

void ra_critical_graph_add(struct ra_critical_graph *graph, const struct ra_critical_edge *edge)
{
	const uint64_t key = (uint64_t) edge->from << 32 | edge->to;
	const uint32_t old = ra_util_map_find(&graph->place, key);

	if (old != RA_UTIL_MAP_NONE) {
		const uint32_t owner = graph->edges[old].owner;

		graph->edges[old] = *edge;
		if (edge->owner == RA_NONE) {
			graph->edges[old].owner = owner;
		}
		return;
	}
	ra_util_map_put(&graph->place, key, (uint32_t) graph->count);
	RA_UTIL_APPEND(graph->edges, graph->count, graph->capacity, *edge);
}

void ra_critical_graph_complete(struct ra_critical_graph *graph)
{
	ra_util_map_free(&graph->place);
}

struct walk {
	const struct ra_critical_graph *graph;
	size_t nodes;
	uint32_t *begin; /* for each node, and two more: where its edges begin in … */
	uint32_t *edges; /* … the edges out of each node, in the order in which they were added */
	uint32_t *left;  /* for each node: number of edges into it from nodes that are not in the
	                    order yet */
	uint32_t *order; /* the nodes; each is after everything for which it waits */
	size_t ordered;
	double *longest; /* for each node: length of the longest path to it */
	uint32_t *best;  /* for each node: last edge of that path; RA_NONE: the path begins at the
	                    node */
	size_t used;     /* number of nodes that have edges */
};

static void list_edges(struct walk *walk)
{
	const struct ra_critical_graph *graph = walk->graph;

	/* The edges of node n are counted in begin[n + 2]. So after the summation, begin[n + 1] is
	 * where to put the node's next edge. */
	for (size_t i = 0; i < graph->count; i++) {
		walk->begin[graph->edges[i].from + (size_t) 2]++;
		walk->left[graph->edges[i].to]++;
	}
	for (size_t n = 2; n < walk->nodes + 2; n++) {
		walk->begin[n] += walk->begin[n - 1];
	}
	for (size_t i = 0; i < graph->count; i++) {
		walk->edges[walk->begin[graph->edges[i].from + (size_t) 1]++] = (uint32_t) i;
	}
}

/* Begins the order with the nodes that wait for nothing, in the order in which edges named
 * them. */
static void order_first(struct walk *walk)
{
	for (size_t i = 0; i < walk->graph->count; i++) {
		const uint32_t ends[2] = { walk->graph->edges[i].from, walk->graph->edges[i].to };

		for (int e = 0; e < 2; e++) {
			/* Here `best` only marks nodes that were seen. */
			if (walk->best[ends[e]] != 0) {
				continue;
			}
			walk->best[ends[e]] = 1;
			walk->used++;
			if (walk->left[ends[e]] == 0) {
				walk->order[walk->ordered++] = ends[e];
			}
		}
	}
}

static void order_rest(struct walk *walk)
{
	for (size_t at = 0; at < walk->ordered; at++) {
		const uint32_t node = walk->order[at];

		for (size_t i = walk->begin[node]; i < walk->begin[node + (size_t) 1]; i++) {
			const uint32_t to = walk->graph->edges[walk->edges[i]].to;

			if (--walk->left[to] == 0) {
				walk->order[walk->ordered++] = to;
			}
		}
	}
}

/* Takes the path over this edge for the edge's end, if it is longer than the best so far. Of
 * equally long paths, the one over the edge added first is taken. */
static void offer(struct walk *walk, uint32_t place)
{
	const struct ra_critical_edge *edge = &walk->graph->edges[place];
	/* HTA sets lengths of -1 or less to 0, but keeps negative fractions. */
	const double weight = edge->length <= -1 ? 0 : edge->length;
	const double length = walk->longest[edge->from] + weight;
	const uint32_t best = walk->best[edge->to];

	if (best == RA_NONE || length > walk->longest[edge->to] ||
	    (length == walk->longest[edge->to] && place < best)) {
		walk->longest[edge->to] = length;
		walk->best[edge->to] = place;
	}
}

/* Sets longest and best. Return: the node where the longest path ends. */
static uint32_t measure(struct walk *walk)
{
	uint32_t end = walk->order[0];

	memset(walk->best, 0xff, walk->nodes * sizeof(*walk->best));
	for (size_t at = 0; at < walk->ordered; at++) {
		const uint32_t node = walk->order[at];

		if (walk->longest[node] < 0) {
			walk->longest[node] = 0;
			walk->best[node] = RA_NONE;
		}
		if (walk->longest[node] > walk->longest[end]) {
			end = node;
		}
		for (size_t i = walk->begin[node]; i < walk->begin[node + (size_t) 1]; i++) {
			offer(walk, walk->edges[i]);
		}
	}
	return end;
}

static void put_path(const struct walk *walk, uint32_t end, struct ra_critical_path *path)
{
	size_t count = 0;

	for (uint32_t n = end; walk->best[n] != RA_NONE;
	     n = walk->graph->edges[walk->best[n]].from) {
		count++;
	}
	path->edges = ra_alloc_bytes(count * sizeof(*path->edges) + 1);
	path->count = count;
	for (uint32_t n = end; walk->best[n] != RA_NONE;
	     n = walk->graph->edges[walk->best[n]].from) {
		path->edges[--count] = walk->best[n];
	}
}

void ra_critical_graph_walk(const struct ra_critical_graph *graph, size_t node_count,
                            struct ra_critical_path *path)
{
	struct walk walk = { .graph = graph, .nodes = node_count };

	*path = (struct ra_critical_path){ 0 };
	walk.begin = ra_alloc_zeros(node_count + 2, sizeof(*walk.begin));
	walk.edges = ra_alloc_bytes(graph->count * sizeof(*walk.edges) + 1);
	walk.left = ra_alloc_zeros(node_count + 1, sizeof(*walk.left));
	walk.order = ra_alloc_zeros(node_count + 1, sizeof(*walk.order));
	walk.longest = ra_alloc_zeros(node_count + 1, sizeof(*walk.longest));
	walk.best = ra_alloc_zeros(node_count + 1, sizeof(*walk.best));
	if (graph->count > 0) {
		list_edges(&walk);
		order_first(&walk);
		order_rest(&walk);
		path->has_cycle = walk.ordered < walk.used;
		if (!path->has_cycle) {
			put_path(&walk, measure(&walk), path);
		}
	}
	free(walk.begin);
	free(walk.edges);
	free(walk.left);
	free(walk.order);
	free(walk.longest);
	free(walk.best);
}
