/* SPDX-License-Identifier: MIT */
/* Tables as HTML. */
#ifndef RA_PAGE_TABLE_H
#define RA_PAGE_TABLE_H

#include "analyzer/table/table.h"

/* Texts around a table. */
struct ra_page_table_words {
	const char *report; /* name of the report */
	const char *title;
	const char *note;    /* text below it; NULL: none */
	const char *command; /* prints all rows; NULL: `analyzer stats -r` and the name */
};

/*
 * Appends a <table> with the cells for people, the rows in the order of the report's JSON. Names of
 * more than RA_PAGE_TABLE_NAME columns are shortened in the middle; the page's data have them
 * whole.
 */
#define RA_PAGE_TABLE_NAME 200
void ra_page_table_put(struct ra_util_text *html, const struct ra_page_table_words *words,
                       const struct ra_table *table);

#endif
