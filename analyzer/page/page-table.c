/* SPDX-License-Identifier: MIT */
/* Writes tables as HTML. */
#include "analyzer/page/page-table.h"

#include <string.h>

#include "analyzer/page/page-html.h"
#include "analyzer/page/page-links.h"
#include "analyzer/table/layout/table-layout.h"

static bool is_text(const struct ra_table_column *column)
{
	return column->kind == RA_TABLE_TEXT || column->kind == RA_TABLE_VALUE;
}

/* True if a column is hidden: it has no value, or the same word in all of several rows. The page's
 * data still contain the column. */
static bool is_dull(const struct ra_table *table, size_t column)
{
	const struct ra_table_column *c = &table->columns[column];
	const size_t rows = table->row_count + table->cut_count;
	bool is_same = is_text(c) && column > 0 && rows > 2;
	bool is_empty = true;

	for (size_t r = 0; r < rows && (is_same || is_empty); r++) {
		const struct ra_table_cell *cell = &table->cells[r * table->column_count + column];

		is_empty = is_empty && !cell->has_value;
		is_same = is_same && cell->has_value && table->cells[column].has_value &&
		          ra_table_is_equal(c, cell, &table->cells[column]);
	}
	return is_empty || is_same;
}

static const char *find_class(const struct ra_table_column *column)
{
	if (ra_table_layout_is_sentence(column)) {
		return " class=\"t s\"";
	}
	return is_text(column) ? " class=t" : "";
}

static void put_head(struct ra_util_text *html, const struct ra_table_layout *layout)
{
	const struct ra_table *table = layout->table;
	struct ra_util_text title = { 0 };

	ra_util_text_format(html, "<thead><tr>");
	for (size_t c = 0; c < table->column_count; c++) {
		if (layout->is_hidden[c]) {
			continue;
		}
		ra_util_text_clear(&title);
		ra_table_layout_put_title(&title, &table->columns[c]);
		ra_util_text_format(html, "<th scope=col data-key=\"%s\"%s>", table->columns[c].key,
		                    find_class(&table->columns[c]));
		ra_page_html_put(html, title.bytes, title.length);
		ra_util_text_format(html, "</th>");
	}
	ra_util_text_format(html, "</tr></thead>\n");
	ra_util_text_free(&title);
}

/* Writes one cell. @text: scratch. */
static void put_cell(struct ra_util_text *html, const struct ra_table_column *column,
                     const struct ra_table_cell *cell, struct ra_util_text *text)
{
	ra_util_text_clear(text);
	if (column->kind == RA_TABLE_TEXT && cell->has_value &&
	    !ra_table_layout_is_sentence(column)) {
		ra_page_html_shorten(text, cell->u.text, RA_PAGE_TABLE_NAME);
	} else {
		ra_table_layout_put_cell(text, column, cell, RA_TEXT_TERMINAL);
	}
	ra_util_text_format(html, "<td%s>", find_class(column));
	if (cell->has_value && strcmp(column->key, RA_PAGE_LINKS_KEY) == 0) {
		ra_page_links_put(html, text->bytes, text->length);
	} else {
		ra_page_html_put(html, text->bytes, text->length);
	}
	ra_util_text_format(html, "</td>");
}

static void put_rows(struct ra_util_text *html, const struct ra_table_layout *layout)
{
	const struct ra_table *table = layout->table;
	struct ra_util_text text = { 0 };

	ra_util_text_format(html, "<tbody>\n");
	for (size_t r = 0; r < table->row_count; r++) {
		ra_util_text_format(html, "<tr>");
		for (size_t c = 0; c < table->column_count; c++) {
			if (!layout->is_hidden[c]) {
				put_cell(html, &table->columns[c],
				         &table->cells[r * table->column_count + c], &text);
			}
		}
		ra_util_text_format(html, "</tr>\n");
	}
	ra_util_text_format(html, "</tbody>");
	ra_util_text_free(&text);
}

static void put_more(struct ra_util_text *html, const struct ra_page_table_words *words,
                     size_t rows)
{
	ra_util_text_format(html, "<p class=more>and %zu more rows: <code>", rows);
	if (words->command != NULL) {
		ra_page_html_text(html, words->command);
	} else {
		ra_util_text_format(html, "analyzer stats -r %s", words->report);
	}
	ra_util_text_format(html, "</code></p>\n");
}

void ra_page_table_put(struct ra_util_text *html, const struct ra_page_table_words *words,
                       const struct ra_table *table)
{
	struct ra_table_layout layout;

	ra_table_layout_init(&layout, table);
	for (size_t c = 0; c < table->column_count; c++) {
		layout.is_hidden[c] = layout.is_hidden[c] || is_dull(table, c);
	}
	ra_util_text_format(html, "<table data-report=\"%s\"><caption>", words->report);
	ra_page_html_text(html, words->title);
	ra_util_text_format(html, "</caption>");
	put_head(html, &layout);
	put_rows(html, &layout);
	ra_util_text_format(html, "</table>\n");
	if (table->cut_count + table->unmade_count > 0) {
		put_more(html, words, table->cut_count + table->unmade_count);
	}
	if (words->note != NULL) {
		ra_util_text_format(html, "<p class=note>");
		ra_page_html_text(html, words->note);
		ra_util_text_format(html, "</p>\n");
	}
	ra_table_layout_fini(&layout);
}
