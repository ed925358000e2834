/* SPDX-License-Identifier: MIT */
/* Which capture a replay is of, and which of its launches each of the replay's operations. */
#ifndef RA_GRAPH_MATCH_H
#define RA_GRAPH_MATCH_H

#include "analyzer/graphs/graph-capture.h"

/* What a graph did in one launch, in order. */
struct ra_graph_sequence {
	const uint32_t *symbols; /* borrowed */
	const uint64_t *nodes;   /* likewise; 0: the trace does not say */
	/* Likewise: which stream ran it, 0, 1, … as they come. NULL: the order is that in which the
	 * nodes were made, whatever streams ran them. */
	const uint32_t *streams;
	size_t count;
};

struct ra_graph_match {
	const struct ra_graph_captures *captures; /* borrowed; NULL: of none that is known */
	uint32_t *launches; /* owned; by place in the sequence: in captures->launches, NONE */
	enum ra_kineto_captured_rule rule; /* by which those were found */
	enum ra_kineto_captured_rest rest; /* why the others were not */
};

struct ra_graph_match_all; /* all traces with captures, ready to be looked through */

/* @count: of the traces, which are borrowed. @rank: of the replay, -1 not known: captures of the
 * same rank go before those of others. */
struct ra_graph_match_all *ra_graph_match_create(const struct ra_graph_captures *traces,
                                                 size_t count, int64_t rank);
void ra_graph_match_destroy(struct ra_graph_match_all *all);

/* How many captures there are to choose from. */
size_t ra_graph_match_count(const struct ra_graph_match_all *all);

/* Matches a sequence. Time: O(captures) + that of aligning (graph-align.h) where none is equal. */
void ra_graph_match_find(struct ra_graph_match *match, const struct ra_graph_match_all *all,
                         const struct ra_graph_sequence *sequence);
void ra_graph_match_fini(struct ra_graph_match *match);

#endif
