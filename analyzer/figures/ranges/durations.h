/* SPDX-License-Identifier: MIT */
/* Collects durations by a key, in ns, and finds number, sum, mean, extremes and deviation for
 * each. */
#ifndef RA_DURATIONS_H
#define RA_DURATIONS_H

#include "analyzer/table/table.h"
#include "analyzer/base/util-map.h"

struct ra_durations_row {
	uint64_t key;
	uint32_t into;  /* index of this row, or of the row into which it was joined */
	uint64_t count; /* after finish, this figure and those below cover all durations of the row
	                   and of rows joined into it */
	int64_t sum_ns; /* stops at INT64_MAX */
	int64_t min_ns;
	int64_t max_ns;
	double deviation_ns; /* sample standard deviation; NaN for a single duration */
	int64_t median_ns;   /* rounded down; set by ra_durations_find_medians() */
};

/* Zero-initialise. Needs 16 bytes a duration. */
struct ra_durations {
	struct ra_durations_item *items; /* owned */
	size_t item_count;
	size_t item_capacity;
	struct ra_durations_row *rows; /* owned; in the order in which keys first came */
	size_t count;
	size_t capacity;
	struct ra_util_map index;
};

/* Adds a duration, which must not be negative. */
void ra_durations_add(struct ra_durations *durations, uint64_t key, int64_t dur_ns);
void ra_durations_fini(struct ra_durations *durations);

/* Adds the durations of row `from` to row `to`, which must not be joined into another. Call before
 * finish. */
void ra_durations_join(struct ra_durations *durations, size_t from, size_t to);

/* Fills in the figures below `sum_ns`, except of rows joined into others. */
void ra_durations_finish(struct ra_durations *durations);

/* Fills in the medians; call after finish. O(n). Needs 16 bytes a duration during the call. */
void ra_durations_find_medians(struct ra_durations *durations);

/* The columns from "calls" on, in this order. */
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

/* The columns for the spread of durations that nsys has in each of its summaries. */
#define RA_DURATIONS_SPREAD 6

/* Columns for durations. @key, @title: prefixes of columns' keys and titles, such as "api_" and
 * "API ". @total: title of the sum. */
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
