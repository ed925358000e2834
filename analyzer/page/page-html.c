/* SPDX-License-Identifier: MIT */
/* Escapes text and JSON for HTML pages. */
#include "analyzer/page/page-html.h"

#include <stdio.h>
#include <string.h>

static const char *find_entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void ra_page_html_put(struct ra_util_text *html, const char *bytes, size_t length)
{
	size_t from = 0;

	if (length == 0) { /* then bytes may be NULL */
		return;
	}
	for (size_t i = 0; i < length; i++) {
		const char *entity = find_entity(bytes[i]);

		if (entity != NULL) {
			ra_util_text_put(html, bytes + from, i - from);
			ra_util_text_put(html, entity, strlen(entity));
			from = i + 1;
		}
	}
	ra_util_text_put(html, bytes + from, length - from);
}

void ra_page_html_text(struct ra_util_text *html, const char *text)
{
	ra_page_html_put(html, text, strlen(text));
}

void ra_page_html_name(struct ra_util_text *html, struct rlog_string name)
{
	struct ra_util_text safe = { 0 };

	ra_util_text_put_name(&safe, name, RA_TEXT_TERMINAL);
	ra_page_html_put(html, safe.bytes, safe.length);
	ra_util_text_free(&safe);
}

void ra_page_html_shorten(struct ra_util_text *text, struct rlog_string name, size_t width)
{
	struct ra_util_text safe = { 0 };

	ra_util_text_put_name(&safe, name, RA_TEXT_TERMINAL);
	if (safe.length > width && ra_util_text_width(safe.bytes, safe.length) > width) {
		ra_util_text_put_fitted(text, safe.bytes, safe.length, width);
	} else {
		ra_util_text_put(text, safe.bytes, safe.length);
	}
	ra_util_text_free(&safe);
}

void ra_page_html_json(struct ra_outbuf *out, const char *bytes, size_t length)
{
	size_t from = 0;

	if (length == 0) { /* then bytes may be NULL */
		return;
	}
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char) bytes[i];
		char escape[8];

		if (c != '<' && c != '>' && c != '&' && c != 0x7F) {
			continue;
		}
		ra_outbuf_put(out, bytes + from, i - from);
		snprintf(escape, sizeof(escape), "\\u%04x", c);
		ra_outbuf_put(out, escape, 6);
		from = i + 1;
	}
	ra_outbuf_put(out, bytes + from, length - from);
}
