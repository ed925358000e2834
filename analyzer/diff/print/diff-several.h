/* SPDX-License-Identifier: MIT */
/* Writes the differences of several runs from one. */
#ifndef RA_DIFF_SEVERAL_H
#define RA_DIFF_SEVERAL_H

#include "analyzer/diff/print/diff-print.h"
#include "analyzer/table/table.h"

/* The most runs compared with one: columns have letters, and a table should fit a screen. */
#define RA_DIFF_SEVERAL_MAX 8u

/* Four columns that identify a row, and five for each run. */
#define RA_DIFF_SEVERAL_COLUMNS (4 + 4 * RA_DIFF_SEVERAL_MAX)

/* Columns with a letter for each run. */
struct ra_diff_headings {
	struct ra_table_column columns[RA_DIFF_SEVERAL_COLUMNS];
	char texts[RA_DIFF_SEVERAL_COLUMNS][2][24]; /* keys and titles */
	size_t count;
};

/* Comparisons with the same first side, and the names of their second sides. */
struct ra_diff_several {
	const struct ra_diff *diffs; /* borrowed; so is everything here */
	const char *const *names;    /* of the second sides; the first side's are in the options */
	size_t count;
};

/*
 * Makes and fills the two tables for people: the time of a step by role, and a row for each thing
 * that changed in any of the comparisons.
 *
 * @headings: the tables borrow these.
 */
void ra_diff_several_fill(struct ra_table tables[2], struct ra_diff_headings headings[2],
                          const struct ra_diff_several *several);

/* Appends all. For people: a row for each thing that changed in any comparison, with columns for
 * each run. As JSON and JUnit: what ra_diff_print() writes for each comparison. */
void ra_diff_several_print(struct ra_util_text *text, const struct ra_diff_several *several,
                           const struct ra_diff_print *options);

#endif
