/* SPDX-License-Identifier: MIT */
/* The report "environment" on summaries: facts about the inputs' machines. */
#include "analyzer/summary-file/report/sum-report.h"

enum column {
	RANK,
	KEY,
	VALUE,
	PARTS,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_TEXT, NULL },
	[KEY] = { "fact", "Fact", RA_TABLE_TEXT, NULL },
	[VALUE] = { "value", "Value", RA_TABLE_TEXT, NULL },
	[PARTS] = { "ranks", "Ranks", RA_TABLE_COUNT, NULL },
};

/* Fills the table: first the facts that all inputs share, then the facts of each rank. */
static void fill_environment(const struct ra_sum_set *set, struct ra_table *table)
{
	for (size_t i = 0; i < set->facts.count; i++) {
		const struct ra_sum_known *known = &set->facts.rows[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		if (known->part != RA_NONE) {
			struct ra_util_text text = { 0 };

			ra_sum_set_put_source(&text, &set->sources[known->part]);
			cells[RANK] = ra_table_make_text(ra_table_take_text(table, &text));
		}
		cells[KEY] = ra_table_make_text(set->texts.rows[known->fact.key]);
		cells[VALUE] = ra_table_make_text(set->texts.rows[known->fact.text]);
		cells[PARTS] = ra_table_make_count(known->parts);
	}
	ra_table_sort(table, VALUE, false);
	ra_table_sort(table, KEY, false);
	if (set->by_part) {
		ra_table_hide(table, PARTS);
		ra_table_sort(table, RANK, false);
	} else {
		ra_table_hide(table, RANK);
		ra_table_sort(table, PARTS, true);
	}
}

const struct ra_sum_report ra_sum_report_environment = {
	.name = "environment",
	.title = "Environment",
	.summary = "machines, programs, GPUs and versions, and how many ranks have them",
	.none = "nothing is known of the machine",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_environment,
};
