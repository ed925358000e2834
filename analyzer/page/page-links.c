/* SPDX-License-Identifier: MIT */
/* Makes links from names of reports to their tables. They work without a script. */
#include "analyzer/page/page-links.h"

#include <string.h>

#include "analyzer/page/page-html.h"

/* What each link begins with. Nothing else in the page begins like this. */
static const char begin[] = "<a class=to href=\"#r-";
static const char end[] = "</a>";

void ra_page_links_put(struct ra_util_text *html, const char *names, size_t length)
{
	while (length > 0) {
		const char *comma = memchr(names, ',', length);
		const size_t count = comma == NULL ? length : (size_t) (comma - names);
		size_t step = count;

		ra_util_text_format(html, "%s", begin);
		ra_page_html_put(html, names, count);
		ra_util_text_format(html, "\">");
		ra_page_html_put(html, names, count);
		ra_util_text_format(html, "%s", end);
		while (step < length && (names[step] == ',' || names[step] == ' ')) {
			ra_util_text_put_char(html, names[step++]);
		}
		names += step;
		length -= step;
	}
}

static bool has_table(const struct ra_util_text *html, const char *name, size_t length)
{
	struct ra_util_text id = { 0 };
	bool is_there;

	ra_util_text_format(&id, "<div class=report id=\"r-");
	ra_util_text_put(&id, name, length);
	ra_util_text_put_char(&id, '"');
	is_there = memmem(html->bytes, html->length, id.bytes, id.length) != NULL;
	ra_util_text_free(&id);
	return is_there;
}

void ra_page_links_check(struct ra_util_text *html)
{
	const size_t size = sizeof(begin) - 1;
	const char *at = html->bytes;
	const char *const last = html->bytes + html->length;
	struct ra_util_text made = { 0 };
	const char *link;

	while (at < last && (link = memmem(at, (size_t) (last - at), begin, size)) != NULL) {
		const char *name = link + size;
		const char *quote = memchr(name, '"', (size_t) (last - name));
		const char *close = memmem(name, (size_t) (last - name), end, sizeof(end) - 1);
		const size_t length = quote != NULL && close != NULL ? (size_t) (quote - name) : 0;

		ra_util_text_put(&made, at, (size_t) (link - at));
		if (length == 0) {
			at = link;
			break;
		}
		if (has_table(html, name, length)) {
			ra_util_text_put(&made, link, (size_t) (close - link) + sizeof(end) - 1);
		} else {
			ra_util_text_put(&made, quote + 2, (size_t) (close - quote) - 2);
		}
		at = close + sizeof(end) - 1;
	}
	ra_util_text_put(&made, at, (size_t) (last - at));
	ra_util_text_free(html);
	*html = made;
}
