/* SPDX-License-Identifier: MIT */
/* Puts rows that differ only by a number in their name, and moved alike, into one: "layer # × 12".
 * For people. */
#ifndef RA_DIFF_FOLD_H
#define RA_DIFF_FOLD_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/* Rows in the order of the comparison, some of which stand for several. */
struct ra_diff_folds {
	uint32_t *next; /* owned; by row of the comparison: the next of its group; RA_NONE: none */
	size_t *counts; /* owned; by row: the rows of the group that begins there; 0: not first */
};

/* Finds the groups: rows of one kind, domain and verdict, that moved the same way, with a number in
 * the name. Rows that stand beside a row that replaces them are on their own. */
void ra_diff_fold_init(struct ra_diff_folds *folds, const struct ra_diff *diff);
void ra_diff_fold_fini(struct ra_diff_folds *folds);

/*
 * Makes the row of a group of several: its times and calls are sums, its interval reaches from the
 * lowest of them to the highest.
 *
 * @name: gets the name of the row, which borrows it.
 */
struct ra_diff_row ra_diff_fold_make(const struct ra_diff_folds *folds, const struct ra_diff *diff,
                                     size_t first, struct ra_util_text *name);

#endif
