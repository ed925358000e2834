/* SPDX-License-Identifier: MIT */
/* Finds the capture of a replay, and for each of the replay's operations the launch that it came
 * from. */
#ifndef RA_GRAPH_MATCH_H
#define RA_GRAPH_MATCH_H

#include "analyzer/graphs/graph-capture.h"

/* The operations of one launch of a graph, in order. */
struct ra_graph_sequence {
	const uint32_t *symbols; /* borrowed; what each operation is (graph-capture.h) */
	const uint64_t *nodes;   /* borrowed; the graph's node of each; 0: the trace has no node */
	/* borrowed: the stream that ran each operation, numbered 0, 1, … in order of appearance.
	 * NULL: the sequence is in the order in which the nodes were made, so streams do not
	 * matter. */
	const uint32_t *streams;
	size_t count;
};

struct ra_graph_match {
	const struct ra_graph_captures *captures; /* borrowed; NULL: no capture matches */
	uint32_t *launches; /* owned; for each operation: index into captures->launches, or NONE */
	enum ra_kineto_captured_rule rule; /* the rule by which the operations with a launch were
	                                      matched */
	enum ra_kineto_captured_rest rest; /* why the other operations were not matched */
};

struct ra_graph_match_all; /* the captures of all traces, indexed for the search */

/* @count: number of traces, which are borrowed. @rank: the rank of the replay; -1: not known.
 * Captures of the same rank are preferred. */
struct ra_graph_match_all *ra_graph_match_create(const struct ra_graph_captures *traces,
                                                 size_t count, int64_t rank);
void ra_graph_match_destroy(struct ra_graph_match_all *all);

/* The number of captures to choose from. */
size_t ra_graph_match_count(const struct ra_graph_match_all *all);

/* Matches a sequence. Time: O(captures), and if no capture is equal, also the time for aligning
 * (graph-align.h). */
void ra_graph_match_find(struct ra_graph_match *match, const struct ra_graph_match_all *all,
                         const struct ra_graph_sequence *sequence);
void ra_graph_match_fini(struct ra_graph_match *match);

#endif
