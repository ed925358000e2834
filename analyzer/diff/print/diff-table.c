/* SPDX-License-Identifier: MIT */
/* Makes the two tables of a comparison. */
#include "analyzer/diff/print/diff-table.h"

#include <math.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/diff/print/diff-bound.h"
#include "analyzer/diff/print/diff-fold.h"
#include "analyzer/diff/print/diff-words.h"

#define MANY_CALLS 1.5 /* a larger factor between the numbers of calls is mentioned */

enum part_column {
	PART,
	PART_BEFORE,
	PART_AFTER,
	PART_WORDS,
	PART_FACTS = PART_WORDS + RA_DIFF_WORDS_COLUMN_COUNT,
	PART_COLUMNS = PART_FACTS + RA_DIFF_WORDS_FACTS,
};

static const struct ra_table_column part_columns[PART_COLUMNS] = {
	{ "part", "Part", RA_TABLE_TEXT, NULL },
	{ "before_ns", "Before", RA_TABLE_TIME, NULL },
	{ "after_ns", "After", RA_TABLE_TIME, NULL },
	RA_DIFF_WORDS_COLUMNS(RA_TABLE_TIME, "_ns", "Usual step", "Mean"),
	RA_DIFF_WORDS_FACT_COLUMNS,
};

enum column {
	WHAT,
	NAME,
	BEFORE,
	AFTER,
	WORDS,
	FACTS = WORDS + RA_DIFF_WORDS_COLUMN_COUNT,
	DOMAIN = FACTS + RA_DIFF_WORDS_FACTS,
	CALLS_BEFORE,
	CALLS_AFTER,
	SELF_BEFORE,
	SELF_AFTER,
	GPU_BEFORE,
	GPU_AFTER,
	COLUMNS,
};

#define COLUMNS_OF(kind, unit)                                                                    \
	{                                                                                         \
		{ "what", "What", RA_TABLE_TEXT, NULL }, { "name", "Name", RA_TABLE_TEXT, NULL }, \
			{ "before" unit, "Before", kind, NULL },                                  \
			{ "after" unit, "After", kind, NULL },                                    \
			RA_DIFF_WORDS_COLUMNS(kind, unit, "Usual call", "Total"),                 \
			RA_DIFF_WORDS_FACT_COLUMNS,                                               \
			{ "domain", "Domain", RA_TABLE_TEXT, "(default)" },                       \
			{ "calls_before", "Calls before", RA_TABLE_REAL, NULL },                  \
			{ "calls_after", "Calls after", RA_TABLE_REAL, NULL },                    \
			{ "self_before" unit, "Self before", kind, "0" },                         \
			{ "self_after" unit, "Self after", kind, "0" },                           \
			{ "gpu_before_ns", "GPU before", RA_TABLE_TIME, "0" },                    \
			{ "gpu_after_ns", "GPU after", RA_TABLE_TIME, "0" },                      \
	}

static const struct ra_table_column columns[COLUMNS] = COLUMNS_OF(RA_TABLE_TIME, "_ns");
static const struct ra_table_column count_columns[COLUMNS] = COLUMNS_OF(RA_TABLE_COUNT, "");

/* Fills the cells of the change, the verdict, and the method behind it. */
static void put_words(struct ra_table *table, struct ra_table_cell *cells,
                      const struct ra_diff_words_of *of, bool is_data)
{
	const int64_t *total_ns = of->total_ns;
	const struct ra_diff_evidence *evidence = of->evidence;

	cells[RA_DIFF_WORDS_TOTAL] = ra_table_make_number(total_ns[1] - total_ns[0]);
	if (total_ns[0] > 0) {
		cells[RA_DIFF_WORDS_TOTAL_PART] = ra_table_make_real(
			(double) (total_ns[1] - total_ns[0]) / (double) total_ns[0]);
	}
	if (is_data) {
		cells[RA_DIFF_WORDS_VERDICT] = ra_diff_words_verdict(of->diff, of->verdict);
		ra_diff_words_fill_facts(evidence, cells + RA_DIFF_WORDS_COLUMN_COUNT);
		return;
	}
	cells[RA_DIFF_WORDS_VERDICT] = ra_diff_words_explain(table, of);
	cells[RA_DIFF_WORDS_INTERVAL] = ra_diff_words_change(table, of);
	if (evidence->has || ra_diff_verdict_is_call(of->verdict)) {
		cells[RA_DIFF_WORDS_BY] =
			ra_table_make_word(ra_diff_words_method(evidence->method));
	}
}

bool ra_diff_table_has_part(const struct ra_diff *diff, size_t role)
{
	const int64_t *mean_ns = diff->roles[role].mean_ns;

	return role == RA_ROLE_TOTAL || mean_ns[0] != 0 || mean_ns[1] != 0;
}

