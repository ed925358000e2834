/* SPDX-License-Identifier: MIT */
/* In what order rows of a comparison come. */
#ifndef RA_DIFF_ORDER_H
#define RA_DIFF_ORDER_H

#include "analyzer/diff/diff-row.h"

/*
 * Sorts rows: those that differ for sure (slower, faster, new, gone) come before the others, and of
 * both the largest change of time comes first, gained or lost; but a range that moved by what is
 * within it stands behind that, where both moved alike. What is gone and what is new in its
 * place, by a name that differs only in numbers, template arguments and parameters, stand side by
 * side, where the larger of both is, and have `like` set.
 */
void ra_diff_order_rows(struct ra_diff_row *rows, size_t count);

/* By what a row is of: table, name, domain, kind. Return: as strcmp(). */
int ra_diff_order_compare_keys(const struct ra_diff_row *a, const struct ra_diff_row *b);

/* Whether a row is slower, faster, or on one side only. */
bool ra_diff_order_is_sure(const struct ra_diff_row *row);

#endif
