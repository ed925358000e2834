/* SPDX-License-Identifier: MIT */
/* A row of a comparison: the times of something on both sides, the verdict, and its basis. */
#ifndef RA_DIFF_ROW_H
#define RA_DIFF_ROW_H

#include "analyzer/diff/diff-noise.h"
#include "analyzer/diff/diff-verdict.h"
#include "analyzer/summary-file/report/sum-set.h"

/* Whether a row that one side lacks is adjacent to a similar row that the other side lacks. */
enum ra_diff_like {
	RA_DIFF_LIKE_NONE,
	RA_DIFF_LIKE_NEXT,
	RA_DIFF_LIKE_BEFORE,
	RA_DIFF_LIKE_SWAPPED, /* no: but other kernels replaced it, or it replaced others
	                         (diff-swaps.h) */
	RA_DIFF_LIKE_LOADED,  /* no: but on the other side a DataLoader's worker processes run it
	                         (diff-loader.h) */
};

struct ra_diff_row {
	uint32_t table; /* enum ra_sum_table */
	uint32_t kind;
	struct rlog_string domain; /* borrowed from the sets, as is the name */
	struct rlog_string name;
	uint64_t calls[2];
	int64_t total_ns[2]; /* per unit, rounded down, as are self_ns and gpu_ns */
	int64_t self_ns[2];
	int64_t gpu_ns[2];
	const struct ra_sum_stat *stats[2]; /* borrowed; NULL: this side lacks the row */
	enum ra_diff_verdict verdict;
	enum ra_diff_like like;
	struct ra_diff_evidence evidence; /* the basis of the verdict */
	const double *figures; /* borrowed; one for each run: logarithms, NAN: none; NULL: there is
	                          one run on each side */
};

#endif
