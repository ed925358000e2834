/* SPDX-License-Identifier: MIT */
/* Writes tables for people: aligned text for a terminal, and Markdown. */
#include "analyzer/table/forms/table-text.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/table/layout/table-brief.h"
#include "analyzer/table/layout/table-derive.h"
#include "analyzer/table/layout/table-layout.h"
#include "analyzer/table/layout/table-rank.h"
#include "analyzer/table/table-wrap.h"

static void put_aligned(struct ra_util_text *text, const struct ra_util_text *cell, size_t width,
                        bool is_text)
{
	if (is_text) {
		ra_util_text_put_fitted(text, cell->bytes, cell->length, width);
	} else {
		ra_util_text_fill(text, ' ', width > cell->length ? width - cell->length : 0);
		ra_util_text_put(text, cell->bytes, cell->length);
	}
}

static void end_line(struct ra_util_text *text)
{
	while (text->length > 0 && text->bytes[text->length - 1] == ' ') {
		text->length--;
	}
	ra_util_text_put_char(text, '\n');
}

/* How many bytes of a text fit into a width, up to a space if there is one. The text must be
 * ASCII. */
static size_t find_break(const char *bytes, size_t length, size_t width)
{
	size_t end = width;

	if (length <= width) {
		return length;
	}
	while (end > 0 && bytes[end] != ' ') {
		end--;
	}
	return end > 0 ? end : width;
}

/* Writes a sentence in the last column: in lines, each after `indent` columns. */
static void put_sentence(struct ra_util_text *text, const struct ra_util_text *cell, size_t width,
                         size_t indent)
{
	size_t at = 0;

	while (at < cell->length) {
		const size_t count = find_break(cell->bytes + at, cell->length - at, width);

		if (at > 0) {
			ra_util_text_put_char(text, '\n');
			ra_util_text_fill(text, ' ', indent);
		}
		ra_util_text_put(text, cell->bytes + at, count);
		at += count;
		while (at < cell->length && cell->bytes[at] == ' ') {
			at++;
		}
	}
}

static void put_numbered(struct ra_util_text *text, const struct ra_util_text *cell, size_t width,
                         uint32_t number)
{
	char behind[16];
	const size_t length = (size_t) snprintf(behind, sizeof(behind), " #%u", number);

	ra_util_text_put_fitted(text, cell->bytes, cell->length, width - length);
	ra_util_text_put(text, behind, length);
}

static void put_row_cell(struct ra_util_text *text, const struct ra_table_layout *l, size_t column,
                         size_t row, struct ra_util_text *scratch)
{
	const struct ra_table_column *c = &l->table->columns[column];
	const struct ra_table_cell *cell = &l->table->cells[row * l->table->column_count + column];
	const size_t width = l->widths[column];

	if (l->is_brief) {
		ra_table_brief_put_cell(scratch, c, cell);
	} else {
		ra_table_layout_put_cell(scratch, c, cell, RA_TEXT_TERMINAL);
	}
	if (strcmp(c->key, "bar") == 0 && scratch->length > 0) {
		ra_util_text_style(text, RA_STYLE_BAR);
		ra_util_text_put(text, scratch->bytes, scratch->length);
		ra_util_text_style(text, RA_STYLE_NONE);
	} else if (l->cuts[column] != NULL && l->cuts[column][row] != NULL) {
		ra_util_text_put_fitted(text, l->cuts[column][row], strlen(l->cuts[column][row]),
		                        width);
	} else if (l->numbers[column] != NULL && l->numbers[column][row] > 0) {
		put_numbered(text, scratch, width, l->numbers[column][row]);
	} else {
		put_aligned(text, scratch, width, c->kind == RA_TABLE_TEXT);
	}
}

static bool is_last(const struct ra_table_layout *l, size_t column)
{
	for (size_t c = column + 1; c < l->table->column_count; c++) {
		if (!l->is_hidden[c]) {
			return false;
		}
	}
	return true;
}

static void put_row(struct ra_util_text *text, const struct ra_table_layout *l, size_t row,
                    struct ra_util_text *scratch)
{
	const struct ra_table *t = l->table;
	size_t indent = 0;

	for (size_t c = 0; c < t->column_count; c++) {
		if (l->is_hidden[c]) {
			continue;
		}
		ra_util_text_fill(text, ' ', indent == 0 ? 0 : l->gap);
		indent += indent == 0 ? 0 : l->gap;
		ra_util_text_clear(scratch);
		if (l->is_narrow[c] && ra_table_layout_is_sentence(&t->columns[c]) &&
		    is_last(l, c)) {
			ra_table_layout_put_cell(scratch, &t->columns[c],
			                         &t->cells[row * t->column_count + c],
			                         RA_TEXT_TERMINAL);
			put_sentence(text, scratch, l->widths[c], indent);
		} else {
			put_row_cell(text, l, c, row, scratch);
		}
		indent += l->widths[c];
	}
	end_line(text);
}

