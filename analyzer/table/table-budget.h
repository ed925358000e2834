/* SPDX-License-Identifier: MIT */
/* Answers of several tables within a budget of bytes. */
#ifndef RA_TABLE_BUDGET_H
#define RA_TABLE_BUDGET_H

#include "analyzer/base/text/util-text.h"

/*
 * An answer in one size.
 *
 * @rows: of each table at most.
 * @tables: the first so many of the answer's only; what is left out is named.
 */
typedef void (*ra_table_budget_put)(struct ra_util_text *text, size_t rows, size_t tables,
                                    const void *context);

/*
 * Appends the largest answer that fits into the bytes: as many rows of each table as possible; if
 * one of each is too many, one of the first tables. What `put` does not leave out, as losses and
 * doubts, is there in any case, also beyond the budget.
 */
void ra_table_budget_fit(struct ra_util_text *text, size_t bytes, size_t tables,
                         ra_table_budget_put put, const void *context);

#endif