/* In tables for users, changes the word for a part of the CPU if GPU work hides more or less of it.
 * Such a part is not called faster or slower. */
static void put_exposed(const struct ra_diff *diff, size_t role, struct ra_table *table,
                        struct ra_table_cell *verdict)
{
	const struct rlog_string said = verdict->u.text;
	const char *word = ra_diff_words_of_verdict(diff, diff->roles[role].verdict);
	const char *exposed = ra_diff_bound_word(diff, role);
	struct ra_util_text text = { 0 };

	if (exposed == NULL || !verdict->has_value) {
		return;
	}
	ra_util_text_format(&text, "%s", exposed);
	ra_util_text_put(&text, said.bytes + strlen(word), said.length - strlen(word));
	*verdict = ra_table_make_text(ra_table_take_text(table, &text));
}

static void fill_parts(const struct ra_diff *diff, enum ra_diff_table_for reader,
                       struct ra_table *table)
{
	const bool is_data = reader >= RA_DIFF_TABLE_FOR_PAGE_DATA;

	for (size_t role = 0; role < RA_ROLES; role++) {
		const struct ra_diff_role *from = &diff->roles[role];
		struct ra_table_cell *cells;

		if (reader != RA_DIFF_TABLE_FOR_MACHINES && !ra_diff_table_has_part(diff, role)) {
			continue;
		}
		cells = ra_table_add_row(table);
		cells[PART] = ra_table_make_word(ra_diff_words_role(role));
		cells[PART_BEFORE] = ra_table_make_number(from->mean_ns[0]);
		cells[PART_AFTER] = ra_table_make_number(from->mean_ns[1]);
		put_words(table, &cells[PART_WORDS],
		          &(struct ra_diff_words_of){ diff, from->mean_ns, from->verdict,
		                                      &from->evidence },
		          is_data);
		if (!is_data) {
			put_exposed(diff, role, table, &cells[PART_WORDS + RA_DIFF_WORDS_VERDICT]);
		}
	}
}

/* In tables for users, adds to the verdict that one side makes many more calls, because times alone
 * do not show it. */
static void put_calls(const struct ra_diff *diff, const struct ra_diff_row *row,
                      struct ra_table *table, struct ra_table_cell *verdict)
{
	const double before = (double) row->calls[0] / (double) diff->units[0];
	const double after = (double) row->calls[1] / (double) diff->units[1];
	struct ra_util_text text = { 0 };

	if (row->stats[0] == NULL || row->stats[1] == NULL || before <= 0 || after <= 0 ||
	    (after < MANY_CALLS * before && before < MANY_CALLS * after)) {
		return;
	}
	if (verdict->has_value) {
		ra_util_text_put(&text, verdict->u.text.bytes, verdict->u.text.length);
		ra_util_text_format(&text, "; ");
	}
	if (before < 1 && after < 1) {
		ra_util_text_format(&text, "%llu to %llu calls in all",
		                    (unsigned long long) row->calls[0],
		                    (unsigned long long) row->calls[1]);
	} else {
		ra_util_text_format(&text, "calls %.3g to %.3g", before, after);
	}
	*verdict = ra_table_make_text(ra_table_take_text(table, &text));
}

/* In tables for users, names the row that replaces this one. */
static void put_like(const struct ra_diff_row *row, struct ra_table *table,
                     struct ra_table_cell *verdict)
{
	static const char *const words[] = { [RA_DIFF_LIKE_NEXT] = ": see next row",
		                             [RA_DIFF_LIKE_BEFORE] = ": see row above",
		                             [RA_DIFF_LIKE_SWAPPED] = ": swapped",
		                             [RA_DIFF_LIKE_LOADED] = ": in workers" };
	struct ra_util_text text = { 0 };

	if (row->like != RA_DIFF_LIKE_NONE) {
		ra_util_text_put(&text, verdict->u.text.bytes, verdict->u.text.length);
		ra_util_text_format(&text, "%s", words[row->like]);
		if (row->like == RA_DIFF_LIKE_LOADED) {
			ra_util_text_format(&text, row->total_ns[1] < row->total_ns[0] ? " now"
			                                                               : " before");
		}
		*verdict = ra_table_make_text(ra_table_take_text(table, &text));
	}
}

