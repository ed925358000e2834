/* SPDX-License-Identifier: MIT */
/* A graph of what waits for what, and the longest way through it. */
#include "analyzer/critical-graph.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/model.h"
#include "analyzer/util.h"
#include "format/error.h"

void ra_critical_graph_fini(struct ra_critical_graph *graph)
{
	free(graph->edges);
	ra_util_map_free(&graph->place);
	*graph = (struct ra_critical_graph){ 0 };
}

int ra_critical_graph_add(struct ra_critical_graph *graph, const struct ra_critical_edge *edge)
{
	const uint64_t key = (uint64_t) edge->from << 32 | edge->to;
	const uint32_t old = ra_util_map_find(&graph->place, key);
	int rc;

	if (old != RA_UTIL_MAP_NONE) {
		const uint32_t owner = graph->edges[old].owner;

		graph->edges[old] = *edge;
		if (edge->owner == RA_NONE) {
			graph->edges[old].owner = owner;
		}
		return 0;
	}
	rc = ra_util_grow(&graph->edges, &graph->capacity, graph->count + 1, sizeof(*graph->edges));
	if (rc == 0) {
		rc = ra_util_map_put(&graph->place, key, (uint32_t) graph->count);
	}
	if (rc == 0) {
		graph->edges[graph->count++] = *edge;
	}
	return rc;
}

/* The edges of each node, in the order in which they were added. */
struct lists {
	size_t *begin;   /* owned: by node, one more than nodes */
	uint32_t *edges; /* owned */
};

static void free_lists(struct lists *lists)
{
	free(lists->begin);
	free(lists->edges);
}

static int make_lists(struct lists *lists, const struct ra_critical_graph *graph, size_t nodes,
                      bool by_target)
{
	lists->begin = calloc(nodes + 2, sizeof(*lists->begin));
	lists->edges = malloc(graph->count * sizeof(*lists->edges) + 1);
	if (lists->begin == NULL || lists->edges == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	/* Counted two places on: after the sums begin[n + 1] is where the node's edges go to. */
	for (size_t i = 0; i < graph->count; i++) {
		const struct ra_critical_edge *edge = &graph->edges[i];

		lists->begin[(by_target ? edge->to : edge->from) + 2]++;
	}
	for (size_t n = 2; n < nodes + 2; n++) {
		lists->begin[n] += lists->begin[n - 1];
	}
	for (size_t i = 0; i < graph->count; i++) {
		const struct ra_critical_edge *edge = &graph->edges[i];

		lists->edges[lists->begin[(by_target ? edge->to : edge->from) + 1]++] =
			(uint32_t) i;
	}
	return 0;
}

struct walk {
	const struct ra_critical_graph *graph;
	size_t nodes;
	struct lists in;
	struct lists out;
	uint32_t *left;  /* by node: edges into it from nodes without a place yet */
	uint32_t *order; /* nodes; each behind all that it waits for */
	size_t ordered;
	double *longest; /* by node: way to it */
	uint32_t *best;  /* by node: the last edge of it; RA_NONE: it begins there */
	size_t used;     /* nodes that have edges */
};

/* Puts nodes that wait for nothing into the order, first those that edges named first. */
static void order_first(struct walk *walk, uint8_t *is_seen)
{
	for (size_t i = 0; i < walk->graph->count; i++) {
		const uint32_t ends[2] = { walk->graph->edges[i].from, walk->graph->edges[i].to };

		for (int e = 0; e < 2; e++) {
			if (is_seen[ends[e]]) {
				continue;
			}
			is_seen[ends[e]] = 1;
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

		for (size_t i = walk->out.begin[node]; i < walk->out.begin[node + 1]; i++) {
			const uint32_t to = walk->graph->edges[walk->out.edges[i]].to;

			if (--walk->left[to] == 0) {
				walk->order[walk->ordered++] = to;
			}
		}
	}
}

/* Sets longest and best. Return: the node at which the longest way ends. */
static uint32_t measure(struct walk *walk)
{
	uint32_t end = walk->order[0];

	for (size_t at = 0; at < walk->ordered; at++) {
		const uint32_t node = walk->order[at];
		double longest = 0;
		uint32_t best = RA_NONE;

		for (size_t i = walk->in.begin[node]; i < walk->in.begin[node + 1]; i++) {
			const struct ra_critical_edge *edge =
				&walk->graph->edges[walk->in.edges[i]];
			const double length = walk->longest[edge->from] + edge->weight;

			if (best == RA_NONE || length > longest) {
				longest = length;
				best = walk->in.edges[i];
			}
		}
		walk->longest[node] = longest < 0 ? 0 : longest;
		walk->best[node] = longest < 0 ? RA_NONE : best;
		if (walk->longest[node] > walk->longest[end]) {
			end = node;
		}
	}
	return end;
}

static int put_path(const struct walk *walk, uint32_t end, struct ra_critical_path *path)
{
	size_t count = 0;

	for (uint32_t n = end; walk->best[n] != RA_NONE;
	     n = walk->graph->edges[walk->best[n]].from) {
		count++;
	}
	path->edges = malloc(count * sizeof(*path->edges) + 1);
	if (path->edges == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	path->count = count;
	for (uint32_t n = end; walk->best[n] != RA_NONE;
	     n = walk->graph->edges[walk->best[n]].from) {
		path->edges[--count] = walk->best[n];
	}
	return 0;
}

static int prepare(struct walk *walk)
{
	int rc = make_lists(&walk->in, walk->graph, walk->nodes, true);

	if (rc == 0) {
		rc = make_lists(&walk->out, walk->graph, walk->nodes, false);
	}
	walk->left = calloc(walk->nodes + 1, sizeof(*walk->left));
	walk->order = calloc(walk->nodes + 1, sizeof(*walk->order));
	walk->longest = calloc(walk->nodes + 1, sizeof(*walk->longest));
	walk->best = calloc(walk->nodes + 1, sizeof(*walk->best));
	if (walk->left == NULL || walk->order == NULL || walk->longest == NULL ||
	    walk->best == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < walk->graph->count; i++) {
		walk->left[walk->graph->edges[i].to]++;
	}
	return rc;
}

int ra_critical_graph_walk(const struct ra_critical_graph *graph, size_t node_count,
                           struct ra_critical_path *path)
{
	struct walk walk = { .graph = graph, .nodes = node_count };
	uint8_t *is_seen = calloc(node_count + 1, 1);
	int rc = is_seen == NULL ? -RLOG_E_NO_MEMORY : 0;

	*path = (struct ra_critical_path){ 0 };
	if (rc == 0) {
		rc = prepare(&walk);
	}
	if (rc == 0 && graph->count > 0) {
		order_first(&walk, is_seen);
		order_rest(&walk);
		path->has_cycle = walk.ordered < walk.used;
		rc = path->has_cycle ? 0 : put_path(&walk, measure(&walk), path);
	}
	free(is_seen);
	free_lists(&walk.in);
	free_lists(&walk.out);
	free(walk.left);
	free(walk.order);
	free(walk.longest);
	free(walk.best);
	return rc;
}
