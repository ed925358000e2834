/* SPDX-License-Identifier: MIT */
/* The stream captures in a trace: which launches each holds, and the ranges that were open there.
 */
#ifndef RA_GRAPH_CAPTURE_H
#define RA_GRAPH_CAPTURE_H

#include "analyzer/base/util-map.h"
#include "analyzer/rows/kineto-store.h"

/* What is launched, so that it can be compared with what ran: the string id of a kernel's name in
 * the rows that are extended, or one of these. */
enum {
	RA_GRAPH_ANY = 0xFFFFFFF0u, /* a kernel, nobody says which */
	RA_GRAPH_COPY,
	RA_GRAPH_SET,
};

/* Ordered so that each stands before those within it, with which it is together. */
struct ra_graph_range {
	uint32_t event;  /* row of the capture's trace */
	uint32_t parent; /* range, RA_KINETO_NONE */
	uint32_t path; /* equal for equal names of it and those around it; set where launches are */
	bool is_outside; /* it was open before the capture began */
};

struct ra_graph_launch {
	uint32_t event;
	uint32_t symbol; /* see above */
	uint32_t range;  /* the innermost, RA_KINETO_NONE */
	uint32_t path;   /* of its range, RA_KINETO_NONE */
	uint64_t node;   /* that the graph got by it; 0: the trace does not say */
};

struct ra_graph_capture {
	uint32_t first; /* launch */
	uint32_t count;
	bool is_nameless; /* some kernel is RA_GRAPH_ANY: all are */
};

/* Of one trace. */
struct ra_graph_captures {
	const struct ra_kineto *kineto; /* borrowed */
	struct ra_graph_range *ranges;  /* owned, as all arrays */
	size_t range_count;
	struct ra_graph_launch *launches; /* by capture, then time */
	size_t launch_count;
	struct ra_graph_capture *captures; /* by time */
	size_t capture_count;
};

/*
 * Finds them. Ranges are user annotations, operators, nn.Modules, and what is of no known category;
 * "ProfilerStep#N", the profiler's own, is none.
 *
 * @store: of the rows that are extended: names of kernels, and of ranges with launches, are put
 * into its strings.
 * @paths: pair of path and name → path, for all traces.
 * @with_python: Python functions are ranges too.
 */
void ra_graph_capture_find(struct ra_graph_captures *captures, const struct ra_kineto *kineto,
                           struct ra_kineto_store *store, struct ra_util_map *paths,
                           bool with_python);
void ra_graph_capture_fini(struct ra_graph_captures *captures);

/* What ran, or was launched, by its name. */
uint32_t ra_graph_capture_find_symbol(struct rlog_string name, uint32_t id);

/* True if a call of CUDA's or HIP's runtime or driver has the word in its name. */
bool ra_graph_capture_is_call(const struct ra_kineto *kineto, uint32_t event, const char *word);

#endif
