/* SPDX-License-Identifier: MIT */
/* Ranks rows: finds the column to rank by (the weight), and sums it over the rows that are cut. */
#ifndef RA_TABLE_RANK_H
#define RA_TABLE_RANK_H

#include "analyzer/table/table.h"

/*
 * Finds the table's weight: a time, a number of bytes or a count that can be added over rows. If
 * is_sorted is set, sorts the rows by it, the largest first. If rows are cut, the text will tell
 * their sum. The report may have set the weight already. A table without such a column, such as one
 * in order of time, is unchanged.
 */
void ra_table_rank(struct ra_table *table, bool is_sorted);

/* Appends the sum of the rows that are cut, as ": Total 26.171ms, 6.52%"; nothing if the table has
 * no weight. */
void ra_table_rank_put_rest(struct ra_util_text *text, const struct ra_table *table);

#endif
