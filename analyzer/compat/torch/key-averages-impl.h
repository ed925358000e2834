/* SPDX-License-Identifier: MIT */
/* Private to the files that make our key_averages(): threads in key-averages.c, GPU and allocations
 * in key-averages-gpu.c. */
#ifndef RA_KEY_AVERAGES_IMPL_H
#define RA_KEY_AVERAGES_IMPL_H

#include "analyzer/compat/torch/key-averages.h"
#include "analyzer/figures/python-stacks.h"

/* Kinds of name keys, shifted by 56 bits: what a row is of. */
enum ra_key_kind {
	RA_KEY_ROW_RANGE,     /* label */
	RA_KEY_ROW_STEP,      /* ProfilerStep#N, all of them */
	RA_KEY_ROW_SPAN,      /* label, of start/end ranges */
	RA_KEY_ROW_SPAN_STEP, /* ProfilerStep#N among these */
	RA_KEY_ROW_API,       /* string id */
	RA_KEY_ROW_OP,        /* kernels and graphs: the key of op-names.h */
	RA_KEY_ROW_COPY,      /* copies and sets: their kinds, or string id of a trace's name */
	RA_KEY_ROW_MEMORY,    /* allocations outside of any range */
	RA_KEY_ROW_BACKWARD,  /* what the ranges of a row caused in a backward pass: index of that
	                         row */
};

/* An interval of a thread. While nothing that began later is open, the time is its row's. */
struct ra_key_open {
	int64_t end_ns;
	uint32_t row;
};

/* Up to when a row's time on the current thread has been counted. */
struct ra_key_cover {
	int64_t until_ns;
	int64_t tree_ns; /* the same of ranges that nest */
	uint64_t track;  /* that thread + 1 */
};

/* The figures of a range: first its own, later including the ranges inside it. */
struct ra_key_below {
	int64_t ns;
	int64_t cpu_bytes;
	int64_t gpu_bytes;
};

struct ra_key_making {
	struct ra_key_averages *averages;
	const struct ra_report_input *input;
	const struct ra_model *model;
	struct ra_table *table;
	struct ra_key_finder finder;
	struct ra_python_stacks stacks; /* owned; if call stacks separate rows */
	uint32_t *row_of;               /* owned: by slice */
	bool *is_outermost;             /* owned: by slice: no range of the same row is around it */
	struct ra_key_below *below;     /* owned: by slice */
	struct ra_key_cover *covers;    /* owned: by row */
	size_t cover_capacity;
	struct ra_key_open *open; /* owned: a stack */
	size_t open_count;
	size_t open_capacity;
	int64_t now_ns;
};

static inline uint64_t ra_key_averages_make_key(enum ra_key_kind kind, uint64_t value)
{
	return (uint64_t) kind << 56 | value;
}

/* Adds GPU operations and allocations, and the totals of both. Each slice must have its row. */
void ra_key_averages_add_gpu(struct ra_key_making *making);

#endif
