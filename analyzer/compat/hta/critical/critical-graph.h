/* SPDX-License-Identifier: MIT */
/* A graph of dependencies, and the longest path through it. */
#ifndef RA_CRITICAL_GRAPH_H
#define RA_CRITICAL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/util-map.h"

/* Why one node comes after another. */
enum ra_critical_type {
	RA_CRITICAL_WORK,       /* the time that a range, call or operation takes */
	RA_CRITICAL_DEPENDENCY, /* the order on a thread; takes no time */
	RA_CRITICAL_LAUNCH,     /* from the call to the start of the operation */
	RA_CRITICAL_KERNEL,     /* from one operation to the next on its stream */
	RA_CRITICAL_SYNC,       /* a wait for the GPU ends together with what it waited for */
	RA_CRITICAL_TYPES,
};

struct ra_critical_edge {
	uint32_t from; /* nodes are numbers that the caller chooses */
	uint32_t to;
	double weight;  /* the edge's part in the length of the path */
	double length;  /* the length that HTA stores; it differs from weight only if we correct a
	                   fault of HTA */
	uint32_t owner; /* the caller's number for whatever took the time; RA_NONE: nothing */
	enum ra_critical_type type;
};

/*
 * Zero-initialise. If several paths are equally long, the one that networkx finds
 * (dag_longest_path) is taken. So the order in which edges are added matters.
 */
struct ra_critical_graph {
	struct ra_critical_edge *edges; /* owned; at most one for each pair of nodes */
	size_t count;
	size_t capacity;
	struct ra_util_map place; /* pair of nodes → edge; emptied when the graph is complete */
};

void ra_critical_graph_fini(struct ra_critical_graph *graph);

/*
 * Adds an edge. It replaces an edge between the same nodes. If it has no owner, it takes over that
 * edge's owner.
 */
void ra_critical_graph_add(struct ra_critical_graph *graph, const struct ra_critical_edge *edge);

/* Frees the data that is needed only for adding edges. */
void ra_critical_graph_complete(struct ra_critical_graph *graph);

/* The longest path: its edges in order. Zero-initialise. */
struct ra_critical_path {
	uint32_t *edges; /* owned: indices of edges */
	size_t count;
	bool has_cycle; /* the graph has a cycle, so there is no path */
};

/* Finds the longest path. @node_count: all nodes are below this number. */
void ra_critical_graph_walk(const struct ra_critical_graph *graph, size_t node_count,
                            struct ra_critical_path *path);

#endif
