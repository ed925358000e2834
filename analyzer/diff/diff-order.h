/* SPDX-License-Identifier: MIT */
/* Orders the rows of a comparison. */
#ifndef RA_DIFF_ORDER_H
#define RA_DIFF_ORDER_H

#include "analyzer/diff/diff-row.h"

/*
 * Sorts rows. Rows that surely differ (slower, faster, new, gone) come before the others. Within
 * both groups the largest change of time comes first, in either direction. But if a range and a row
 * inside it changed alike, the inner row comes first, because it is the likely cause. A new row
 * replaces a gone one if their names differ only in numbers, template arguments and parameters.
 * Both are then adjacent, at the place of the larger one, and have `like` set.
 */
void ra_diff_order_rows(struct ra_diff_row *rows, size_t count);

/* Compares the things that rows describe: table, name, domain, kind. Return: as strcmp(). */
int ra_diff_order_compare_keys(const struct ra_diff_row *a, const struct ra_diff_row *b);

/* True if a row is slower, faster, or on one side only. */
bool ra_diff_order_is_sure(const struct ra_diff_row *row);

#endif
