/* SPDX-License-Identifier: MIT */
/* Text and JSON in the places of an HTML page, where no byte of a name means anything. */
#ifndef RA_PAGE_HTML_H
#define RA_PAGE_HTML_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/io/outbuf.h"

/* Appends text for an element or an attribute's value in quotes. */
void ra_page_html_put(struct ra_util_text *html, const char *bytes, size_t length);
void ra_page_html_text(struct ra_util_text *html, const char *text);

/* The same of a text out of a traced program: what moves the cursor, hides or turns the direction
 * of writing is shown as \u{NNNN}. */
void ra_page_html_name(struct ra_util_text *html, struct rlog_string name);

/* Appends the same text, not as HTML, in at most `width` columns: shortened in the middle. */
void ra_page_html_shorten(struct ra_util_text *text, struct rlog_string name, size_t width);

/*
 * Writes JSON as the content of a <script> element: what would end it becomes \uNNNN. It parses to
 * the same. What hides or turns text has been escaped by who wrote the JSON (RA_TEXT_JSON).
 */
void ra_page_html_json(struct ra_outbuf *out, const char *bytes, size_t length);

#endif
