/* SPDX-License-Identifier: MIT */
/* Tables as HTML. */
#ifndef RA_PAGE_TABLE_H
#define RA_PAGE_TABLE_H

#include "analyzer/table/table.h"

/*
 * Appends a <table> of a report with the cells that people are shown, the rows in the order of the
 * report's JSON. Names of more than RA_PAGE_TABLE_NAME columns are shortened in the middle: the
 * page's data have them whole.
 */
#define RA_PAGE_TABLE_NAME 200
void ra_page_table_put(struct ra_util_text *html, const char *report, const char *title,
                       const struct ra_table *table);

#endif
