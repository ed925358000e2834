/* SPDX-License-Identifier: MIT */
/* Makes a table fit into a width: names are shortened, and what says least is left out. */
#include "analyzer/table/table-fit.h"

#include <string.h>

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

/* The widest column of names; *second: the width of the next widest. column_count if there is none.
 */
static size_t find_widest(const struct ra_table_layout *l, size_t *second)
{
	const struct ra_table *t = l->table;
	size_t widest = t->column_count;

	*second = RA_TABLE_FIT_NAME;
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

/* Narrows the widest column of names until the table fits. Return: false if it does not. */
static bool narrow_names(struct ra_table_layout *l, size_t limit)
{
	size_t total = sum_widths(l);

	while (total > limit) {
		size_t second;
		const size_t widest = find_widest(l, &second);
		size_t take;

		if (widest == l->table->column_count || l->widths[widest] <= RA_TABLE_FIT_NAME) {
			return false;
		}
		/* Down to the second widest, then both in turns. */
		take = l->widths[widest] > second ? l->widths[widest] - second : 1;
		take = take < total - limit ? take : total - limit;
		l->widths[widest] -= take;
		total -= take;
	}
	return true;
}

/* True if all rows, also those that were cut, say the same. Times and numbers of calls are what a
 * table is about: these only if they are all 0. */
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

/* True if the key ends with one of these words, or is one without its _. */
static bool has_end(const char *key, const char *end)
{
	const size_t length = strlen(key);
	const size_t size = strlen(end);

	return (length >= size && strcmp(key + length - size, end) == 0) ||
	       strcmp(key, end + 1) == 0;
}

/* The column whose key is that of another one with its end changed; column_count: none. */
static size_t find_twin(const struct ra_table *t, size_t column, const char *end, const char *twin)
{
	const char *key = t->columns[column].key;
	const size_t length = strlen(key);
	const size_t size = strlen(end);
	const size_t stem = length > size ? length - size : 0;

	for (size_t c = 0; c < t->column_count && stem > 0 && strcmp(key + stem, end) == 0; c++) {
		if (strncmp(t->columns[c].key, key, stem) == 0 &&
		    strcmp(t->columns[c].key + stem, twin) == 0) {
			return c;
		}
	}
	return t->column_count;
}

/* True for a share whose time is a column, too, as self_cpu_share and self_cpu_ns, where there are
 * several: a single one is what rows are compared by. */
static bool is_share_of_time(const struct ra_table *t, size_t column)
{
	size_t count = 0;

	for (size_t c = 0; c < t->column_count; c++) {
		count += find_twin(t, c, "_share", "_ns") < t->column_count;
	}
	return count > 1 && find_twin(t, column, "_share", "_ns") < t->column_count;
}

/* True for the time of something that is a column by its name: range_ns and range. */
static bool is_time_of_name(const struct ra_table *t, size_t column)
{
	const size_t twin = find_twin(t, column, "_ns", "");

	return twin < t->column_count && t->columns[twin].kind == RA_TABLE_TEXT;
}

#define MUST_STAY 0
#define MAY_GO    1
#define CONSTANT  100

/* What a column can be spared for: the more, the sooner it goes. */
static unsigned rate_column(const struct ra_table *t, size_t column)
{
	static const struct {
		const char *end;
		unsigned rate;
	} ends[] = {
		{ "_avg_ns", 90 }, { "_mean_ns", 90 }, { "_median_ns", 85 }, { "_min_ns", 80 },
		{ "_min", 80 },    { "_std_ns", 70 },  { "_std", 70 },       { "_p25_ns", 65 },
		{ "_p25", 65 },    { "_p75_ns", 65 },  { "_p75", 65 },       { "_max_ns", 60 },
	};

	if (is_constant(t, column) && strcmp(t->columns[column].key, "total_ns") != 0) {
		return CONSTANT;
	}
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
	return is_time_of_name(t, column) ? 40 : MAY_GO;
}

/* The first column and the first of names, without which rows cannot be told apart, and sentences.
 */
static bool must_stay(const struct ra_table_layout *l, size_t column)
{
	bool is_first = true;

	if (ra_table_layout_is_sentence(&l->table->columns[column])) {
		return true; /* it is wrapped */
	}
	for (size_t c = 0; c < column; c++) {
		is_first = is_first && l->is_hidden[c];
		if (!l->is_hidden[c] && l->table->columns[c].kind == RA_TABLE_TEXT) {
			return false;
		}
	}
	return is_first || l->table->columns[column].kind == RA_TABLE_TEXT;
}

/* Leaves out one column more, of equals that on the right. Return: false if none can go. */
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

/* Return: whether the table fits with this gap. */
static bool try_gap(struct ra_table_layout *l, const size_t *full, size_t limit, size_t gap)
{
	l->gap = gap;
	memcpy(l->widths, full, l->table->column_count * sizeof(*full));
	return limit == 0 || narrow_names(l, limit);
}

void ra_table_fit(struct ra_table_layout *l, const size_t *full, size_t limit)
{
	if (try_gap(l, full, limit, RA_TABLE_LAYOUT_GAP) || try_gap(l, full, limit, 1)) {
		return;
	}
	while (leave_out_column(l) && !try_gap(l, full, limit, RA_TABLE_LAYOUT_GAP)) {
	}
}
