/* SPDX-License-Identifier: MIT */
/* Finds columns that can be computed from others: averages of sums that are shown, and shares. */
#include "analyzer/table/layout/table-derive.h"

#include <string.h>

size_t ra_table_derive_find_twin(const struct ra_table *t, size_t column, const char *end,
                                 const char *twin)
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

static size_t find_key(const struct ra_table *t, const char *key)
{
	for (size_t c = 0; c < t->column_count; c++) {
		if (strcmp(t->columns[c].key, key) == 0) {
			return c;
		}
	}
	return t->column_count;
}

/* The column with the sum from which a mean is computed; column_count: there is none. */
static size_t find_sum(const struct ra_table *t, size_t column)
{
	static const char *const ends[] = { "_time_avg_ns", "_mean_ns" };
	const char *key = t->columns[column].key;
	size_t sum = t->column_count;

	if (strcmp(key, "mean_ns") == 0 || strcmp(key, "rank_mean_ns") == 0) {
		sum = find_key(t, "total_ns");
		return sum < t->column_count ? sum : find_key(t, "cpu_total_ns");
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]) && sum == t->column_count; i++) {
		sum = ra_table_derive_find_twin(t, column, ends[i], "_total_ns");
	}
	return sum;
}

/* True if `mean` is `sum` / `count`, whatever the rounding. */
static bool is_quotient(const struct ra_table_cell *mean, const struct ra_table_cell *sum,
                        int64_t count)
{
	const __int128 rest = (__int128) sum->u.number - (__int128) mean->u.number * count;

	return count > 0 && rest <= count && -rest <= count;
}

/*
 * True if each mean is a sum divided by the row's number of calls, or if one number divides all
 * sums, as in means over the ranks of a run.
 *
 * *calls: gets the column of the number of calls; column_count: all sums are divided by *number.
 */
static bool find_divisor(const struct ra_table *t, size_t column, size_t *calls, int64_t *number)
{
	const size_t rows = t->row_count + t->cut_count;
	const size_t sum = find_sum(t, column);
	const bool is_of_ranks = strcmp(t->columns[column].key, "rank_mean_ns") == 0;

	*calls = is_of_ranks ? t->column_count : find_key(t, "calls");
	*number = 0;
	if (sum == t->column_count || (!is_of_ranks && *calls == t->column_count)) {
		return false;
	}
	for (size_t r = 0; r < rows; r++) {
		const struct ra_table_cell *cells = &t->cells[r * t->column_count];
		const struct ra_table_cell *mean = &cells[column];

		if (!mean->has_value) {
			continue;
		}
		if (*number == 0 && is_of_ranks && mean->u.number > 0) {
			*number = (cells[sum].u.number + mean->u.number / 2) / mean->u.number;
		}
		if (!cells[sum].has_value ||
		    !is_quotient(mean, &cells[sum],
		                 is_of_ranks ? *number : cells[*calls].u.number)) {
			return false;
		}
	}
	return rows > 0;
}

bool ra_table_derive_is_mean(const struct ra_table *t, size_t column)
{
	size_t calls;
	int64_t number;

	return t->columns[column].kind == RA_TABLE_TIME && find_divisor(t, column, &calls, &number);
}

/* The whole of which a column's shares are parts, if it is the same in all rows and the part is the
 * time in the column of the same name; otherwise 0. */
static int64_t find_whole(const struct ra_table *t, size_t column)
{
	const size_t time = ra_table_derive_find_twin(t, column, "_share", "_ns");
	const size_t rows = t->row_count + t->cut_count;
	int64_t whole = 0;

	for (size_t r = 0; r < rows && time < t->column_count; r++) {
		const struct ra_table_cell *cells = &t->cells[r * t->column_count];
		const struct ra_table_cell *share = &cells[column];

		if (share->has_value && whole == 0) {
			whole = share->u.share.whole;
		}
		if (share->has_value != cells[time].has_value ||
		    (share->has_value && (share->u.share.part != cells[time].u.number ||
		                          share->u.share.whole != whole))) {
			return 0;
		}
	}
	return whole;
}

bool ra_table_derive_is_share(const struct ra_table *t, size_t column)
{
	return t->columns[column].kind == RA_TABLE_SHARE && find_whole(t, column) > 0;
}

static bool has_same_cells(const struct ra_table *t, size_t column, size_t other)
{
	const size_t rows = t->row_count + t->cut_count;

	for (size_t r = 0; r < rows; r++) {
		const struct ra_table_cell *cells = &t->cells[r * t->column_count];

		if (cells[column].has_value != cells[other].has_value ||
		    (cells[column].has_value && cells[column].u.number != cells[other].u.number)) {
			return false;
		}
	}
	return rows > 0;
}

/* The column of the extreme that a quantile over ranks equals; column_count: there is none. */
static size_t find_extreme(const struct ra_table *t, size_t column)
{
	static const char *const extremes[] = { "rank_max_ns", "rank_min_ns" };
	const bool is_quantile = strncmp(t->columns[column].key, "rank_p", 6) == 0;

	for (size_t i = 0; i < sizeof(extremes) / sizeof(extremes[0]) && is_quantile; i++) {
		const size_t extreme = find_key(t, extremes[i]);

		if (extreme < t->column_count && has_same_cells(t, column, extreme)) {
			return extreme;
		}
	}
	return t->column_count;
}

bool ra_table_derive_is_extreme(const struct ra_table *t, size_t column)
{
	return find_extreme(t, column) < t->column_count;
}

/* The column of times from which a mean or share is computed. */
static size_t find_time(const struct ra_table *t, size_t column)
{
	return t->columns[column].kind == RA_TABLE_SHARE
	               ? ra_table_derive_find_twin(t, column, "_share", "_ns")
	               : find_sum(t, column);
}

bool ra_table_derive_is_of(const struct ra_table *t, size_t column, size_t other)
{
	if (ra_table_derive_is_extreme(t, column)) {
		return other == find_extreme(t, column);
	}
	return other == find_time(t, column) || (t->columns[column].kind != RA_TABLE_SHARE &&
	                                         strcmp(t->columns[other].key, "calls") == 0);
}

void ra_table_derive_put(struct ra_util_text *text, const struct ra_table *t, size_t column)
{
	const size_t extreme = find_extreme(t, column);
	size_t calls;
	int64_t number;

	if (extreme < t->column_count) {
		ra_util_text_format(text, "%s", t->columns[extreme].title);
		return;
	}
	ra_util_text_format(text, "%s / ", t->columns[find_time(t, column)].title);
	if (t->columns[column].kind == RA_TABLE_SHARE) {
		ra_util_text_put_time(text, find_whole(t, column));
	} else if (find_divisor(t, column, &calls, &number) && calls < t->column_count) {
		ra_util_text_format(text, "%s", t->columns[calls].title);
	} else {
		ra_util_text_put_int(text, number);
	}
}
