/* SPDX-License-Identifier: MIT */
/* Private to the files that make our key_averages(): threads in key-averages.c, GPU and allocations
 * in key-averages-gpu.c. */
#ifndef RA_KEY_AVERAGES_IMPL_H
#define RA_KEY_AVERAGES_IMPL_H

#include "analyzer/compat/torch/key-averages.h"
#include "analyzer/figures/python-stacks.h"

/* What a row is about. In a row's name key, it is the top 8 bits. The comments say what the other
 * bits are. */
enum ra_key_kind {
	RA_KEY_ROW_RANGE,     /* label */
	RA_KEY_ROW_STEP,      /* 0: all ranges ProfilerStep#N */
	RA_KEY_ROW_SPAN,      /* label; the row is of start/end ranges */
	RA_KEY_ROW_SPAN_STEP, /* 0: start/end ranges ProfilerStep#N */
	RA_KEY_ROW_API,       /* string id */
	RA_KEY_ROW_OP,        /* the key of op-names.h; kernels and graphs */
	RA_KEY_ROW_COPY,      /* kinds of the copy or set, or string id of its name in a trace */
	RA_KEY_ROW_MEMORY,    /* 0: allocations outside of any range */
	RA_KEY_ROW_BACKWARD,  /* index of a row of ranges; this row is the work that these ranges
	                         caused in a backward pass */
};

/* An open interval of a thread. While no interval that began later is open, time counts for its
 * row. */
struct ra_key_open {
	int64_t end_ns;
	uint32_t row;
};

/* The time up to which a row's time on the current thread has been counted. */
struct ra_key_cover {
	int64_t until_ns;
	int64_t tree_ns; /* the same for ranges that nest */
	uint64_t track;  /* the thread's number + 1 */
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
	struct ra_python_stacks stacks; /* owned; only if rows are grouped by call stack */
	uint32_t *row_of;               /* owned: for each slice */
	bool *is_outermost;             /* owned: for each slice: no range of the same row is around
	                                   it */
	struct ra_key_below *below;     /* owned: for each slice */
	struct ra_key_cover *covers;    /* owned: for each row */
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

/* Adds GPU operations and allocations, and the totals of both. Each slice must have its row in
 * row_of. */
void ra_key_averages_add_gpu(struct ra_key_making *making);

#endif
