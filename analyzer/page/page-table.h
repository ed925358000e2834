/* SPDX-License-Identifier: MIT */
/* Writes tables as HTML. */
#ifndef RA_PAGE_TABLE_H
#define RA_PAGE_TABLE_H

#include "analyzer/table/table.h"

/* Texts around a table. */
struct ra_page_table_words {
	const char *report; /* name of the report */
	const char *title;
	const char *note;    /* text below the table; NULL: none */
	const char *command; /* command that prints all rows; NULL: `analyzer stats -r` and the
	                        report's name */
};

/*
 * Appends a <table> with the cells as users read them, and the rows in the order of the report's
 * JSON. A name of more than RA_PAGE_TABLE_NAME columns is shortened in the middle; the page's data
 * have the whole name.
 */
#define RA_PAGE_TABLE_NAME 200
void ra_page_table_put(struct ra_util_text *html, const struct ra_page_table_words *words,
                       const struct ra_table *table);

#endif
