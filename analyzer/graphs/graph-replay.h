/* SPDX-License-Identifier: MIT */
/* Adds rows to a trace: the ranges in which its CUDA graphs were captured. */
#ifndef RA_GRAPH_REPLAY_H
#define RA_GRAPH_REPLAY_H

#include "analyzer/rows/kineto-store.h"

struct ra_graph_replay_options {
	struct ra_kineto *const *captures; /* borrowed: traces with captures … */
	size_t capture_count;              /* … and their number. 0: use captures in the trace
	                                      itself */
	bool with_python;
};

/*
 * For each launch of a graph whose capture is known, adds rows for the ranges that were open around
 * the captured launches. kineto->captured then says which operation ran in which range. The rows
 * begin at the launch and have no duration, because the program did not go through these ranges
 * again.
 *
 * @store: must already have all its rows. kineto->captured stays NULL if the trace launches no
 * graph, or if the trace itself is searched for captures and has none.
 */
void ra_graph_replay_extend(struct ra_kineto_store *store,
                            const struct ra_graph_replay_options *options);

#endif
