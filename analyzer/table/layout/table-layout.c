/* SPDX-License-Identifier: MIT */
/* Lays out a table for people. */
#include "analyzer/table/layout/table-layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/table/layout/table-apart.h"
#include "analyzer/table/layout/table-brief.h"
#include "analyzer/table/layout/table-derive.h"
#include "analyzer/table/layout/table-fit.h"

/* True if a column's key has this ending. */
static bool has_end(const struct ra_table_column *column, const char *end)
{
	const size_t length = strlen(column->key);
	const size_t size = strlen(end);

	return length >= size && strcmp(column->key + length - size, end) == 0;
}

bool ra_table_layout_is_bytes(const struct ra_table_column *column)
{
	const size_t length = strlen(column->key);

	/* Tests the last character first, because this is called for each cell. */
	if (length == 0 || (column->key[length - 1] != 's' && column->key[length - 1] != 'm')) {
		return false;
	}
	return strcmp(column->key, "bytes") == 0 || has_end(column, "_bytes") ||
	       has_end(column, "_mem");
}

void ra_table_layout_put_title(struct ra_util_text *text, const struct ra_table_column *column)
{
	ra_util_text_format(text, "%s%s", column->title,
	                    column->kind == RA_TABLE_REAL && has_end(column, "_us") ? " (us)" : "");
}

/* The width of a title if its second line begins at `at`. A blank before that place is not
 * counted. */
static size_t measure_title(const struct ra_util_text *title, size_t at)
{
	const size_t first = at - (at > 0 && at < title->length && title->bytes[at - 1] == ' ');
	const size_t rest = title->length - at;

	return first > rest ? first : rest;
}

size_t ra_table_layout_break_title(const struct ra_util_text *title)
{
	size_t best = title->length;

	for (size_t i = 1; i < title->length; i++) {
		if ((title->bytes[i - 1] == ' ' || title->bytes[i - 1] == '/') &&
		    measure_title(title, i) < measure_title(title, best)) {
			best = i;
		}
	}
	return best;
}

/* Writes CPU or CUDA. Other device types of PyTorch are written as their number. */
static void put_chip(struct ra_util_text *text, int64_t number)
{
	if (number == 0 || number == 1) {
		ra_util_text_format(text, number == 0 ? "CPU" : "CUDA");
	} else {
		ra_util_text_format(text, "%lld", (long long) number);
	}
}

/* Every integer up to 2^53 is exact as a double, and is written as an integer. */
static void put_real(struct ra_util_text *text, double real)
{
	if (fabs(real) < 0x1p53 && real == trunc(real)) {
		ra_util_text_put(text, "-", real == 0 && signbit(real) ? 1 : 0);
		ra_util_text_put_int(text, (int64_t) real);
	} else {
		ra_util_text_put_real(text, real);
	}
}

void ra_table_layout_put_cell(struct ra_util_text *text, const struct ra_table_column *column,
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
		if (ra_table_layout_is_bytes(column)) {
			ra_util_text_put_bytes(text, cell->u.number);
			break;
		}
		ra_util_text_put_int(text, cell->u.number);
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
	case RA_TABLE_CHIP:
		put_chip(text, cell->u.number);
		break;
	case RA_TABLE_SIZE:
		ra_util_text_put_bytes(text, llround(cell->u.real));
		break;
	case RA_TABLE_FLOPS:
		ra_util_text_put_scaled(text, cell->u.real, "FLOP");
		break;
	case RA_TABLE_FLOP_RATE:
		ra_util_text_put_scaled(text, cell->u.real, "FLOP/s");
		break;
	case RA_TABLE_BYTE_RATE:
		ra_util_text_put_scaled(text, cell->u.real, "B/s");
		break;
	case RA_TABLE_PART:
		ra_util_text_format(text, "%.2f%%", cell->u.real * 100);
		break;
	case RA_TABLE_REAL:
		put_real(text, cell->u.real);
		break;
	}
}

