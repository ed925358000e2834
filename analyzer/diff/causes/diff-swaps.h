/* SPDX-License-Identifier: MIT */
/* Kernels that do the work of others: an operator runs them in place of these. */
#ifndef RA_DIFF_SWAPS_H
#define RA_DIFF_SWAPS_H

#include "analyzer/diff/causes/diff-causes.h"

/* Calls of kernels moved from some kernels to others, below ranges of one path. */
struct ra_diff_swap {
	struct rlog_string path;   /* borrowed from the sets */
	struct rlog_string *names; /* owned; first those that lost calls, then those that got them;
	                              borrowed each */
	size_t count[2];           /* of both */
	double calls;              /* per unit, that moved: of the side with more */
	int64_t time_ns[2];        /* per unit: what the former lost, what the latter got */
};

/* Zero-initialise. */
struct ra_diff_swaps {
	struct ra_diff_swap *rows; /* owned; the largest net change first */
	size_t count;
	size_t capacity;
};

/*
 * Finds swaps. Below one path the kernels that lost calls lost as many, per unit, as those that got
 * calls got; or each of both lost or got the same number. Else they stay apart.
 */
void ra_diff_swaps_init(struct ra_diff_swaps *swaps, const struct ra_diff *diff,
                        const struct ra_diff_costs *costs);
void ra_diff_swaps_fini(struct ra_diff_swaps *swaps);

/* Marks rows of kernels that came or went by swaps (row->like), unless a similar row is beside
 * them. */
void ra_diff_swaps_mark(struct ra_diff *diff);

#endif
