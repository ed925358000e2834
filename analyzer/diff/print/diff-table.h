/* SPDX-License-Identifier: MIT */
/* The two tables of a comparison: where the time of a step went, and what changed. */
#ifndef RA_DIFF_TABLE_H
#define RA_DIFF_TABLE_H

#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/* The reader of the tables. */
enum ra_diff_table_for {
	RA_DIFF_TABLE_FOLDED,        /* as the next, but ranges that differ only by a number and
	                                changed alike share a row (diff-fold.h) */
	RA_DIFF_TABLE_FOR_PEOPLE,    /* without unchanged rows, and without parts that no side
	                                has */
	RA_DIFF_TABLE_FOR_PAGE_DATA, /* the rows of the table for users, as numbers */
	RA_DIFF_TABLE_FOR_MACHINES,  /* all rows, as numbers */
};

/* True if people are shown a row or a part; those of GPUs only if there is a GPU. */
bool ra_diff_table_has_row(const struct ra_diff_row *row);
bool ra_diff_table_has_part(const struct ra_diff *diff, size_t role);

/* Makes and fills both tables. */
void ra_diff_table_fill(struct ra_table tables[2], const struct ra_diff *diff,
                        enum ra_diff_table_for reader);

/* Hides columns of the second table that are of little use if bytes are few: methods, domains,
 * calls, self times of ranges, times of GPUs. */
void ra_diff_table_hide_details(struct ra_table *table);

#endif
