/* SPDX-License-Identifier: MIT */
/* The two tables of a comparison. */
#include "analyzer/diff/diff-table.h"

#include "analyzer/diff/diff-words.h"

static const struct ra_table_column part_columns[] = {
	{ "part", "Part", RA_TABLE_TEXT, NULL },
	{ "before_ns", "Before", RA_TABLE_TIME, NULL },
	{ "after_ns", "After", RA_TABLE_TIME, NULL },
	{ "change_ns", "Change", RA_TABLE_TIME, NULL },
	{ "change_part", "Change %", RA_TABLE_PART, NULL },
	{ "verdict", "Verdict", RA_TABLE_TEXT, NULL },
};

enum column {
	WHAT,
	NAME,
	BEFORE,
	AFTER,
	CHANGE,
	CHANGE_PART,
	VERDICT,
	DOMAIN,
	CALLS_BEFORE,
	CALLS_AFTER,
	SELF_BEFORE,
	SELF_AFTER,
	GPU_BEFORE,
	GPU_AFTER,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[WHAT] = { "what", "What", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[BEFORE] = { "before_ns", "Before", RA_TABLE_TIME, NULL },
	[AFTER] = { "after_ns", "After", RA_TABLE_TIME, NULL },
	[CHANGE] = { "change_ns", "Change", RA_TABLE_TIME, NULL },
	[CHANGE_PART] = { "change_part", "Change %", RA_TABLE_PART, NULL },
	[VERDICT] = { "verdict", "Verdict", RA_TABLE_TEXT, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[CALLS_BEFORE] = { "calls_before", "Calls before", RA_TABLE_REAL, NULL },
	[CALLS_AFTER] = { "calls_after", "Calls after", RA_TABLE_REAL, NULL },
	[SELF_BEFORE] = { "self_before_ns", "Self before", RA_TABLE_TIME, "0" },
	[SELF_AFTER] = { "self_after_ns", "Self after", RA_TABLE_TIME, "0" },
	[GPU_BEFORE] = { "gpu_before_ns", "GPU before", RA_TABLE_TIME, "0" },
	[GPU_AFTER] = { "gpu_after_ns", "GPU after", RA_TABLE_TIME, "0" },
};

static void put_change(struct ra_table_cell *cells, const int64_t time_ns[2])
{
	cells[0] = ra_table_make_number(time_ns[1] - time_ns[0]);
	if (time_ns[0] > 0) {
		cells[1] = ra_table_make_real((double) (time_ns[1] - time_ns[0]) /
		                              (double) time_ns[0]);
	}
}

/* People are spared parts that neither side has, as those of GPUs where there is none. */
static void fill_parts(const struct ra_diff *diff, bool with_empty, struct ra_table *table)
{
	for (size_t role = 0; role < RA_ROLES; role++) {
		const struct ra_diff_role *from = &diff->roles[role];
		struct ra_table_cell *cells;

		if (!with_empty && role != RA_ROLE_TOTAL && from->mean_ns[0] == 0 &&
		    from->mean_ns[1] == 0) {
			continue;
		}
		cells = ra_table_add_row(table);
		cells[0] = ra_table_make_word(ra_diff_words_role(role));
		cells[1] = ra_table_make_number(from->mean_ns[0]);
		cells[2] = ra_table_make_number(from->mean_ns[1]);
		put_change(&cells[3], from->mean_ns);
		cells[5] = ra_diff_words_verdict(from->verdict);
	}
}

static void add_row(const struct ra_diff *diff, const struct ra_diff_row *row,
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
	put_change(&cells[CHANGE], row->total_ns);
	cells[VERDICT] = ra_diff_words_verdict(row->verdict);
}

/* People are spared what did not change; machines get all rows. */
static void fill_rows(const struct ra_diff *diff, bool with_same, struct ra_table *table)
{
	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];

		if (with_same || row->total_ns[0] != row->total_ns[1] ||
		    row->verdict != RA_DIFF_SAME) {
			add_row(diff, row, table);
		}
	}
}

void ra_diff_table_fill(struct ra_table tables[2], const struct ra_diff *diff, bool with_same,
                        bool with_empty)
{
	ra_table_init(&tables[0], part_columns, sizeof(part_columns) / sizeof(part_columns[0]));
	ra_table_init(&tables[1], columns, COLUMNS);
	fill_parts(diff, with_empty, &tables[0]);
	fill_rows(diff, with_same, &tables[1]);
}
