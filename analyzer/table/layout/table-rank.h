/* SPDX-License-Identifier: MIT */
/* Ranks rows by weight: finds the column to rank by, and sums it over rows that are cut. */
#ifndef RA_TABLE_RANK_H
#define RA_TABLE_RANK_H

#include "analyzer/table/table.h"

/*
 * Finds the table's weight: a time, a number of bytes or a count that can be added over rows. With
 * is_sorted, sorts the largest first. If rows are cut, the text then says what they add up to. The
 * table's maker may have set the weight already. A table without such a column, such as one in
 * order of time, stays as it is.
 */
void ra_table_rank(struct ra_table *table, bool is_sorted);

/* Appends ": Total 26.171ms, 6.52%" of the rows that are cut; nothing if the table has no
 * weight. */
void ra_table_rank_put_rest(struct ra_util_text *text, const struct ra_table *table);

#endif
