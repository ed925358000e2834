/* SPDX-License-Identifier: MIT */
/* Finds the capture of a replay, and the launch in it that each of the replay's operations came
 * from. */
#ifndef RA_GRAPH_MATCH_H
#define RA_GRAPH_MATCH_H

#include "analyzer/graphs/graph-capture.h"

/* The operations of one launch of a graph, in order. */
struct ra_graph_sequence {
	const uint32_t *symbols; /* borrowed */
	const uint64_t *nodes;   /* borrowed; 0: the trace does not say */
	/* borrowed: the stream that ran each, numbered 0, 1, … in order of appearance. NULL: the
	 * sequence is in the order in which the nodes were made, so streams do not matter. */
	const uint32_t *streams;
	size_t count;
};

struct ra_graph_match {
	const struct ra_graph_captures *captures; /* borrowed; NULL: no capture matches */
	uint32_t *launches; /* owned; by place: index into captures->launches, NONE */
	enum ra_kineto_captured_rule rule; /* the rule that matched them */
	enum ra_kineto_captured_rest rest; /* why the others were not matched */
};

struct ra_graph_match_all; /* the captures of all traces, indexed for the search */

/* @count: of the traces, which are borrowed. @rank: of the replay, -1: not known. Captures of the
 * same rank are preferred. */
struct ra_graph_match_all *ra_graph_match_create(const struct ra_graph_captures *traces,
                                                 size_t count, int64_t rank);
void ra_graph_match_destroy(struct ra_graph_match_all *all);

/* The number of captures to choose from. */
size_t ra_graph_match_count(const struct ra_graph_match_all *all);

/* Matches a sequence. Time: O(captures), plus that of aligning (graph-align.h) where no capture is
 * equal. */
void ra_graph_match_find(struct ra_graph_match *match, const struct ra_graph_match_all *all,
                         const struct ra_graph_sequence *sequence);
void ra_graph_match_fini(struct ra_graph_match *match);

#endif
