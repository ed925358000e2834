/* SPDX-License-Identifier: MIT */
/* Collects durations by a key, in ns, and finds number, sum, mean, extremes and deviation for
 * each. */
#include "analyzer/figures/ranges/durations.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"

struct ra_durations_item {
	int64_t dur_ns;
	uint32_t row;
};

void ra_durations_add(struct ra_durations *durations, uint64_t key, int64_t dur_ns)
{
	uint32_t row = 0;

	ra_util_grow(&durations->items, &durations->item_capacity, durations->item_count + 1,
	             sizeof(*durations->items));
	ra_util_map_number(&durations->index, key, &row);
	if (row == durations->count) { /* the key is new */
		RA_UTIL_APPEND(durations->rows, durations->count, durations->capacity,
		               (struct ra_durations_row){ .key = key, .into = row });
	}
	durations->items[durations->item_count++] = (struct ra_durations_item){ dur_ns, row };
	durations->rows[row].count++;
	durations->rows[row].sum_ns = ra_util_add_time(durations->rows[row].sum_ns, dur_ns);
}

void ra_durations_fini(struct ra_durations *durations)
{
	free(durations->items);
	free(durations->rows);
	ra_util_map_free(&durations->index);
	*durations = (struct ra_durations){ 0 };
}

void ra_durations_join(struct ra_durations *durations, size_t from, size_t to)
{
	struct ra_durations_row *row = &durations->rows[from];
	struct ra_durations_row *sum = &durations->rows[to];

	if (from != to) {
		row->into = (uint32_t) to;
		sum->count += row->count;
		sum->sum_ns = ra_util_add_time(sum->sum_ns, row->sum_ns);
		row->count = 0;
		row->sum_ns = 0;
	}
}

static double mean_of(const struct ra_durations_row *row)
{
	return (double) row->sum_ns / (double) row->count;
}

void ra_durations_finish(struct ra_durations *durations)
{
	for (size_t i = 0; i < durations->count; i++) {
		durations->rows[i].min_ns = INT64_MAX;
		durations->rows[i].max_ns = 0;
		durations->rows[i].deviation_ns = 0;
	}
	for (size_t i = 0; i < durations->item_count; i++) {
		const int64_t dur_ns = durations->items[i].dur_ns;
		const uint32_t own = durations->items[i].row;
		struct ra_durations_row *row = &durations->rows[durations->rows[own].into];
		const double off = (double) dur_ns - mean_of(row);

		row->min_ns = dur_ns < row->min_ns ? dur_ns : row->min_ns;
		row->max_ns = dur_ns > row->max_ns ? dur_ns : row->max_ns;
		row->deviation_ns += off * off; /* for now, the sum of a row's durations */
	}
	for (size_t i = 0; i < durations->count; i++) {
		struct ra_durations_row *row = &durations->rows[i];

		row->deviation_ns =
			row->count > 1 ? sqrt(row->deviation_ns / (double) (row->count - 1)) : NAN;
	}
}

void ra_durations_put(const struct ra_durations_row *row, struct ra_table_cell *cells)
{
	const uint64_t half = row->count / 2;

	cells[0] = ra_table_make_count(row->count);
	cells[1] = ra_table_make_number(row->sum_ns);
	cells[2] = ra_table_make_number(row->max_ns);
	cells[3] = ra_table_make_number(row->min_ns);
	if (!isnan(row->deviation_ns) && row->deviation_ns < 9e18) {
		cells[4] = ra_table_make_number(llround(row->deviation_ns));
	}
	cells[5] = ra_table_make_count(((uint64_t) row->sum_ns + half) / row->count);
}

void ra_durations_find_medians(struct ra_durations *durations)
{
	const size_t count = durations->item_count;
	struct ra_util_sort_entry *entries = ra_alloc_bytes((count + 1) * sizeof(*entries));
	uint64_t *seen = ra_alloc_zeros(durations->count + 1, sizeof(*seen)); /* for each row */

	for (size_t i = 0; i < count; i++) {
		const struct ra_durations_item *item = &durations->items[i];

		entries[i] =
			(struct ra_util_sort_entry){ .key = (uint64_t) item->dur_ns,
			                             .index = durations->rows[item->row].into };
	}
	ra_util_sort(&entries, count);
	for (size_t i = 0; i < count; i++) {
		struct ra_durations_row *row = &durations->rows[entries[i].index];
		const uint64_t place = seen[entries[i].index]++;
		const int64_t dur_ns = (int64_t) entries[i].key;

		if (place == (row->count - 1) / 2) {
			row->median_ns = dur_ns;
		}
		if (place == row->count / 2) { /* if the count is odd, this is the same element */
			row->median_ns += (dur_ns - row->median_ns) / 2;
		}
	}
	free(entries);
	free(seen);
}

void ra_durations_put_spread(const struct ra_durations_row *row, struct ra_table_cell *cells)
{
	if (row->count == 0) {
		return;
	}
	cells[0] = ra_table_make_number(row->sum_ns);
	cells[1] = ra_table_make_count(((uint64_t) row->sum_ns + row->count / 2) / row->count);
	cells[2] = ra_table_make_number(row->median_ns);
	cells[3] = ra_table_make_number(row->min_ns);
	cells[4] = ra_table_make_number(row->max_ns);
	if (!isnan(row->deviation_ns) && row->deviation_ns < 9e18) {
		cells[5] = ra_table_make_number(llround(row->deviation_ns));
	}
}
