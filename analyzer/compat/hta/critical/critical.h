/* SPDX-License-Identifier: MIT */
/* HTA's critical path of a rank: the chain of work and waits that its time cannot be below. */
#ifndef RA_HTA_CRITICAL_H
#define RA_HTA_CRITICAL_H

#include "analyzer/compat/hta/critical/critical-graph.h"
#include "analyzer/compat/hta/full.h"

/* Which part of the trace, and how. */
struct ra_hta_critical_setup {
	const char *annotation; /* part of the names of ranges that bound it; NULL: all of it */
	uint64_t first;         /* of those ranges, in HTA's order of rows, from 0 */
	uint64_t count;
	bool has_launch_edges; /* every operation waits for its call at least */
	const char *loading;   /* part of the names of ranges that load data; NULL: none */
};

/* Begin or end of an event. */
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
	struct ra_critical_path path;   /* no edges if HTA gives no path */
	const char *failure;            /* why HTA gives none; NULL: it does */
	bool has_graph;                 /* HTA makes one, even if it finds no path in it */
};

void ra_hta_critical_find(struct ra_hta_critical *critical, const struct ra_hta_full *rank,
                          const struct ra_hta_critical_setup *setup);
void ra_hta_critical_fini(struct ra_hta_critical *critical);

/* Number of events that nodes of the path are of. */
size_t ra_hta_critical_count_events(const struct ra_hta_critical *critical);

#endif
