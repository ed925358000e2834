/* SPDX-License-Identifier: MIT */
/* Adds the ranges in which a trace's graphs were captured to its rows. */
#ifndef RA_GRAPH_REPLAY_H
#define RA_GRAPH_REPLAY_H

#include "analyzer/rows/kineto-store.h"

struct ra_graph_replay_options {
	struct ra_kineto *const *captures; /* borrowed: traces with captures … */
	size_t capture_count;              /* … 0: use those in the trace itself */
	bool with_python;
};

/*
 * For each launch of a graph whose capture is known, adds rows for the ranges that were open around
 * the captured launches. kineto->captured then tells which operation ran in which range. The rows
 * stand at the launch and take no time, because the program did not go through these ranges again.
 *
 * @store: must have all its rows. kineto->captured stays NULL if the trace itself is searched for
 * captures and has none, or if it launches no graph.
 */
void ra_graph_replay_extend(struct ra_kineto_store *store,
                            const struct ra_graph_replay_options *options);

#endif
