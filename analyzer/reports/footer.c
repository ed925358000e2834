/* SPDX-License-Identifier: MIT */
/* The report "footer": what the log lacks and what was repaired in it, as a table. */
#include "analyzer/reports/reports.h"

#include "analyzer/report/footer.h"

enum column {
	CAUSE,
	COUNT,
	TEXT,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[CAUSE] = { "cause", "Cause", RA_TABLE_TEXT, NULL },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[TEXT] = { "text", "Meaning", RA_TABLE_TEXT, NULL },
};

static void fill_footer(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_footer_line lines[RA_FOOTER_LINES];
	const size_t count = ra_footer_collect(input->model, lines);

	for (size_t i = 0; i < count; i++) {
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[CAUSE] = ra_table_make_word(lines[i].key);
		if (lines[i].count > 0) {
			cells[COUNT] = ra_table_make_count(lines[i].count);
		}
		cells[TEXT] = ra_table_make_word(lines[i].text);
	}
}

const struct ra_report ra_report_footer = {
	.name = "footer",
	.scope = RA_REPORT_OF_ALL,
	.needs = RA_REPORT_NEEDS_FACTS,
	.compat = ~0u,
	.title = "Footer",
	.summary = "what the log lacks and what was repaired in it",
	.columns = columns,
	.column_count = COLUMNS,
	.none = "nothing is missing",
	.fill = fill_footer,
};
