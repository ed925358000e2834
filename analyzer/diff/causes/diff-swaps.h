/* SPDX-License-Identifier: MIT */
/* Finds kernels that replace others: an operator runs these kernels instead. */
#ifndef RA_DIFF_SWAPS_H
#define RA_DIFF_SWAPS_H

#include "analyzer/diff/causes/diff-causes.h"

/* A swap: calls moved from some kernels to others, below ranges of one path. */
struct ra_diff_swap {
	struct rlog_string path;   /* borrowed from the sets */
	struct rlog_string *names; /* owned; names of kernels: first those that lost calls, then
	                              those that got them; each name is borrowed */
	size_t count[2];           /* how many names of each kind */
	double calls;              /* calls that moved, per unit, on the side where they are more */
	int64_t time_ns[2]; /* per unit: the time that the first kernels lost, and that the others
	                       got */
};

/* Zero-initialise. */
struct ra_diff_swaps {
	struct ra_diff_swap *rows; /* owned; the largest net change first */
	size_t count;
	size_t capacity;
};

/*
 * Finds swaps. Kernels below one path are a swap if some lost as many calls per unit as the others
 * got, or if each of them lost or got the same number.
 */
void ra_diff_swaps_init(struct ra_diff_swaps *swaps, const struct ra_diff *diff,
                        const struct ra_diff_costs *costs);
void ra_diff_swaps_fini(struct ra_diff_swaps *swaps);

/* Marks (row->like) rows of kernels that came or went by swaps, unless a similar row is
 * adjacent. */
void ra_diff_swaps_mark(struct ra_diff *diff);

#endif
