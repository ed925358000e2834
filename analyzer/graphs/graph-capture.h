/* SPDX-License-Identifier: MIT */
/* Finds the stream captures in a trace: the launches in each, and the ranges that were open
 * then. */
#ifndef RA_GRAPH_CAPTURE_H
#define RA_GRAPH_CAPTURE_H

#include "analyzer/base/util-map.h"
#include "analyzer/rows/kineto-store.h"

/* A symbol stands for the operation that is launched, so that it can be compared with the
 * operations that ran. It is the string id of a kernel's name in the rows that get new rows, or one
 * of these. */
enum {
	RA_GRAPH_ANY = 0xFFFFFFF0u, /* a kernel of unknown name */
	RA_GRAPH_COPY,
	RA_GRAPH_SET,
};

/* Ordered so that each range comes directly before those within it. */
struct ra_graph_range {
	uint32_t event;  /* the range's row in the capture's trace */
	uint32_t parent; /* index of the range around it, RA_KINETO_NONE */
	uint32_t path; /* set if the range contains launches. Ranges have the same path if they and
	                  the ranges around them have the same names */
	bool is_outside; /* it was open before the capture began */
};

struct ra_graph_launch {
	uint32_t event;
	uint32_t symbol; /* what is launched: a symbol as above */
	uint32_t range;  /* index of the innermost range around it, RA_KINETO_NONE */
	uint32_t path;   /* path of that range, RA_KINETO_NONE */
	uint64_t node;   /* the graph's node that the launch made; 0: the trace has no node */
};

struct ra_graph_capture {
	uint32_t first; /* index of its first launch */
	uint32_t count;
	bool is_nameless; /* its kernels have no names: all are RA_GRAPH_ANY */
};

/* The captures of one trace. */
struct ra_graph_captures {
	const struct ra_kineto *kineto; /* borrowed */
	struct ra_graph_range *ranges;  /* owned, as all arrays here */
	size_t range_count;
	struct ra_graph_launch *launches; /* ordered by capture, then time */
	size_t launch_count;
	struct ra_graph_capture *captures; /* ordered by time */
	size_t capture_count;
};

/*
 * Finds the captures. Ranges are user annotations, operators, nn.Modules, and events of unknown
 * category. The profiler's own "ProfilerStep#N" is not a range here.
 *
 * @store: of the rows that get new rows. Names of kernels, and of ranges with launches, are added
 * to its strings.
 * @paths: maps a pair of outer path and name to a path; all traces share it.
 * @with_python: Python functions are ranges, too.
 */
void ra_graph_capture_find(struct ra_graph_captures *captures, const struct ra_kineto *kineto,
                           struct ra_kineto_store *store, struct ra_util_map *paths,
                           bool with_python);
void ra_graph_capture_fini(struct ra_graph_captures *captures);

/* Returns the symbol for the name of an operation or launch. */
uint32_t ra_graph_capture_find_symbol(struct rlog_string name, uint32_t id);

/* True for a call of CUDA's or HIP's runtime or driver whose name contains the word. */
bool ra_graph_capture_is_call(const struct ra_kineto *kineto, uint32_t event, const char *word);

#endif
