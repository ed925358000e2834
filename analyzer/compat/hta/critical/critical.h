/* SPDX-License-Identifier: MIT */
/* HTA's critical path of a rank: the longest chain of work and waits, which its time can't be
 * below. */
#ifndef RA_HTA_CRITICAL_H
#define RA_HTA_CRITICAL_H

#include "analyzer/compat/hta/critical/critical-graph.h"
#include "analyzer/compat/hta/full.h"

/* Which part of the trace to use, and how. */
struct ra_hta_critical_setup {
	const char *annotation; /* part of the names of ranges that limit it; NULL: all */
	uint64_t first;         /* which of those ranges is first, in HTA's order of rows, from 0 */
	uint64_t count;
	bool has_launch_edges; /* every operation waits at least for its call */
	const char *loading;   /* part of the names of ranges that load data; NULL: none */
};

/* The start or end of an event. */
struct ra_hta_critical_node {
	double ts_us;
	uint32_t event; /* of kineto */
	uint32_t row;   /* of the rank */
	bool is_start;
};

struct ra_hta_critical {
	struct ra_hta_critical_node *nodes; /* owned; by time */
	size_t node_count;
	struct ra_critical_graph graph; /* owners of edges are rows of the rank */
	struct ra_critical_path path;   /* without edges if HTA finds no path */
	const char *failure;            /* why HTA finds none; NULL: it does */
	bool has_graph;                 /* HTA makes a graph, even if it finds no path in it */
};

void ra_hta_critical_find(struct ra_hta_critical *critical, const struct ra_hta_full *rank,
                          const struct ra_hta_critical_setup *setup);
void ra_hta_critical_fini(struct ra_hta_critical *critical);

/* The number of events that the path's nodes belong to. */
size_t ra_hta_critical_count_events(const struct ra_hta_critical *critical);

#endif
