/* SPDX-License-Identifier: MIT */
/* The two tables of a comparison: where the time of a step went, and what changed. */
#ifndef RA_DIFF_TABLE_H
#define RA_DIFF_TABLE_H

#include "analyzer/diff/diff.h"
#include "analyzer/table/table.h"

/* Who reads them. */
enum ra_diff_table_for {
	RA_DIFF_TABLE_FOR_PEOPLE,    /* without what did not change, and parts that no side has */
	RA_DIFF_TABLE_FOR_PAGE_DATA, /* the same rows as numbers */
	RA_DIFF_TABLE_FOR_MACHINES,  /* all, as numbers */
};

/* Whether people are shown a row, or a part: not those of GPUs where there is none. */
bool ra_diff_table_has_row(const struct ra_diff_row *row);
bool ra_diff_table_has_part(const struct ra_diff *diff, size_t role);

/* Makes and fills both. */
void ra_diff_table_fill(struct ra_table tables[2], const struct ra_diff *diff,
                        enum ra_diff_table_for reader);

#endif
