/* SPDX-License-Identifier: MIT */
/* Rows by weight: the column that a table's rows are ranked by, and whose rest is summed where rows
 * are cut. */
#ifndef RA_TABLE_RANK_H
#define RA_TABLE_RANK_H

#include "analyzer/table/table.h"

/*
 * Finds the table's weight, a time, a number of bytes or a count that may be added over rows, and
 * with is_sorted puts the largest first. Text then says of rows that are cut what they sum up to.
 * What made the table may have set it. A table without such a column, as one in the order of time,
 * stays as it is.
 */
void ra_table_rank(struct ra_table *table, bool is_sorted);

/* Appends ": Total 26.171ms, 6.52%" of the rows that are cut; nothing of a table without weight. */
void ra_table_rank_put_rest(struct ra_util_text *text, const struct ra_table *table);

#endif
