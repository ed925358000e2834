/* SPDX-License-Identifier: MIT */
/* Text and JSON in the places of an HTML page. */
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
	html->failed |= safe.failed;
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
	text->failed |= safe.failed;
	ra_util_text_free(&safe);
}

/* Code of a character of two or three bytes that must not stand in the page, 0: it may. */
static unsigned find_hidden(const unsigned char *b, size_t left)
{
	unsigned code;

	if (left >= 2 && b[0] == 0xC2) { /* C1 and the soft hyphen */
		return b[1] < 0xA0 || b[1] == 0xAD ? b[1] : 0;
	}
	if (left >= 2 && b[0] == 0xD8 && b[1] == 0x9C) {
		return 0x61C;
	}
	if (left < 3 || (b[0] & 0xF0) != 0xE0) {
		return 0;
	}
	code = (b[0] & 0xFu) << 12 | (b[1] & 0x3Fu) << 6 | (b[2] & 0x3Fu);
	return (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
	                       (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
	                       code == 0x180E
	               ? code
	               : 0;
}

void ra_page_html_json(struct ra_outbuf *out, const char *bytes, size_t length)
{
	size_t from = 0;

	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char) bytes[i];
		unsigned code = 0;
		char escape[8];

		if (c == '<' || c == '>' || c == '&' || c == 0x7F) {
			code = c;
		} else if (c >= 0xC2) {
			code = find_hidden((const unsigned char *) bytes + i, length - i);
		}
		if (code == 0) {
			continue;
		}
		ra_outbuf_put(out, bytes + from, i - from);
		snprintf(escape, sizeof(escape), "\\u%04x", code & 0xFFFFu);
		ra_outbuf_put(out, escape, 6);
		i += code < 0x80 ? 0 : code < 0x800 ? 1 : 2;
		from = i + 1;
	}
	ra_outbuf_put(out, bytes + from, length - from);
}
