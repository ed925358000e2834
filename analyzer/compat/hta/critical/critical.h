/* SPDX-License-Identifier: MIT */
/* HTA's critical path of a rank: the longest chain of work and waits. The rank's time can't be
 * shorter than this chain. */
#ifndef RA_HTA_CRITICAL_H
#define RA_HTA_CRITICAL_H

#include "analyzer/compat/hta/critical/critical-graph.h"
#include "analyzer/compat/hta/full.h"

/* Which part of the trace to use, and how. */
struct ra_hta_critical_setup {
	const char *annotation; /* a part of the names of the ranges to which the path is limited;
	                           NULL: the whole trace */
	uint64_t first;         /* index of the first of those ranges, in HTA's order of rows */
	uint64_t count;
	bool has_launch_edges; /* every operation has an edge from its call, even if it did not wait
	                          for it */
	const char *loading;   /* a part of the names of ranges that load data; NULL: there are
	                          none */
};

/* The start or end of an event. */
struct ra_hta_critical_node {
	double ts_us;
	uint32_t event; /* index in kineto */
	uint32_t row;   /* row of the rank */
	bool is_start;
};

struct ra_hta_critical {
	struct ra_hta_critical_node *nodes; /* owned; ordered by time */
	size_t node_count;
	struct ra_critical_graph graph; /* the owners of its edges are rows of the rank */
	struct ra_critical_path path;   /* it has no edges if HTA finds no path */
	const char *failure;            /* why HTA finds no path; NULL: it finds one */
	bool has_graph;                 /* HTA makes a graph, even if it finds no path in the
	                                   graph */
};

void ra_hta_critical_find(struct ra_hta_critical *critical, const struct ra_hta_full *rank,
                          const struct ra_hta_critical_setup *setup);
void ra_hta_critical_fini(struct ra_hta_critical *critical);

/* Counts the events to which the path's nodes belong. */
size_t ra_hta_critical_count_events(const struct ra_hta_critical *critical);

#endif
