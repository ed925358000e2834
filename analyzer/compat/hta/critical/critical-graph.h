/* SPDX-License-Identifier: MIT */
/* A graph of what waits for what, and the longest way through it. */
#ifndef RA_CRITICAL_GRAPH_H
#define RA_CRITICAL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyzer/base/util-map.h"

/* Why one thing comes after another. */
enum ra_critical_type {
	RA_CRITICAL_WORK,       /* the time that a range, call or operation takes */
	RA_CRITICAL_DEPENDENCY, /* one after the other on a thread, takes no time */
	RA_CRITICAL_LAUNCH,     /* from the call to the start of the operation */
	RA_CRITICAL_KERNEL,     /* from one operation to the next of its stream */
	RA_CRITICAL_SYNC,       /* a wait for the GPU ends with what it waited for */
	RA_CRITICAL_TYPES,
};

struct ra_critical_edge {
	uint32_t from; /* nodes: numbers that the caller chose */
	uint32_t to;
	double weight;  /* of the longest way */
	double length;  /* what the edge says of itself; the same unless a fault was mended */
	uint32_t owner; /* what its time belongs to, the caller's number; RA_NONE: nothing */
	enum ra_critical_type type;
};

/*
 * Zero-initialise. Where several ways are equally long, the one that networkx finds wins
 * (dag_longest_path), so the order in which edges are added counts.
 */
struct ra_critical_graph {
	struct ra_critical_edge *edges; /* owned; each pair of nodes once */
	size_t count;
	size_t capacity;
	struct ra_util_map place; /* from and to → edge; empty once the graph is complete */
};

void ra_critical_graph_fini(struct ra_critical_graph *graph);

/*
 * Adds an edge. One between the same nodes is replaced, its owner stays if the new one has none.
 */
void ra_critical_graph_add(struct ra_critical_graph *graph, const struct ra_critical_edge *edge);

/* Frees what only adding needs. */
void ra_critical_graph_complete(struct ra_critical_graph *graph);

/* The longest way: edges in its order. Zero-initialise. */
struct ra_critical_path {
	uint32_t *edges; /* owned: indices into the graph's */
	size_t count;
	bool has_cycle; /* there is no way then */
};

/* @node_count: nodes are below it. */
void ra_critical_graph_walk(const struct ra_critical_graph *graph, size_t node_count,
                            struct ra_critical_path *path);

#endif
