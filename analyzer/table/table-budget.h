/* SPDX-License-Identifier: MIT */
/* Fits the answer of several tables into a budget of bytes. */
#ifndef RA_TABLE_BUDGET_H
#define RA_TABLE_BUDGET_H

#include "analyzer/base/text/util-text.h"

/*
 * Writes the answer in one size. @rows: at most this many of each table. @tables: only this many of
 * the first tables; the others are only named.
 */
typedef void (*ra_table_budget_put)(struct ra_util_text *text, size_t rows, size_t tables,
                                    const void *context);

/*
 * Appends the largest answer that fits: as many rows of each table as possible. If one row of each
 * is too much, it has one row each of the first tables. Some lines, such as those on losses and
 * doubts, `put` never leaves out; these may exceed the budget.
 */
void ra_table_budget_fit(struct ra_util_text *text, size_t bytes, size_t tables,
                         ra_table_budget_put put, const void *context);

#endif
