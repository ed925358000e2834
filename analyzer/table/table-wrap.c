/* SPDX-License-Identifier: MIT */
/* Breaks text into lines that fit into a width. */
#include "analyzer/table/table-wrap.h"

#include <string.h>

#define INDENT    2
#define MIN_WIDTH 20 /* narrower lines can't be read */
/* most bytes looked at for each column of the width, because a name may have megabytes */
#define MOST 8

/* Returns how many bytes, up to the last blank, fit into the width. If there is no blank, as many
 * as fit. */
static size_t find_break(const char *bytes, size_t length, size_t width)
{
	size_t best = 0;
	size_t at = 0;

	while (at < length) {
		size_t word = at;

		while (word < length && bytes[word] == ' ') {
			word++;
		}
		while (word < length && bytes[word] != ' ' && word <= width * MOST) {
			word++;
		}
		if (word > width * MOST || ra_util_text_width(bytes, word) > width) {
			break;
		}
		best = word;
		at = word;
	}
	return best > 0 ? best : ra_util_text_fit(bytes, length, width);
}

static void put_line(struct ra_util_text *text, const char *bytes, size_t length, size_t width)
{
	size_t indent = 0;

	while (length > 0) {
		const size_t count = find_break(bytes, length, width - indent);

		ra_util_text_fill(text, ' ', indent);
		ra_util_text_put(text, bytes, count);
		bytes += count;
		length -= count;
		while (length > 0 && bytes[0] == ' ') {
			bytes++;
			length--;
		}
		ra_util_text_put(text, "\n", length > 0 ? 1 : 0);
		indent = INDENT;
	}
}

void ra_table_wrap_put(struct ra_util_text *text, const char *bytes, size_t length, size_t width)
{
	width = width < MIN_WIDTH && width > 0 ? MIN_WIDTH : width;
	while (length > 0) {
		const char *end = memchr(bytes, '\n', length);
		const size_t line = end == NULL ? length : (size_t) (end - bytes);

		if (width == 0 || ra_util_text_width(bytes, line) <= width) {
			ra_util_text_put(text, bytes, line);
		} else {
			put_line(text, bytes, line, width);
		}
		ra_util_text_put(text, "\n", end == NULL ? 0 : 1);
		bytes += end == NULL ? line : line + 1;
		length -= end == NULL ? line : line + 1;
	}
}

void ra_table_wrap_from(struct ra_util_text *text, size_t start, size_t width)
{
	struct ra_util_text tail = { 0 };

	if (width == 0 || text->length <= start) {
		return;
	}
	ra_util_text_put(&tail, text->bytes + start, text->length - start);
	text->length = start;
	ra_table_wrap_put(text, tail.bytes, tail.length, width);
	ra_util_text_free(&tail);
}
