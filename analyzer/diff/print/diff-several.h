/* SPDX-License-Identifier: MIT */
/* Writes how several runs differ from one run. */
#ifndef RA_DIFF_SEVERAL_H
#define RA_DIFF_SEVERAL_H

#include "analyzer/diff/print/diff-print.h"
#include "analyzer/table/table.h"

/* At most this many runs are compared with one, because a table should fit on a screen. */
#define RA_DIFF_SEVERAL_MAX 8u

/* Four columns for the row and the first side, and four for each other run. */
#define RA_DIFF_SEVERAL_COLUMNS (4 + 4 * RA_DIFF_SEVERAL_MAX)

/* The columns of a table. Those for each run have its letter. */
struct ra_diff_headings {
	struct ra_table_column columns[RA_DIFF_SEVERAL_COLUMNS];
	char texts[RA_DIFF_SEVERAL_COLUMNS][2][24]; /* for each column, its key and its title */
	size_t count;
};

/* Comparisons with the same first side, and the names of their second sides. */
struct ra_diff_several {
	const struct ra_diff *diffs; /* borrowed, as is everything here */
	const char *const *names;    /* names of the second sides; that of the first side is in the
	                                options */
	size_t count;
};

/*
 * Makes and fills the two tables for users: the time of a step by role, and a row for everything
 * that changed in any of the comparisons.
 *
 * @headings: the tables borrow these.
 */
void ra_diff_several_fill(struct ra_table tables[2], struct ra_diff_headings headings[2],
                          const struct ra_diff_several *several);

/* Appends all comparisons. For users: the two tables, with columns for each run. As JSON and JUnit:
 * for each comparison the text of ra_diff_print(). */
void ra_diff_several_print(struct ra_util_text *text, const struct ra_diff_several *several,
                           const struct ra_diff_print *options);

#endif
