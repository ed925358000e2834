/* SPDX-License-Identifier: MIT */
/* Tables as HTML. */
#ifndef RA_PAGE_TABLE_H
#define RA_PAGE_TABLE_H

#include "analyzer/table/table.h"

/* What is said of a table. */
struct ra_page_table_words {
	const char *report; /* its name */
	const char *title;
	const char *note;    /* below it; NULL: nothing */
	const char *command; /* that prints all rows; NULL: `analyzer stats -r` and the name */
};

/*
 * Appends a <table> with the cells that people are shown, the rows in the order of the report's
 * JSON. Names of more than RA_PAGE_TABLE_NAME columns are shortened in the middle: the page's data
 * have them whole.
 */
#define RA_PAGE_TABLE_NAME 200
void ra_page_table_put(struct ra_util_text *html, const struct ra_page_table_words *words,
                       const struct ra_table *table);

#endif
