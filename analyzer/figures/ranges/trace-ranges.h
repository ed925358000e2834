/* SPDX-License-Identifier: MIT */
/* Finds the ranges and calls to which the GPU work of a JSON trace belongs. */
#ifndef RA_TRACE_RANGES_H
#define RA_TRACE_RANGES_H

#include "analyzer/rows/kineto.h"
#include "analyzer/model/model.h"

/* Figures on how operations are linked to launches. */
struct ra_trace_links {
	uint64_t to_runtime;
	uint64_t to_driver; /* and to no call of the runtime either */
	uint64_t unlinked;
	int64_t unlinked_ns;
	uint64_t launches; /* calls that launched GPU work */
	uint64_t several;  /* those of them that launched more than one operation */
	uint64_t most;
	uint64_t id_is_correlation; /* operations whose launch has External id = correlation */
	uint64_t id_of_op;          /* those whose External id is that of a cpu_op */
	int64_t id_of_op_ns;
	uint64_t disagree; /* … but of a cpu_op that was not open at the launch */
	int64_t disagree_ns;
};

void ra_trace_ranges_links(struct ra_trace_links *links, const struct ra_model *model);

/* Ranges of one kind and name, and the operations that were launched while one of them was open. */
struct ra_trace_range {
	enum ra_kineto_kind kind;
	uint32_t name;
	uint64_t calls;
	int64_t total_ns; /* sum of the ranges' durations */
	uint64_t self_ops;
	int64_t self_cuda_ns;
	uint64_t ops; /* each operation once, even if several ranges of the name were open */
	int64_t cuda_ns;
	int64_t cuda_union_ns;
};

enum ra_trace_inside {
	RA_TRACE_IN_ANNOTATION,
	RA_TRACE_IN_OP,
	RA_TRACE_IN_EITHER,
	RA_TRACE_IN_PYTHON,
	RA_TRACE_IN_NONE, /* in no annotation and no operator */
	RA_TRACE_INSIDES
};

struct ra_trace_ranges {
	struct ra_trace_range *rows; /* owned; in the order of first appearance on the threads */
	size_t count;
	uint64_t inside_ops[RA_TRACE_INSIDES];
	int64_t inside_ns[RA_TRACE_INSIDES];
};

void ra_trace_ranges_init(struct ra_trace_ranges *ranges, const struct ra_model *model);
void ra_trace_ranges_fini(struct ra_trace_ranges *ranges);

/* Returns the kind's name in traces: "user_annotation" … */
const char *ra_trace_ranges_inside_name(size_t inside);

#endif
