/* SPDX-License-Identifier: MIT */
/* Escapes text and JSON for HTML pages, so that no byte of a name has a special meaning. */
#ifndef RA_PAGE_HTML_H
#define RA_PAGE_HTML_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/io/outbuf.h"

/* Appends text, for an element or for an attribute's value in quotes. */
void ra_page_html_put(struct ra_util_text *html, const char *bytes, size_t length);
void ra_page_html_text(struct ra_util_text *html, const char *text);

/* Appends a text from a traced program. Characters that move the cursor, hide text or change the
 * direction of writing become \u{NNNN}. */
void ra_page_html_name(struct ra_util_text *html, struct rlog_string name);

/* Appends a text from a traced program, shortened in the middle to at most `width` columns. The
 * result is not escaped for HTML. */
void ra_page_html_shorten(struct ra_util_text *text, struct rlog_string name, size_t width);

/*
 * Writes JSON as the content of a <script> element. Characters that could end the element become
 * \uNNNN, which a JSON parser turns back. Characters that hide or turn text were escaped before,
 * when the JSON was written (RA_TEXT_JSON).
 */
void ra_page_html_json(struct ra_outbuf *out, const char *bytes, size_t length);

#endif