bool ra_table_layout_is_sentence(const struct ra_table_column *column)
{
	static const char *const keys[] = { "advice", "text", "finding", "evidence", "remedy" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (column->kind == RA_TABLE_TEXT && strcmp(column->key, keys[i]) == 0) {
			return true;
		}
	}
	return false;
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
	if (column->kind == RA_TABLE_SHARE) {
		return cell->u.share.part == (column->usual[0] == '1' ? cell->u.share.whole : 0);
	}
	return cell->u.number == strtoll(column->usual, NULL, 10);
}

/* Hides columns that tell nothing, even in the rows that were cut. */
static void hide_columns(struct ra_table_layout *l)
{
	const struct ra_table *t = l->table;
	const size_t rows = t->row_count + t->cut_count;

	for (size_t c = 0; c < t->column_count; c++) {
		bool hidden = t->columns[c].usual != NULL && t->sorted != 1 + c;

		if (ra_table_is_hidden(t, c)) {
			l->is_hidden[c] = true;
			continue;
		}
		for (size_t r = 0; r < rows && hidden; r++) {
			hidden = is_usual(&t->columns[c], &t->cells[r * t->column_count + c]);
		}
		l->is_hidden[c] = hidden;
		/* If a share is 0 in all rows, this is a result, unless the column of its time
		 * shows it. So a line below the table tells it. */
		l->is_same[c] = hidden && rows > 0 && t->columns[c].kind == RA_TABLE_SHARE &&
		                t->columns[c].usual[0] == '0' && t->cells[c].has_value &&
		                ra_table_derive_find_twin(t, c, "_share", "_ns") == t->column_count;
	}
}

void ra_table_layout_init(struct ra_table_layout *l, const struct ra_table *table)
{
	memset(l, 0, sizeof(*l));
	l->table = table;
	l->gap = RA_TABLE_LAYOUT_GAP;
	l->is_hidden = ra_alloc_zeros(table->column_count, sizeof(*l->is_hidden));
	l->is_same = ra_alloc_zeros(table->column_count, sizeof(*l->is_same));
	l->is_derived = ra_alloc_zeros(table->column_count, sizeof(*l->is_derived));
	l->is_left_out = ra_alloc_zeros(table->column_count, sizeof(*l->is_left_out));
	l->is_narrow = ra_alloc_zeros(table->column_count, sizeof(*l->is_narrow));
	l->widths = ra_alloc_zeros(table->column_count, sizeof(*l->widths));
	l->numbers = ra_alloc_zeros(table->column_count, sizeof(*l->numbers));
	l->cuts = ra_alloc_zeros(table->column_count, sizeof(*l->cuts));
	hide_columns(l);
}

void ra_table_layout_fini(struct ra_table_layout *l)
{
	for (size_t c = 0; l->numbers != NULL && c < l->table->column_count; c++) {
		free(l->numbers[c]);
		for (size_t r = 0; l->cuts[c] != NULL && r < l->table->row_count; r++) {
			free(l->cuts[c][r]);
		}
		free(l->cuts[c]);
	}
	free(l->is_hidden);
	free(l->is_same);
	free(l->is_derived);
	free(l->is_left_out);
	free(l->is_narrow);
	free(l->widths);
	free(l->numbers);
	free(l->cuts);
}

/* Return: false if a cell is certainly not wider than `width`. This is so for most cells, and saves
 * writing them. */
static bool may_widen(const struct ra_table_column *column, const struct ra_table_cell *cell,
                      size_t width)
{
	const double size = column->kind == RA_TABLE_REAL ? fabs(cell->u.real) : 0;

	if (!cell->has_value) {
		return width == 0;
	}
	switch (column->kind) {
	case RA_TABLE_TEXT:
		/* A byte that can't be shown takes at most four columns. */
		return cell->u.text.length > width / 4;
	case RA_TABLE_COUNT:
		/* the widest forms are such as 9999B, 999.999kB */
		return cell->u.number < 0 || width < 5 ||
		       cell->u.number >= (width < 9 ? 10000 : 100000000);
	case RA_TABLE_TIME:
		/* the widest forms are such as 999.999ms */
		return width < 9 || cell->u.number < 0 || cell->u.number >= 1000000000;
	case RA_TABLE_REAL:
		/* the widest forms are such as -12345.6 */
		return width < 8 || !(size < 1e6 && (size >= 1 || size == 0));
	default:
		return true;
	}
}

