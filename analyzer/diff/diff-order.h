/* SPDX-License-Identifier: MIT */
/* The order of rows in a comparison. */
#ifndef RA_DIFF_ORDER_H
#define RA_DIFF_ORDER_H

#include "analyzer/diff/diff-row.h"

/*
 * Sorts rows. Rows that surely differ (slower, faster, new, gone) come before the others. Within
 * both groups the largest change of time comes first, in either direction. But if a range and a row
 * inside it moved alike, the inner row comes first, because it is the likely cause. If a new row
 * replaces a gone one, both are adjacent, at the place of the larger, and have `like` set: their
 * names only differ in numbers, template arguments and parameters.
 */
void ra_diff_order_rows(struct ra_diff_row *rows, size_t count);

/* Compares the things that rows describe: table, name, domain, kind. Return: as strcmp(). */
int ra_diff_order_compare_keys(const struct ra_diff_row *a, const struct ra_diff_row *b);

/* True if a row is slower, faster, or on one side only. */
bool ra_diff_order_is_sure(const struct ra_diff_row *row);

#endif