static void add_row(const struct ra_diff *diff, const struct ra_diff_row *row, bool is_data,
                    struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[WHAT] = ra_table_make_word(ra_diff_words_kind(row));
	cells[NAME] = ra_table_make_text(row->name);
	if (row->table == RA_SUM_RANGES) {
		cells[DOMAIN] = ra_table_make_text(row->domain);
	}
	for (size_t side = 0; side < 2; side++) {
		if (row->stats[side] == NULL) {
			continue;
		}
		cells[CALLS_BEFORE + side] =
			ra_table_make_real((double) row->calls[side] / (double) diff->units[side]);
		cells[BEFORE + side] = ra_table_make_number(row->total_ns[side]);
		if (row->table == RA_SUM_RANGES) {
			cells[SELF_BEFORE + side] = ra_table_make_number(row->self_ns[side]);
			cells[GPU_BEFORE + side] = ra_table_make_number(row->gpu_ns[side]);
		}
	}
	put_words(table, &cells[WORDS],
	          &(struct ra_diff_words_of){ diff, row->total_ns, row->verdict, &row->evidence },
	          is_data);
	if (!is_data) {
		if (row->like != RA_DIFF_LIKE_LOADED) { /* that row says why the calls differ */
			put_calls(diff, row, table, &cells[WORDS + RA_DIFF_WORDS_VERDICT]);
		}
		put_like(row, table, &cells[WORDS + RA_DIFF_WORDS_VERDICT]);
	}
}

bool ra_diff_table_has_row(const struct ra_diff_row *row)
{
	return row->total_ns[0] != row->total_ns[1] || row->verdict == RA_DIFF_SLOWER ||
	       row->verdict == RA_DIFF_FASTER || row->verdict == RA_DIFF_NEW ||
	       row->verdict == RA_DIFF_GONE;
}

/* Fills the rows. Tables for users leave out what did not change; tables for programs have all
 * rows. */
static void fill_rows(const struct ra_diff *diff, enum ra_diff_table_for reader,
                      struct ra_table *table)
{
	const bool is_data = reader >= RA_DIFF_TABLE_FOR_PAGE_DATA;

	for (size_t i = 0; i < diff->count; i++) {
		if (reader == RA_DIFF_TABLE_FOR_MACHINES || ra_diff_table_has_row(&diff->rows[i])) {
			add_row(diff, &diff->rows[i], is_data, table);
		}
	}
}

/* Fills the rows of a table in which rows that differ only by a number share a row. */
static void fill_folded(const struct ra_diff *diff, struct ra_table *table)
{
	struct ra_diff_folds folds;

	ra_diff_fold_init(&folds, diff);
	for (size_t i = 0; i < diff->count; i++) {
		struct ra_util_text name = { 0 };
		struct ra_diff_row row;

		if (!ra_diff_table_has_row(&diff->rows[i]) || folds.counts[i] == 0) {
			continue;
		}
		if (folds.counts[i] == 1) {
			add_row(diff, &diff->rows[i], false, table);
			continue;
		}
		row = ra_diff_fold_make(&folds, diff, i, &name);
		row.name = ra_table_take_text(table, &name);
		add_row(diff, &row, false, table);
	}
	ra_diff_fold_fini(&folds);
}

void ra_diff_table_fill(struct ra_table tables[2], const struct ra_diff *diff,
                        enum ra_diff_table_for reader)
{
	const bool is_data = reader >= RA_DIFF_TABLE_FOR_PAGE_DATA;

	ra_table_init(&tables[0], part_columns, PART_COLUMNS);
	ra_table_init(&tables[1], diff->by == RA_COUNT_NONE ? columns : count_columns, COLUMNS);
	if (diff->by != RA_COUNT_NONE) {
		ra_table_hide(&tables[1], GPU_BEFORE);
		ra_table_hide(&tables[1], GPU_AFTER);
	}
	for (size_t i = 0; i < RA_DIFF_WORDS_FACTS && !is_data; i++) {
		ra_table_hide(&tables[0], PART_FACTS + i);
		ra_table_hide(&tables[1], FACTS + i);
	}
	if (!is_data) {
		ra_table_hide(&tables[0], PART_WORDS + RA_DIFF_WORDS_TOTAL_PART);
		ra_table_hide(&tables[1], WORDS + RA_DIFF_WORDS_TOTAL_PART);
	}
	for (size_t i = 0; i < 2 && is_data; i++) {
		const size_t words = i == 0 ? PART_WORDS : WORDS;

		ra_table_hide(&tables[i], words + RA_DIFF_WORDS_INTERVAL);
		ra_table_hide(&tables[i], words + RA_DIFF_WORDS_BY);
	}
	if (diff->by == RA_COUNT_NONE) {
		fill_parts(diff, reader, &tables[0]);
	}
	if (reader == RA_DIFF_TABLE_FOLDED) {
		fill_folded(diff, &tables[1]);
	} else {
		fill_rows(diff, reader, &tables[1]);
	}
}

void ra_diff_table_hide_details(struct ra_table *table)
{
	ra_table_hide(table, WORDS + RA_DIFF_WORDS_BY);
	for (size_t column = DOMAIN; column < COLUMNS; column++) {
		ra_table_hide(table, column);
	}
}
