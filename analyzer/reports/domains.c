/* SPDX-License-Identifier: MIT */
/* The report "domains": what each NVTX domain recorded. */
#include "analyzer/reports/reports.h"

enum column {
	NAME,
	ID,
	RANGES,
	START_END,
	MARKS,
	SELF,
	TOTAL,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[NAME] = { "domain", "Domain", RA_TABLE_TEXT, NULL },
	[ID] = { "id", "ID", RA_TABLE_COUNT, NULL },
	[RANGES] = { "ranges", "Ranges", RA_TABLE_COUNT, NULL },
	[START_END] = { "start_end_ranges", "Start/end", RA_TABLE_COUNT, "0" },
	[MARKS] = { "marks", "Marks", RA_TABLE_COUNT, "0" },
	[SELF] = { "self_cpu_ns", "Self CPU", RA_TABLE_TIME, NULL },
	[TOTAL] = { "cpu_total_ns", "CPU total", RA_TABLE_TIME, NULL },
};

static void add_domains(const struct ra_model *model, struct ra_table *table)
{
	for (size_t d = 0; d < model->domain_count; d++) {
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[NAME] = ra_table_make_text(ra_report_name_domain(model, (uint16_t) d));
		cells[ID] = ra_table_make_number(model->domains[d].id);
		for (size_t c = RANGES; c < COLUMNS; c++) {
			cells[c] = ra_table_make_number(0);
		}
	}
}

static void add_marks(const struct ra_model *model, struct ra_table *table)
{
	const struct ra_totals *totals = model->totals;

	for (size_t i = 0; i < model->mark_count; i++) {
		table->cells[(size_t) model->marks[i].domain * COLUMNS + MARKS].u.number++;
	}
	for (size_t d = 0; totals != NULL && d < model->domain_count && d < totals->mark_capacity;
	     d++) {
		table->cells[d * COLUMNS + MARKS] = ra_table_make_count(totals->marks[d]);
	}
}

static void fill_domains(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_model *m = input->model;
	struct ra_metrics metrics;

	add_domains(m, table);
	ra_report_make_domain_metrics(input, &metrics);
	for (size_t i = 0; i < metrics.count; i++) {
		const struct ra_metrics_row *row = &metrics.rows[i];
		struct ra_table_cell *cells = table->cells + (size_t) row->key.domain * COLUMNS;

		if (row->key.kind == RA_TRACK_THREAD) {
			cells[RANGES] = ra_table_make_count(row->calls);
			cells[SELF] = ra_table_make_number(row->self_ns);
			cells[TOTAL] = ra_table_make_number(row->total_ns);
		} else if (row->key.kind == RA_TRACK_START_END) {
			cells[START_END] = ra_table_make_count(row->calls);
		}
	}
	add_marks(m, table);
	ra_metrics_fini(&metrics);
}

const struct ra_report ra_report_domains = {
	.name = "domains",
	.needs = RA_REPORT_NEEDS_DOMAIN_SUMS,
	.title = "Domains",
	.summary = "what each domain recorded",
	.more_of = "threads",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = NULL,
	.fill = fill_domains,
};
