/* SPDX-License-Identifier: MIT */
/* The ranges in which graphs were captured, and how the operations of graphs were matched to them.
 */
#ifndef RA_KINETO_CAPTURED_H
#define RA_KINETO_CAPTURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rule by which an operation of a graph was matched to a launch in the graph's capture. */
enum ra_kineto_captured_rule {
	RA_KINETO_CAPTURED_NODE,    /* both traces have the node's id */
	RA_KINETO_CAPTURED_NAME,    /* the names are equal and in the same order */
	RA_KINETO_CAPTURED_STREAMS, /* the names are equal, and each name is in order: several
	                               streams ran it */
	RA_KINETO_CAPTURED_ALIGNED, /* like NAME, except that a few are missing */
	/* only the number and the order are equal, because the capture has no names */
	RA_KINETO_CAPTURED_ORDER,
	RA_KINETO_CAPTURED_RULES
};

/* Why an operation was not matched. */
enum ra_kineto_captured_rest {
	RA_KINETO_CAPTURED_UNKNOWN, /* no capture fits this graph, or this node */
	RA_KINETO_CAPTURED_SEVERAL, /* several captures fit */
	RA_KINETO_CAPTURED_UNSURE,  /* several launches fit, or none */
	RA_KINETO_CAPTURED_OUTSIDE, /* a launch was matched, but it was in no range */
	RA_KINETO_CAPTURED_RESTS
};

/* The ranges in which graphs were captured. They are rows after those of the file, one row for each
 * range at each launch (graphs/). */
struct ra_kineto_captured {
	uint32_t first; /* number of the first such row */
	size_t count;
	/* owned; by row - first: the row of the range around it; NONE: it is in the range that
	 * is open at the launch */
	uint32_t *parents;
	/* owned; by row - first: its slice in the model; NULL: the model was not made yet */
	uint32_t *slices;
	/* owned; by row of an operation: the row of its innermost range; NONE: none */
	uint32_t *leaves;
	uint32_t domain;   /* string id of the domain of these ranges, which take no CPU time */
	uint64_t captures; /* number of captures from which to choose */
	uint64_t damaged;  /* number of traces of captures that end early or are damaged */
	uint64_t unread;   /* number of files that should be such traces and could not be read */
	char *notes;       /* owned; faults of these files, one line each; NULL: none */
	bool is_given;     /* the captures are from other files than the trace */
	uint64_t launches; /* number of launches of graphs */
	uint64_t rule_ops[RA_KINETO_CAPTURED_RULES];
	uint64_t rest_ops[RA_KINETO_CAPTURED_RESTS];
};

#endif