/* Writes one of the two lines of titles. The first line is used by titles that are wider than their
 * column. Return: true if some title has text in the line. */
static bool put_title_line(struct ra_util_text *text, const struct ra_table_layout *l,
                           bool is_first, struct ra_util_text *scratch)
{
	const struct ra_table *t = l->table;
	bool has_any = false;
	size_t gap = 0;

	for (size_t c = 0; c < t->column_count; c++) {
		struct ra_util_text part;
		size_t at;

		if (l->is_hidden[c]) {
			continue;
		}
		ra_util_text_fill(text, ' ', gap);
		gap = l->gap;
		ra_util_text_clear(scratch);
		ra_table_layout_put_title(scratch, &t->columns[c]);
		at = scratch->length <= l->widths[c] ? scratch->length
		                                     : ra_table_layout_break_title(scratch);
		part = *scratch;
		if (is_first) {
			part.length = at < scratch->length ? at : 0;
			part.length -= part.length > 0 && part.bytes[at - 1] == ' ';
			has_any |= part.length > 0;
		} else if (at < scratch->length) {
			part.bytes += at;
			part.length -= at;
		}
		put_aligned(text, &part, l->widths[c], t->columns[c].kind == RA_TABLE_TEXT);
	}
	end_line(text);
	return has_any;
}

static void put_titles(struct ra_util_text *text, const struct ra_table_layout *l,
                       struct ra_util_text *scratch)
{
	const size_t start = text->length;

	if (!put_title_line(text, l, true, scratch)) {
		text->length = start;
	}
	put_title_line(text, l, false, scratch);
}

/* Writes a line unless it is empty, and frees it. @end: text after the line. */
static void put_line(struct ra_util_text *text, struct ra_util_text *line, const char *end,
                     size_t width)
{
	if (line->length > 0) {
		ra_util_text_put(line, end, strlen(end));
		ra_table_wrap_put(text, line->bytes, line->length, width);
	}
	ra_util_text_free(line);
}

#define SAID 48 /* width of a name that is the same in all rows */

/* Tells the values of columns that were hidden because all rows have the same value, or none. */
static void put_same(struct ra_util_text *text, const struct ra_table_layout *l, size_t width,
                     bool has_value, struct ra_util_text *scratch)
{
	const struct ra_table *t = l->table;
	struct ra_util_text line = { 0 };

	for (size_t c = 0; c < t->column_count; c++) {
		/* If the table has no rows, it has no such column and no cells. */
		const struct ra_table_cell *cell = l->is_same[c] ? &t->cells[c] : NULL;

		if (cell == NULL || cell->has_value != has_value) {
			continue;
		}
		ra_util_text_format(&line, "%s%s",
		                    line.length > 0 ? ", "
		                    : has_value     ? "the same in all rows: "
		                                    : "without a value in any row: ",
		                    t->columns[c].title);
		if (has_value) {
			ra_util_text_clear(scratch);
			ra_table_layout_put_cell(scratch, &t->columns[c], cell, RA_TEXT_TERMINAL);
			const size_t columns = ra_util_text_width(scratch->bytes, scratch->length);

			ra_util_text_put_char(&line, ' ');
			ra_util_text_put_fitted(&line, scratch->bytes, scratch->length,
			                        columns < SAID ? columns : SAID);
			while (line.bytes != NULL && line.bytes[line.length - 1] == ' ') {
				line.length--;
			}
		}
	}
	put_line(text, &line, "\n", width);
}

/* Tells how to compute columns that are not shown. */
static void put_derived(struct ra_util_text *text, const struct ra_table_layout *l, size_t width)
{
	struct ra_util_text line = { 0 };

	for (size_t c = 0; c < l->table->column_count; c++) {
		if (l->is_derived[c]) {
			ra_util_text_format(&line, "%s%s = ",
			                    line.length == 0 ? "from the columns shown: " : ", ",
			                    l->table->columns[c].title);
			ra_table_derive_put(&line, l->table, c);
		}
	}
	put_line(text, &line, "\n", width);
}