/* Return: the width of the widest cell, but at least `width`. */
static size_t measure_cells(const struct ra_table *t, size_t column, bool is_brief, size_t width,
                            struct ra_util_text *scratch)
{
	const struct ra_table_column *c = &t->columns[column];

	for (size_t r = 0; r < t->row_count; r++) {
		const struct ra_table_cell *cell = &t->cells[r * t->column_count + column];
		size_t columns;

		if (!may_widen(c, cell, width)) {
			continue;
		}
		ra_util_text_clear(scratch);
		if (is_brief) {
			ra_table_brief_put_cell(scratch, c, cell);
		} else {
			ra_table_layout_put_cell(scratch, c, cell, RA_TEXT_TERMINAL);
		}
		columns = ra_util_text_width(scratch->bytes, scratch->length);
		width = columns > width ? columns : width;
	}
	return width;
}

/* True if the table, with full figures and titles in one line, is wider than `limit`. */
static bool is_wider(const struct ra_table_layout *l, const struct ra_table_layout_sizes *sizes,
                     size_t limit)
{
	size_t total = 0;

	for (size_t c = 0; c < l->table->column_count; c++) {
		if (!l->is_hidden[c]) {
			total += sizes->titles[c] > sizes->tight[c] ? sizes->titles[c]
			                                            : sizes->tight[c];
			total += RA_TABLE_LAYOUT_GAP;
		}
	}
	return total > limit + RA_TABLE_LAYOUT_GAP;
}

/* Measures the columns; also with figures of four digits, if these may be needed. */
static void measure_columns(struct ra_table_layout *l, const struct ra_table_layout_sizes *sizes,
                            size_t limit)
{
	const struct ra_table *t = l->table;
	struct ra_util_text scratch = { 0 };
	bool needs_brief;

	for (size_t c = 0; c < t->column_count; c++) {
		if (l->is_hidden[c]) {
			continue;
		}
		ra_util_text_clear(&scratch);
		ra_table_layout_put_title(&scratch, &t->columns[c]);
		sizes->titles[c] = scratch.length;
		sizes->brief[c] = measure_title(&scratch, ra_table_layout_break_title(&scratch));
		sizes->tight[c] = measure_cells(t, c, false, sizes->brief[c], &scratch);
	}
	needs_brief = limit != 0 && is_wider(l, sizes, limit);
	for (size_t c = 0; c < t->column_count; c++) {
		if (needs_brief && !l->is_hidden[c] && sizes->tight[c] > sizes->brief[c] &&
		    ra_table_brief_has(&t->columns[c])) {
			sizes->brief[c] = measure_cells(t, c, true, sizes->brief[c], &scratch);
		} else {
			sizes->brief[c] = sizes->tight[c];
		}
	}
	ra_util_text_free(&scratch);
}

static void tell_apart(struct ra_table_layout *l, size_t column)
{
	const size_t rows = l->table->row_count + 1;

	l->numbers[column] = ra_alloc_zeros(rows, sizeof(*l->numbers[column]));
	l->cuts[column] = ra_alloc_zeros(rows, sizeof(*l->cuts[column]));
	ra_table_apart_tell(&(struct ra_table_apart){ l->table, column, l->widths[column],
	                                              l->numbers[column], l->cuts[column] });
}

void ra_table_layout_fit(struct ra_table_layout *l, size_t limit)
{
	const struct ra_table *t = l->table;
	struct ra_table_layout_sizes sizes;

	sizes.titles = ra_alloc_zeros(t->column_count * 3 + 1, sizeof(*sizes.titles));
	sizes.tight = sizes.titles + t->column_count;
	sizes.brief = sizes.tight + t->column_count;
	measure_columns(l, &sizes, limit);
	ra_table_fit(l, &sizes, limit);
	for (size_t c = 0; c < t->column_count; c++) {
		l->is_narrow[c] = !l->is_hidden[c] && t->columns[c].kind == RA_TABLE_TEXT &&
		                  l->widths[c] < sizes.tight[c];
		if (l->is_narrow[c] && !ra_table_layout_is_sentence(&t->columns[c])) {
			tell_apart(l, c);
		}
	}
	free(sizes.titles);
}
