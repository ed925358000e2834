/* SPDX-License-Identifier: MIT */
/* Makes the two tables of a comparison: where the time of a step went, and what changed. */
#ifndef RA_DIFF_TABLE_H
#define RA_DIFF_TABLE_H

#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/* For whom the tables are. */
enum ra_diff_table_for {
	RA_DIFF_TABLE_FOLDED,        /* users, as the next one; but ranges that differ only by a
	                                number and changed alike share a row (diff-fold.h) */
	RA_DIFF_TABLE_FOR_PEOPLE,    /* users; only rows and parts that the two functions below
	                                accept */
	RA_DIFF_TABLE_FOR_PAGE_DATA, /* programs; the rows of the table for users, as numbers */
	RA_DIFF_TABLE_FOR_MACHINES,  /* programs; all rows, as numbers */
};

/* True if tables for users show this row. */
bool ra_diff_table_has_row(const struct ra_diff_row *row);

/* True if tables for users show this part of a step: the total, or a part that takes time on one of
 * the sides. */
bool ra_diff_table_has_part(const struct ra_diff *diff, size_t role);

/* Makes and fills both tables. */
void ra_diff_table_fill(struct ra_table tables[2], const struct ra_diff *diff,
                        enum ra_diff_table_for reader);

/* Hides the less useful columns of the second table, to save bytes: methods, domains, calls, self
 * times of ranges, times of GPUs. */
void ra_diff_table_hide_details(struct ra_table *table);

#endif
