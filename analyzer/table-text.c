/* SPDX-License-Identifier: MIT */
/* Tables for people: aligned text for a terminal, and Markdown. */
#include "analyzer/table-text.h"

#include <math.h>

#include <stdlib.h>
#include <string.h>

#define GAP       2  /* columns of space between columns */
#define MIN_WIDTH 16 /* names are not shortened below this */

/* The layout of a table: which columns are shown, and how wide. */
struct layout {
	const struct ra_table *table;
	bool *is_hidden; /* owned */
	size_t *widths;  /* owned */
};

static void put_cell(struct ra_util_text *text, const struct ra_table_column *column,
                     const struct ra_table_cell *cell, enum ra_util_text_target target)
{
	if (!cell->has_value) {
		ra_util_text_put_char(text, '-');
		return;
	}
	switch (column->kind) {
	case RA_TABLE_TEXT:
		ra_util_text_put_name(text, cell->u.text, target);
		break;
	case RA_TABLE_COUNT:
		ra_util_text_format(text, "%lld", (long long) cell->u.number);
		break;
	case RA_TABLE_TIME:
		ra_util_text_put_time(text, cell->u.number);
		break;
	case RA_TABLE_SHARE:
		ra_util_text_put_percent(text, cell->u.share.part, cell->u.share.whole);
		break;
	case RA_TABLE_RATIO:
		ra_util_text_put_ratio(text, cell->u.share.part, cell->u.share.whole, 2);
		break;
	case RA_TABLE_FLAG:
		ra_util_text_format(text, cell->u.number != 0 ? "yes" : "no");
		break;
	case RA_TABLE_VALUE:
		ra_table_put_value(text, cell);
		break;
	case RA_TABLE_REAL:
		/* Up to 2^53 every integer is exact, and is shown so. */
		ra_util_text_format(
			text,
			fabs(cell->u.real) < 0x1p53 && cell->u.real == trunc(cell->u.real) ? "%.0f"
											   : "%.6g",
			cell->u.real);
		break;
	}
}

static bool is_usual(const struct ra_table_column *column, const struct ra_table_cell *cell)
{
	if (!cell->has_value) {
		return true;
	}
	if (column->kind == RA_TABLE_TEXT) {
		return cell->u.text.length == strlen(column->usual) &&
		       memcmp(cell->u.text.bytes, column->usual, cell->u.text.length) == 0;
	}
	return cell->u.number == strtoll(column->usual, NULL, 10);
}

/* Columns go when they say nothing, also in the rows that were cut. */
static void hide_columns(struct layout *l)
{
	const struct ra_table *t = l->table;
	const size_t rows = t->row_count + t->cut_count;

	for (size_t c = 0; c < t->column_count; c++) {
		bool hidden = t->columns[c].usual != NULL;

		if (ra_table_is_hidden(t, c)) {
			l->is_hidden[c] = true;
			continue;
		}
		for (size_t r = 0; r < rows && hidden; r++) {
			hidden = is_usual(&t->columns[c], &t->cells[r * t->column_count + c]);
		}
		l->is_hidden[c] = hidden;
	}
}

static int init_layout(struct layout *l, const struct ra_table *table)
{
	l->table = table;
	l->is_hidden = calloc(table->column_count, sizeof(*l->is_hidden));
	l->widths = calloc(table->column_count, sizeof(*l->widths));
	if (l->is_hidden == NULL || l->widths == NULL) {
		return 1;
	}
	hide_columns(l);
	return 0;
}

static void fini_layout(struct layout *l)
{
	free(l->is_hidden);
	free(l->widths);
}

static void measure_columns(struct layout *l, struct ra_util_text *scratch)
{
	const struct ra_table *t = l->table;

	for (size_t c = 0; c < t->column_count; c++) {
		l->widths[c] = strlen(t->columns[c].title);
		for (size_t r = 0; r < t->row_count && !l->is_hidden[c]; r++) {
			size_t width;

			ra_util_text_clear(scratch);
			put_cell(scratch, &t->columns[c], &t->cells[r * t->column_count + c],
			         RA_TEXT_TERMINAL);
			width = ra_util_text_width(scratch->bytes, scratch->length);
			l->widths[c] = width > l->widths[c] ? width : l->widths[c];
		}
	}
}

static size_t sum_widths(const struct layout *l)
{
	size_t total = 0;

	for (size_t c = 0; c < l->table->column_count; c++) {
		if (!l->is_hidden[c]) {
			total += l->widths[c] + (total == 0 ? 0 : GAP);
		}
	}
	return total;
}

