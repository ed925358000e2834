/* SPDX-License-Identifier: MIT */
/* Makes a table fit into a width: shortens names, and leaves out the columns that tell least. */
#include "analyzer/table/layout/table-fit.h"

#include <string.h>

#include "analyzer/table/layout/table-derive.h"

/* One of the ways in which a table can be printed. */
struct way {
	bool has_titles; /* each title takes one line */
	bool is_brief;   /* figures have four digits */
	size_t gap;      /* columns of space between two columns */
};

static size_t sum_widths(const struct ra_table_layout *l)
{
	size_t total = 0;

	for (size_t c = 0; c < l->table->column_count; c++) {
		if (!l->is_hidden[c]) {
			total += l->widths[c] + (total == 0 ? 0 : l->gap);
		}
	}
	return total;
}

/* True for the words and figures of a comparison. They must not be shortened in the middle. */
static bool is_said(const struct ra_table_column *column)
{
	return strcmp(column->key, "verdict") == 0 || strcmp(column->key, "interval") == 0;
}

/* Finds the widest column of names; column_count: there is none. *second: gets the width of the
 * next widest one, but at least `least`. @is_last: include the columns of a comparison. */
static size_t find_widest(const struct ra_table_layout *l, size_t least, bool is_last,
                          size_t *second)
{
	const struct ra_table *t = l->table;
	size_t widest = t->column_count;

	*second = least;
	for (size_t c = 0; c < t->column_count; c++) {
		if (l->is_hidden[c] || t->columns[c].kind != RA_TABLE_TEXT ||
		    (!is_last && is_said(&t->columns[c]))) {
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

/* Narrows the widest columns of names, down to `least`, until the table fits. Return: true if it
 * fits. */
static bool narrow_names(struct ra_table_layout *l, size_t limit, size_t least)
{
	size_t total = sum_widths(l);
	bool is_last = false;

	while (total > limit) {
		size_t second;
		const size_t widest = find_widest(l, least, is_last, &second);
		size_t take;

		if (!is_last && (widest == l->table->column_count || l->widths[widest] <= least)) {
			is_last = least <= RA_TABLE_FIT_NAME;
			if (is_last) {
				continue;
			}
		}
		if (widest == l->table->column_count || l->widths[widest] <= least) {
			return false;
		}
		/* Narrows the widest column to the width of the second widest, then both in
		 * turns. */
		take = l->widths[widest] > second ? l->widths[widest] - second : 1;
		take = take < total - limit ? take : total - limit;
		l->widths[widest] -= take;
		total -= take;
	}
	return true;
}

/* True if all rows, even those that were cut, have the same value. Times and numbers of calls are
 * what a table is about, so for them this is true only if all are 0. */
static bool is_constant(const struct ra_table *t, size_t column)
{
	const struct ra_table_column *c = &t->columns[column];
	const struct ra_table_cell *first = &t->cells[column];
	const size_t rows = t->row_count + t->cut_count;

	if ((c->kind == RA_TABLE_TIME || strcmp(c->key, "calls") == 0) && rows > 0 &&
	    first->has_value && first->u.number != 0) {
		return false;
	}
	for (size_t r = 1; r < rows; r++) {
		const struct ra_table_cell *cell = &t->cells[r * t->column_count + column];

		if (cell->has_value != first->has_value ||
		    (cell->has_value && !ra_table_is_equal(c, cell, first))) {
			return false;
		}
	}
	return rows > 1;
}

/* True if the key ends with one of these endings, or is one of them without its _. */
static bool has_end(const char *key, const char *end)
{
	const size_t length = strlen(key);
	const size_t size = strlen(end);

	return (length >= size && strcmp(key + length - size, end) == 0) ||
	       strcmp(key, end + 1) == 0;
}

/* True for a share whose time is a column as well, such as self_cpu_share and self_cpu_ns, if there
 * are several such shares. A single share stays, because people compare rows by it. */
static bool is_share_of_time(const struct ra_table *t, size_t column)
{
	size_t count = 0;

	for (size_t c = 0; c < t->column_count; c++) {
		count += ra_table_derive_find_twin(t, c, "_share", "_ns") < t->column_count;
	}
	return count > 1 && ra_table_derive_find_twin(t, column, "_share", "_ns") < t->column_count;
}

/* True for a time that belongs to a name in another column: range_ns and range. */
static bool is_time_of_name(const struct ra_table *t, size_t column)
{
	const size_t twin = ra_table_derive_find_twin(t, column, "_ns", "");

	return twin < t->column_count && t->columns[twin].kind == RA_TABLE_TEXT;
}

#define MUST_STAY 0
#define LAST      1 /* for numbers of calls */
#define MAY_GO    2

/* Rates columns: the column with the highest value is left out first. */
static unsigned rate_column(const struct ra_table *t, size_t column)
{
	static const struct {
		const char *end;
		unsigned rate;
	} ends[] = {
		{ "_avg_ns", 90 },      { "_mean_ns", 90 },      { "_median_ns", 85 },
		{ "_min_ns", 80 },      { "_min", 80 },          { "_std_ns", 70 },
		{ "_std", 70 },         { "_p90_ns", 68 },       { "_p25_ns", 65 },
		{ "_p25", 65 },         { "_p75_ns", 65 },       { "_p75", 65 },
		{ "_p99_ns", 62 },      { "_max_ns", 60 },       { "_p50_ns", 55 },
		{ "_correlation", 45 }, { "_api_start_ns", 45 }, { "_context", 45 },
		{ "_tid", 45 },         { "_pid", 45 },          { "_stream", 30 },
		{ "_calls", LAST },
	};
	unsigned rate = MAY_GO;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (has_end(t->columns[column].key, ends[i].end)) {
			return ends[i].rate;
		}
	}
	if (strcmp(t->columns[column].key, "total_ns") == 0) {
		return MUST_STAY;
	}
	if (is_share_of_time(t, column)) {
		return 50;
	}
	/* the names of what is before and after a gap tell less */
	if (t->columns[column].kind == RA_TABLE_TEXT) {
		rate = strcmp(t->columns[column].key, "before") == 0  ? 42
		       : strcmp(t->columns[column].key, "after") == 0 ? 41
		                                                      : MAY_GO;
	}
	return is_time_of_name(t, column) ? 40 : rate;
}

/* True for columns that must be shown: those without which rows cannot be told apart (the first
 * column and the first column of names), and those of sentences. */
static bool must_stay(const struct ra_table_layout *l, size_t column)
{
	bool is_first = true;

	if (ra_table_layout_is_sentence(&l->table->columns[column]) ||
	    l->table->sorted == 1 + column) {
		return true; /* a sentence can be wrapped, and the user asked for the other one */
	}
	for (size_t c = 0; c < column; c++) {
		is_first = is_first && l->is_hidden[c];
		if (!l->is_hidden[c] && l->table->columns[c].kind == RA_TABLE_TEXT) {
			return false;
		}
	}
	return is_first || l->table->columns[column].kind == RA_TABLE_TEXT;
}

/* Hides the last column that has the same value in all rows; a line below the table will tell the
 * value. Return: false if there is none. */
static bool take_same(struct ra_table_layout *l)
{
	const struct ra_table *t = l->table;

	for (size_t c = t->column_count; c-- > 0;) {
		if (!l->is_hidden[c] && !must_stay(l, c) && is_constant(t, c) &&
		    strcmp(t->columns[c].key, "total_ns") != 0) {
			l->is_hidden[c] = true;
			l->is_same[c] = true;
			return true;
		}
	}
	return false;
}

/* Leaves out the column with the highest rating; of equal ones the rightmost. Return: false if all
 * must stay. */
static bool leave_out_column(struct ra_table_layout *l)
{
	const struct ra_table *t = l->table;
	unsigned best = MUST_STAY;
	size_t chosen = 0;

	for (size_t c = 0; c < t->column_count; c++) {
		const unsigned rate =
			l->is_hidden[c] || must_stay(l, c) ? MUST_STAY : rate_column(t, c);

		if (rate > MUST_STAY && rate >= best) {
			best = rate;
			chosen = c;
		}
	}
	if (best > MUST_STAY) {
		l->is_hidden[chosen] = true;
		l->is_left_out[chosen] = true;
	}
	return best > MUST_STAY;
}

/* Return: true if the table fits in this way, with names shortened to `least`. */
static bool try_way(struct ra_table_layout *l, const struct ra_table_layout_sizes *sizes,
                    struct way way, size_t limit, size_t least)
{
	l->gap = way.gap;
	l->is_brief = way.is_brief;
	for (size_t c = 0; c < l->table->column_count; c++) {
		const size_t cells = way.is_brief ? sizes->brief[c] : sizes->tight[c];

		l->widths[c] =
			way.has_titles && sizes->titles[c] > cells ? sizes->titles[c] : cells;
	}
	return limit == 0 || narrow_names(l, limit, least);
}

static bool try_ways(struct ra_table_layout *l, const struct ra_table_layout_sizes *sizes,
                     size_t limit)
{
	static const struct way ways[] = { { false, false, RA_TABLE_LAYOUT_GAP },
		                           { false, true, RA_TABLE_LAYOUT_GAP },
		                           { false, true, 1 } };

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (try_way(l, sizes, ways[i], limit, RA_TABLE_FIT_NAME)) {
			return true;
		}
	}
	return false;
}

/* Puts titles into one line again if there is room for that. */
static void join_titles(struct ra_table_layout *l, const struct ra_table_layout_sizes *sizes,
                        size_t limit)
{
	const struct ra_table *t = l->table;
	size_t total = sum_widths(l);

	for (size_t c = 0; c < t->column_count; c++) {
		if (!l->is_hidden[c] && l->widths[c] < sizes->titles[c]) {
			total += sizes->titles[c] - l->widths[c];
		}
	}
	for (size_t c = 0; c < t->column_count && total <= limit; c++) {
		if (l->widths[c] < sizes->titles[c]) {
			l->widths[c] = sizes->titles[c];
		}
	}
}

static bool is_spare_share(const struct ra_table *t, size_t column)
{
	return is_share_of_time(t, column) && ra_table_derive_is_share(t, column);
}

/* Hides quantiles, means or shares that can be computed from other columns, one by one, until the
 * table fits. Return: true if it fits. */
static bool take_derived(struct ra_table_layout *l, const struct ra_table_layout_sizes *sizes,
                         size_t limit, bool (*is_derived)(const struct ra_table *, size_t))
{
	for (size_t c = l->table->column_count; c-- > 0;) {
		if (!l->is_hidden[c] && !must_stay(l, c) && is_derived(l->table, c)) {
			l->is_hidden[c] = true;
			l->is_derived[c] = true;
			if (try_ways(l, sizes, limit)) {
				return true;
			}
		}
	}
	return false;
}

/* Shows shares again: when columns must be left out, shares tell more than other columns. */
static void show_shares(struct ra_table_layout *l)
{
	for (size_t c = 0; c < l->table->column_count; c++) {
		if (l->is_derived[c] && l->table->columns[c].kind == RA_TABLE_SHARE) {
			l->is_hidden[c] = false;
			l->is_derived[c] = false;
		}
	}
}

/* Leaves out each column that must be computed from a column that was left out. */
static void correct_derived(struct ra_table_layout *l)
{
	const size_t count = l->table->column_count;

	for (size_t i = 0; i < count * count; i++) {
		const size_t c = i / count;

		if (l->is_derived[c] && l->is_left_out[i % count] &&
		    ra_table_derive_is_of(l->table, c, i % count)) {
			l->is_derived[c] = false;
			l->is_left_out[c] = true;
		}
	}
}

/* Takes the last steps, when narrower names, titles and constant columns were not enough. */
static void fit_narrow(struct ra_table_layout *l, const struct ra_table_layout_sizes *sizes,
                       size_t limit)
{
	if (try_ways(l, sizes, limit) ||
	    take_derived(l, sizes, limit, ra_table_derive_is_extreme) ||
	    take_derived(l, sizes, limit, ra_table_derive_is_mean) ||
	    take_derived(l, sizes, limit, is_spare_share)) {
		return;
	}
	show_shares(l);
	while (leave_out_column(l) && !try_ways(l, sizes, limit)) {
	}
	correct_derived(l);
}

void ra_table_fit(struct ra_table_layout *l, const struct ra_table_layout_sizes *sizes,
                  size_t limit)
{
	const struct way whole = { true, false, RA_TABLE_LAYOUT_GAP };
	const struct way broken = { false, false, RA_TABLE_LAYOUT_GAP };

	if (try_way(l, sizes, whole, limit, RA_TABLE_FIT_EASY)) {
		return;
	}
	while (!try_way(l, sizes, broken, limit, RA_TABLE_FIT_EASY)) {
		if (!take_same(l)) {
			fit_narrow(l, sizes, limit);
			break;
		}
	}
	join_titles(l, sizes, limit);
}
