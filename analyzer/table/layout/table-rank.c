/* SPDX-License-Identifier: MIT */
/* Ranks rows: finds the column to rank by (the weight), and sums it over the rows that are cut. */
#include "analyzer/table/layout/table-rank.h"

#include <string.h>

#include "analyzer/table/layout/table-layout.h"

/* Keys of columns that can be added over rows, in order of preference. Self times come first,
 * because they count each moment once; total times count nested ranges several times. */
static const char *const weights[] = {
	"self_cpu_ns",
	"self_host_ns",
	"path_ns",
	"idle_ns",
	"busy_ns",
	"held_bytes",
	"self_at_peak_bytes",
	"net_bytes",
	"gpu_duration_ns",
	"projected_ns",
	"total_ns",
	"sum_ns",
	"gpu_ns",
	"dur_ns",
	"wait_total_ns",
	"total_bytes",
	"allocated_bytes",
	"late_ns",
	"exposed_ns",
	"events",
};

/* True for a table in order of time: its rows have levels, which are not parts of a sum. */
static bool is_over_time(const struct ra_table *table)
{
	return table->column_count > 0 && strcmp(table->columns[0].key, "time_ns") == 0;
}

static size_t find_weight(const struct ra_table *table)
{
	for (size_t i = 0; i < sizeof(weights) / sizeof(weights[0]); i++) {
		for (size_t c = 0; c < table->column_count; c++) {
			const enum ra_table_kind kind = table->columns[c].kind;

			if (strcmp(table->columns[c].key, weights[i]) == 0 &&
			    (kind == RA_TABLE_TIME || kind == RA_TABLE_COUNT) &&
			    !ra_table_is_hidden(table, c)) {
				return c + 1;
			}
		}
	}
	return 0;
}

void ra_table_rank(struct ra_table *table, bool is_sorted)
{
	if (table->weight == 0) {
		table->weight = is_over_time(table) ? 0 : find_weight(table);
	}
	if (table->weight > 0 && is_sorted) {
		ra_table_sort(table, table->weight - 1, true);
	}
}

/* The column that has the weight as a share of the whole; column_count: there is none. */
static size_t find_share(const struct ra_table *table)
{
	const char *key = table->columns[table->weight - 1].key;
	const size_t stem = strlen(key) - strlen(strrchr(key, '_'));
	size_t c = 0;

	for (; c < table->column_count; c++) {
		const struct ra_table_column *column = &table->columns[c];

		if (column->kind == RA_TABLE_SHARE &&
		    (strcmp(column->key, "share") == 0 ||
		     (strncmp(column->key, key, stem) == 0 &&
		      strcmp(column->key + stem, "_share") == 0))) {
			break;
		}
	}
	return c;
}

/* The sum over the rows that are cut. For shares, the whole must be the same in all rows; if not,
 * the cell has no value. */
static struct ra_table_cell sum_rest(const struct ra_table *table, size_t column)
{
	struct ra_table_cell sum = { .has_value = false };

	if (table->unmade_count > 0 && column + 1 == table->weight &&
	    table->columns[column].kind == RA_TABLE_TIME) {
		sum = ra_table_make_number(table->unmade_ns);
	}
	for (size_t r = table->row_count; r < table->row_count + table->cut_count; r++) {
		const struct ra_table_cell *cell = &table->cells[r * table->column_count + column];

		if (!cell->has_value) {
			continue;
		}
		if (!sum.has_value) {
			sum = *cell;
		} else if (table->columns[column].kind != RA_TABLE_SHARE) {
			sum.u.number = ra_util_add_time(sum.u.number, cell->u.number);
		} else if (sum.u.share.whole == cell->u.share.whole) {
			sum.u.share.part = ra_util_add_time(sum.u.share.part, cell->u.share.part);
		} else {
			return (struct ra_table_cell){ .has_value = false };
		}
	}
	return sum;
}

void ra_table_rank_put_rest(struct ra_util_text *text, const struct ra_table *table)
{
	struct ra_table_cell sum;
	size_t share;

	if (table->weight == 0) {
		return;
	}
	sum = sum_rest(table, table->weight - 1);
	if (!sum.has_value) {
		return;
	}
	ra_util_text_format(text, ": %s ", table->columns[table->weight - 1].title);
	ra_table_layout_put_cell(text, &table->columns[table->weight - 1], &sum, RA_TEXT_TERMINAL);
	share = strchr(table->columns[table->weight - 1].key, '_') != NULL ? find_share(table)
	                                                                   : table->column_count;
	sum = share < table->column_count ? sum_rest(table, share)
	                                  : (struct ra_table_cell){ .has_value = false };
	if (sum.has_value) {
		ra_util_text_put(text, ", ", 2);
		ra_table_layout_put_cell(text, &table->columns[share], &sum, RA_TEXT_TERMINAL);
	}
}
