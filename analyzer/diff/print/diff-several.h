/* SPDX-License-Identifier: MIT */
/* Writes what several runs differ in from one. */
#ifndef RA_DIFF_SEVERAL_H
#define RA_DIFF_SEVERAL_H

#include "analyzer/diff/print/diff-print.h"
#include "analyzer/table/table.h"

/* Runs that can be compared with one: columns have letters, and a table is to fit a screen. */
#define RA_DIFF_SEVERAL_MAX 8u

/* Four of what a row is of, and five of each run. */
#define RA_DIFF_SEVERAL_COLUMNS (4 + 4 * RA_DIFF_SEVERAL_MAX)

/* Columns with a letter for each run. */
struct ra_diff_headings {
	struct ra_table_column columns[RA_DIFF_SEVERAL_COLUMNS];
	char texts[RA_DIFF_SEVERAL_COLUMNS][2][24]; /* keys and titles */
	size_t count;
};

/* Comparisons with the same first side, and what their second sides are called. */
struct ra_diff_several {
	const struct ra_diff *diffs; /* borrowed, as all here */
	const char *const *names;    /* of the second sides; that of the first is in the options */
	size_t count;
};

/*
 * Makes and fills the two tables for people: where the time of a step went, and a row for each
 * thing that changed in any of the comparisons.
 *
 * @headings: what the tables borrow.
 */
void ra_diff_several_fill(struct ra_table tables[2], struct ra_diff_headings headings[2],
                          const struct ra_diff_several *several);

/*
 * Appends all: for people a row for each thing that changed in any of them, with columns of each
 * run; as JSON and JUnit what ra_diff_print() has, of each.
 */
void ra_diff_several_print(struct ra_util_text *text, const struct ra_diff_several *several,
                           const struct ra_diff_print *options);

#endif
