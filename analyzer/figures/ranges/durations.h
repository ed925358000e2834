/* SPDX-License-Identifier: MIT */
/* Durations by a key, in ns: number, sum, mean, extremes and deviation of each. */
#ifndef RA_DURATIONS_H
#define RA_DURATIONS_H

#include "analyzer/table/table.h"
#include "analyzer/base/util-map.h"

struct ra_durations_row {
	uint64_t key;
	uint32_t into;  /* index of this row, or of the row that it was joined into */
	uint64_t count; /* the figures below are of all durations in it, after finish */
	int64_t sum_ns; /* stops at INT64_MAX */
	int64_t min_ns;
	int64_t max_ns;
	double deviation_ns; /* sample standard deviation; NaN of a single one */
	int64_t median_ns;   /* rounded down; after ra_durations_find_medians() */
};

/* Zero-initialise. 16 bytes per duration. */
struct ra_durations {
	struct ra_durations_item *items; /* owned */
	size_t item_count;
	size_t item_capacity;
	struct ra_durations_row *rows; /* owned; in the order in which keys came */
	size_t count;
	size_t capacity;
	struct ra_util_map index;
};

/* Adds a duration, not negative. */
void ra_durations_add(struct ra_durations *durations, uint64_t key, int64_t dur_ns);
void ra_durations_fini(struct ra_durations *durations);

/* Counts row `from` in row `to`, which must not be joined into another. Call before finish. */
void ra_durations_join(struct ra_durations *durations, size_t from, size_t to);

/* Fills in the figures after `sum_ns`; rows joined into others get none. */
void ra_durations_finish(struct ra_durations *durations);

/* Fills in the medians; call after finish. O(n); 16 bytes a duration during the call. */
void ra_durations_find_medians(struct ra_durations *durations);

/* Columns from calls on, in this order. */
#define RA_DURATIONS_COLUMNS 6

/* clang-format off */
#define RA_DURATIONS_COLUMN_LIST(first) \
	[(first)] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL }, \
	[(first) + 1] = { "sum_ns", "Sum", RA_TABLE_TIME, NULL }, \
	[(first) + 2] = { "max_ns", "Max", RA_TABLE_TIME, NULL }, \
	[(first) + 3] = { "min_ns", "Min", RA_TABLE_TIME, NULL }, \
	[(first) + 4] = { "std_ns", "Std", RA_TABLE_TIME, NULL }, \
	[(first) + 5] = { "mean_ns", "Mean", RA_TABLE_TIME, NULL }
/* clang-format on */

/* Fills these columns; std and mean are rounded to ns. */
void ra_durations_put(const struct ra_durations_row *row, struct ra_table_cell *cells);

/* The spread of durations: the columns that nsys has in each of its summaries. */
#define RA_DURATIONS_SPREAD 6

/* Columns of durations. @key, @title: prefixes of a column's key and title, "api_" and "API ".
 * @total: title of the sum. */
/* clang-format off */
#define RA_DURATIONS_SPREAD_LIST(first, key, title, total) \
	[(first)] = { key "total_ns", title total, RA_TABLE_TIME, NULL }, \
	[(first) + 1] = { key "mean_ns", title "Mean", RA_TABLE_TIME, NULL }, \
	[(first) + 2] = { key "median_ns", title "Median", RA_TABLE_TIME, NULL }, \
	[(first) + 3] = { key "min_ns", title "Min", RA_TABLE_TIME, NULL }, \
	[(first) + 4] = { key "max_ns", title "Max", RA_TABLE_TIME, NULL }, \
	[(first) + 5] = { key "std_ns", title "Std", RA_TABLE_TIME, NULL }
/* clang-format on */

/* Fills these columns; a row without durations stays empty. */
void ra_durations_put_spread(const struct ra_durations_row *row, struct ra_table_cell *cells);

#endif
