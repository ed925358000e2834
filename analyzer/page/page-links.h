/* SPDX-License-Identifier: MIT */
/* Makes links from names of reports to their tables. They work without a script. */
#ifndef RA_PAGE_LINKS_H
#define RA_PAGE_LINKS_H

#include "analyzer/base/text/util-text.h"

/* The column whose texts are names of reports, separated by commas. */
#define RA_PAGE_LINKS_KEY "reports"

/* Appends names of reports, separated by commas, with a link for each. */
void ra_page_links_put(struct ra_util_text *html, const char *names, size_t length);

/* Turns a link into plain text if its table is not in the page. Call it after all tables. */
void ra_page_links_check(struct ra_util_text *html);

#endif
