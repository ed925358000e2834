/* SPDX-License-Identifier: MIT */
/* Fits an answer that consists of several tables into a number of bytes. */
#ifndef RA_TABLE_BUDGET_H
#define RA_TABLE_BUDGET_H

#include "analyzer/base/text/util-text.h"

/*
 * Writes the answer in one size. @rows: most rows of each table. @tables: number of tables, from
 * the first, to write; the other tables are only named.
 */
typedef void (*ra_table_budget_put)(struct ra_util_text *text, size_t rows, size_t tables,
                                    const void *context);

/*
 * Appends the largest answer that fits: as many rows of each table as possible. If one row of each
 * table is too much, it has one row of each of the first tables. Some lines, such as those on
 * losses and doubts, are never left out by `put`; they may exceed the budget.
 */
void ra_table_budget_fit(struct ra_util_text *text, size_t bytes, size_t tables,
                         ra_table_budget_put put, const void *context);

#endif
