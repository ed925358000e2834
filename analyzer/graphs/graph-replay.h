/* SPDX-License-Identifier: MIT */
/* Gives the rows of a trace the ranges in which its graphs were captured. */
#ifndef RA_GRAPH_REPLAY_H
#define RA_GRAPH_REPLAY_H

#include "analyzer/rows/kineto-store.h"

struct ra_graph_replay_options {
	struct ra_kineto *const *captures; /* borrowed: traces with captures … */
	size_t capture_count;              /* … 0: those that the trace itself has */
	bool with_python;
};

/*
 * For each launch of a graph whose capture is known: adds rows for the ranges that were open then
 * around what it launches, and tells by kineto->captured what ran in which. They stand at the
 * launch and take no time: the program did not go through them again.
 *
 * @store: its rows are all there. kineto->captured stays NULL if the trace is to be
 * looked for captures itself, and has none or launches no graph.
 */
void ra_graph_replay_extend(struct ra_kineto_store *store,
                            const struct ra_graph_replay_options *options);

#endif
