/* SPDX-License-Identifier: MIT */
/* Joins rows whose names differ only by a number and that changed alike into one: "layer # × 12".
 * For tables that users read. */
#ifndef RA_DIFF_FOLD_H
#define RA_DIFF_FOLD_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/* The groups of rows of a comparison. The first row of a group stands for all of them. */
struct ra_diff_folds {
	uint32_t *next; /* owned; for each row of the comparison, the next row of its group;
	                   RA_NONE: none */
	size_t *counts; /* owned; for each row, the number of rows in the group that begins there;
	                   0: it is not the first */
};

/* Finds the groups: rows of one kind, domain and verdict that changed in the same direction, and
 * whose names differ only by a number. A row next to a row that replaces it is never in a group. */
void ra_diff_fold_init(struct ra_diff_folds *folds, const struct ra_diff *diff);
void ra_diff_fold_fini(struct ra_diff_folds *folds);

/*
 * Makes the row for a group of several rows. Its times and calls are sums. Its interval reaches
 * from the lowest end of their intervals to the highest.
 *
 * @name: gets the name of the row, which borrows it.
 */
struct ra_diff_row ra_diff_fold_make(const struct ra_diff_folds *folds, const struct ra_diff *diff,
                                     size_t first, struct ra_util_text *name);

#endif
