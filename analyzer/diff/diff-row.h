/* SPDX-License-Identifier: MIT */
/* A row of a comparison: something on either side, and the basis of its verdict. */
#ifndef RA_DIFF_ROW_H
#define RA_DIFF_ROW_H

#include "analyzer/diff/diff-noise.h"
#include "analyzer/diff/diff-verdict.h"
#include "analyzer/summary-file/report/sum-set.h"

/* Whether a row that one side lacks stands beside a similar one that the other side lacks. */
enum ra_diff_like {
	RA_DIFF_LIKE_NONE,
	RA_DIFF_LIKE_NEXT,
	RA_DIFF_LIKE_BEFORE,
	RA_DIFF_LIKE_SWAPPED, /* no: but it came or went for other kernels (diff-swaps.h) */
	RA_DIFF_LIKE_LOADED,  /* no: but a DataLoader's worker processes run it on the other side
	                       * (diff-loader.h) */
};

struct ra_diff_row {
	uint32_t table; /* enum ra_sum_table */
	uint32_t kind;
	struct rlog_string domain; /* borrowed from the sets; so is the name */
	struct rlog_string name;
	uint64_t calls[2];
	int64_t total_ns[2]; /* per unit, rounded down; so are the next two */
	int64_t self_ns[2];
	int64_t gpu_ns[2];
	const struct ra_sum_stat *stats[2]; /* borrowed; NULL: not on this side */
	enum ra_diff_verdict verdict;
	enum ra_diff_like like;
	struct ra_diff_evidence evidence; /* the basis of the verdict */
	const double *figures; /* by run, borrowed: logarithms, NAN: none; NULL: one run each */
};

#endif
