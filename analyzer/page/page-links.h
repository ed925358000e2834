/* SPDX-License-Identifier: MIT */
/* Links from the names of reports to their tables, also where no script makes them. */
#ifndef RA_PAGE_LINKS_H
#define RA_PAGE_LINKS_H

#include "analyzer/base/text/util-text.h"

/* The column whose texts are names of reports, with commas between. */
#define RA_PAGE_LINKS_KEY "reports"

/* Appends such a text, each name a link. */
void ra_page_links_put(struct ra_util_text *html, const char *names, size_t length);

/* Makes plain text of the links whose table the page does not have, once all tables are there. */
void ra_page_links_check(struct ra_util_text *html);

#endif