/* Names the columns that were left out for lack of room. */
static void put_left_out(struct ra_util_text *text, const struct ra_table_layout *l, size_t width)
{
	struct ra_util_text line = { 0 };

	for (size_t c = 0; c < l->table->column_count; c++) {
		if (l->is_left_out[c]) {
			ra_util_text_format(&line, "%s%s",
			                    line.length == 0 ? "left out for the width: " : ", ",
			                    l->table->columns[c].title);
		}
	}
	put_line(text, &line, " (--width 0 shows all)\n", width);
}

/* Explains the #1, #2 after names, if there are any. */
static void put_numbers(struct ra_util_text *text, const struct ra_table_layout *l, size_t width)
{
	static const char line[] = "#1, #2: different names that look the same when shortened; "
				   "--width 0 shows them whole\n";
	bool has_any = false;

	for (size_t c = 0; c < l->table->column_count; c++) {
		for (size_t r = 0; r < l->table->row_count && l->numbers[c] != NULL; r++) {
			has_any |= l->numbers[c][r] > 0;
		}
	}
	if (has_any) {
		ra_table_wrap_put(text, line, sizeof(line) - 1, width);
	}
}

static void put_rule(struct ra_util_text *text, const struct ra_table_layout *l)
{
	bool is_first = true;

	for (size_t c = 0; c < l->table->column_count; c++) {
		if (!l->is_hidden[c]) {
			ra_util_text_fill(text, ' ', is_first ? 0 : l->gap);
			ra_util_text_fill(text, '-', l->widths[c]);
			is_first = false;
		}
	}
	end_line(text);
}

void ra_table_text_put(struct ra_util_text *text, const struct ra_table *table, size_t width)
{
	struct ra_util_text scratch = { 0 };
	struct ra_table_layout l;

	ra_table_layout_init(&l, table);
	ra_table_layout_fit(&l, width);
	put_titles(text, &l, &scratch);
	put_rule(text, &l);
	for (size_t r = 0; r < table->row_count; r++) {
		put_row(text, &l, r, &scratch);
		ra_util_text_drain(text);
	}
	if (table->cut_count + table->unmade_count > 0) {
		ra_util_text_put(text, "... and ", 8);
		ra_util_text_put_count(text, table->cut_count + table->unmade_count);
		ra_util_text_format(text, " more");
		ra_table_rank_put_rest(text, table);
		ra_util_text_put_char(text, '\n');
	}
	put_numbers(text, &l, width);
	put_same(text, &l, width, true, &scratch);
	put_same(text, &l, width, false, &scratch);
	put_derived(text, &l, width);
	put_left_out(text, &l, width);
	ra_util_text_free(&scratch);
	ra_table_layout_fini(&l);
}

bool ra_table_text_is_whole(const struct ra_table *table, size_t width)
{
	struct ra_table_layout l;
	bool is_whole = true;

	ra_table_layout_init(&l, table);
	ra_table_layout_fit(&l, width);
	for (size_t c = 0; c < table->column_count; c++) {
		is_whole = is_whole && !l.is_left_out[c];
	}
	ra_table_layout_fini(&l);
	return is_whole;
}

void ra_table_text_put_markdown(struct ra_util_text *text, const struct ra_table *table)
{
	struct ra_table_layout l;

	ra_table_layout_init(&l, table);
	for (size_t c = 0; c < table->column_count; c++) {
		if (!l.is_hidden[c]) {
			ra_util_text_format(text, "| ");
			ra_table_layout_put_title(text, &table->columns[c]);
			ra_util_text_put_char(text, ' ');
		}
	}
	ra_util_text_format(text, "|\n");
	for (size_t c = 0; c < table->column_count; c++) {
		if (!l.is_hidden[c]) {
			ra_util_text_format(
				text, table->columns[c].kind == RA_TABLE_TEXT ? "|---" : "|---:");
		}
	}
	ra_util_text_format(text, "|\n");
	for (size_t r = 0; r < table->row_count; r++) {
		for (size_t c = 0; c < table->column_count; c++) {
			if (!l.is_hidden[c]) {
				ra_util_text_put(text, "| ", 2);
				ra_table_layout_put_cell(text, &table->columns[c],
				                         &table->cells[r * table->column_count + c],
				                         RA_TEXT_MARKDOWN);
				ra_util_text_put_char(text, ' ');
			}
		}
		ra_util_text_format(text, "|\n");
		ra_util_text_drain(text);
	}
	if (table->cut_count + table->unmade_count > 0) {
		const size_t more = table->cut_count + table->unmade_count;

		ra_util_text_format(text, "\n... and %llu more\n", (unsigned long long) more);
	}
	ra_table_layout_fini(&l);
}
