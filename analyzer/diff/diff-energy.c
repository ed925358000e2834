/* SPDX-License-Identifier: MIT */
/*
 * Compares the energy of GPUs.
 *
 * Energy has no interval from runs: each figure states its largest error (doc/metrics.md, section
 * 33). A change smaller than both errors together is unsure.
 */
#include "analyzer/diff/diff-energy.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

#define JOULES 1e-6 /* joules per unit of the figures in summaries */

enum column {
	OF,
	NAME,
	DOMAIN,
	BEFORE,
	AFTER,
	CHANGE,
	CHANGE_PART,
	ERROR,
	VERDICT,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[OF] = { "what", "What", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, "" },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[BEFORE] = { "before_j", "Before J", RA_TABLE_REAL, NULL },
	[AFTER] = { "after_j", "After J", RA_TABLE_REAL, NULL },
	[CHANGE] = { "change_j", "Change J", RA_TABLE_REAL, NULL },
	[CHANGE_PART] = { "change_part", "Change %", RA_TABLE_PART, NULL },
	[ERROR] = { "error_j", "+- J", RA_TABLE_REAL, NULL },
	[VERDICT] = { "verdict", "Verdict", RA_TABLE_TEXT, NULL },
};

/* A figure over all GPUs of all inputs. */
struct row {
	uint32_t kind; /* enum ra_sum_energy */
	uint32_t domain;
	uint32_t name;
	bool has[2];
	double joules[2]; /* J per unit */
	double error;     /* error of both sides together, in J */
};

struct rows {
	struct row *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_sum_texts texts;
	struct ra_util_map by_key;
};

static struct row *find_row(struct rows *rows, const struct ra_sum_set *set,
                            const struct ra_sum_row *from)
{
	struct row key = { .kind = from->kind };
	uint64_t word;
	uint32_t index;

	ra_sum_texts_find(&rows->texts, set->texts.rows[from->domain], &key.domain);
	ra_sum_texts_find(&rows->texts, set->texts.rows[from->name], &key.name);
	word = ((uint64_t) key.kind << 60) ^ ((uint64_t) key.domain << 30) ^ key.name;
	for (;; word++) {
		const struct row *row;

		index = ra_util_map_find(&rows->by_key, word);
		if (index == RA_UTIL_MAP_NONE) {
			break;
		}
		row = &rows->rows[index];
		if (row->kind == key.kind && row->domain == key.domain && row->name == key.name) {
			return &rows->rows[index];
		}
	}
	ra_util_map_put(&rows->by_key, word, (uint32_t) rows->count);
	RA_UTIL_APPEND(rows->rows, rows->count, rows->capacity, key);
	return &rows->rows[rows->count - 1];
}

/* Adds the figures of a side. Return: false if the side has no figures of energy. */
static bool add_side(struct rows *rows, const struct ra_diff *diff, size_t side)
{
	const struct ra_sum_set *set = diff->sets[side];
	bool has_any = false;

	for (size_t i = 0; i < set->total_count; i++) {
		const struct ra_sum_row *from = &set->totals[i].row;
		struct row *row;

		if (from->table != RA_SUM_ENERGY || from->kind > RA_SUM_ENERGY_KERNEL) {
			continue;
		}
		row = find_row(rows, set, from);
		row->has[side] = true;
		row->joules[side] += (double) from->total_ns * JOULES / (double) diff->units[side];
		row->error += (double) from->self_ns * JOULES / (double) diff->units[side];
		has_any = true;
	}
	return has_any;
}

static double change_of(const struct row *row)
{
	return row->joules[1] - row->joules[0];
}

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left;
	const struct row *b = right;
	const double sizes[2] = { fabs(change_of(a)), fabs(change_of(b)) };
	int order = RA_ORDER_UP(a, b, kind);

	if (order == 0 && sizes[0] != sizes[1]) {
		order = sizes[0] > sizes[1] ? -1 : 1;
	}
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, domain));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, name));
}

static const char *find_verdict(const struct row *row, double percent)
{
	const double change = change_of(row);

	const double limit = row->joules[0] * percent / 100;

	if (fabs(change) + row->error < limit) {
		return "same"; /* even if the errors are large */
	}
	if (fabs(change) <= row->error) {
		return "unsure";
	}
	if (fabs(change) < limit) {
		return "same";
	}
	return change > 0 ? "more" : "less";
}

static void put_row(struct ra_table *table, const struct rows *rows, const struct row *row,
                    double percent)
{
	static const char *const words[] = { [RA_SUM_ENERGY_GPU] = "GPUs",
		                             [RA_SUM_ENERGY_STEP] = "steps",
		                             [RA_SUM_ENERGY_RANGE] = "range",
		                             [RA_SUM_ENERGY_KERNEL] = "kernel" };
	const struct rlog_string domain = rows->texts.rows[row->domain];
	const struct rlog_string name = rows->texts.rows[row->name];
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[OF] = ra_table_make_word(words[row->kind]);
	cells[NAME] = ra_table_make_text(ra_table_keep_text(table, name.bytes, name.length));
	if (row->kind == RA_SUM_ENERGY_RANGE) {
		cells[DOMAIN] =
			ra_table_make_text(ra_table_keep_text(table, domain.bytes, domain.length));
	}
	for (size_t side = 0; side < 2; side++) {
		if (row->has[side]) {
			cells[BEFORE + side] = ra_table_make_real(row->joules[side]);
		}
	}
	if (!row->has[0] || !row->has[1]) {
		return;
	}
	cells[CHANGE] = ra_table_make_real(change_of(row));
	if (row->joules[0] > 0) {
		cells[CHANGE_PART] = ra_table_make_real(change_of(row) / row->joules[0]);
	}
	cells[ERROR] = ra_table_make_real(row->error);
	cells[VERDICT] = ra_table_make_word(find_verdict(row, percent));
}

void ra_diff_energy_fill(struct ra_table *table, const struct ra_diff *diff, double percent)
{
	struct rows rows = { 0 };
	const bool has_before = add_side(&rows, diff, 0);

	ra_table_init(table, columns, COLUMNS);
	if (add_side(&rows, diff, 1) && has_before) {
		RA_SORT(rows.rows, rows.count, compare_rows);
		for (size_t i = 0; i < rows.count; i++) {
			put_row(table, &rows, &rows.rows[i], percent);
		}
	}
	free(rows.rows);
	ra_sum_texts_fini(&rows.texts);
	ra_util_map_free(&rows.by_key);
}