/* The widest column of names; *second: the width of the next widest. column_count if there is none.
 */
static size_t find_widest(const struct layout *l, size_t *second)
{
	const struct ra_table *t = l->table;
	size_t widest = t->column_count;

	*second = MIN_WIDTH;
	for (size_t c = 0; c < t->column_count; c++) {
		if (l->is_hidden[c] || t->columns[c].kind != RA_TABLE_TEXT) {
			continue;
		}
		if (widest == t->column_count) {
			widest = c;
		} else if (l->widths[c] > l->widths[widest]) {
			*second = l->widths[widest] > *second ? l->widths[widest] : *second;
			widest = c;
		} else if (l->widths[c] > *second) {
			*second = l->widths[c];
		}
	}
	return widest;
}

/* Narrows the widest column of names until the table fits, or nothing is left to take. */
static void fit_columns(struct layout *l, size_t limit)
{
	size_t total = sum_widths(l);

	while (total > limit) {
		size_t second;
		const size_t widest = find_widest(l, &second);
		size_t take;

		if (widest == l->table->column_count || l->widths[widest] <= MIN_WIDTH) {
			return;
		}
		/* Down to the second widest, then both in turns. */
		take = l->widths[widest] > second ? l->widths[widest] - second : 1;
		take = take < total - limit ? take : total - limit;
		l->widths[widest] -= take;
		total -= take;
	}
}

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

/* One line; row is NULL for the titles. */
static void put_line(struct ra_util_text *text, const struct layout *l,
                     const struct ra_table_cell *row, struct ra_util_text *scratch)
{
	const struct ra_table *t = l->table;
	bool is_first = true;

	for (size_t c = 0; c < t->column_count; c++) {
		if (l->is_hidden[c]) {
			continue;
		}
		ra_util_text_fill(text, ' ', is_first ? 0 : GAP);
		is_first = false;
		ra_util_text_clear(scratch);
		if (row == NULL) {
			ra_util_text_put(scratch, t->columns[c].title, strlen(t->columns[c].title));
		} else {
			put_cell(scratch, &t->columns[c], &row[c], RA_TEXT_TERMINAL);
		}
		put_aligned(text, scratch, l->widths[c], t->columns[c].kind == RA_TABLE_TEXT);
	}
	end_line(text);
}

static void put_rule(struct ra_util_text *text, const struct layout *l)
{
	bool is_first = true;

	for (size_t c = 0; c < l->table->column_count; c++) {
		if (!l->is_hidden[c]) {
			ra_util_text_fill(text, ' ', is_first ? 0 : GAP);
			ra_util_text_fill(text, '-', l->widths[c]);
			is_first = false;
		}
	}
	end_line(text);
}

void ra_table_text_put(struct ra_util_text *text, const struct ra_table *table, size_t width)
{
	struct ra_util_text scratch = { 0 };
	struct layout l;

	if (init_layout(&l, table) != 0) {
		text->failed = 1;
		fini_layout(&l);
		return;
	}
	measure_columns(&l, &scratch);
	if (width > 0) {
		fit_columns(&l, width);
	}
	put_line(text, &l, NULL, &scratch);
	put_rule(text, &l);
	for (size_t r = 0; r < table->row_count; r++) {
		put_line(text, &l, table->cells + r * table->column_count, &scratch);
	}
	if (table->cut_count > 0) {
		ra_util_text_put(text, "... and ", 8);
		ra_util_text_put_count(text, table->cut_count);
		ra_util_text_format(text, " more\n");
	}
	text->failed |= scratch.failed;
	ra_util_text_free(&scratch);
	fini_layout(&l);
}

void ra_table_text_put_markdown(struct ra_util_text *text, const struct ra_table *table)
{
	struct layout l;

	if (init_layout(&l, table) != 0) {
		text->failed = 1;
		fini_layout(&l);
		return;
	}
	for (size_t c = 0; c < table->column_count; c++) {
		if (!l.is_hidden[c]) {
			ra_util_text_format(text, "| %s ", table->columns[c].title);
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
				put_cell(text, &table->columns[c],
				         &table->cells[r * table->column_count + c],
				         RA_TEXT_MARKDOWN);
				ra_util_text_put_char(text, ' ');
			}
		}
		ra_util_text_format(text, "|\n");
	}
	if (table->cut_count > 0) {
		ra_util_text_format(text, "\n... and %llu more\n",
		                    (unsigned long long) table->cut_count);
	}
	fini_layout(&l);
}
