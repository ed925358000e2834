/* SPDX-License-Identifier: MIT */
/* The report "sync": how long threads waited for sync objects, and how long they held them. */
#include "analyzer/reports/reports.h"

enum column {
	OBJECT,
	DOMAIN,
	ID,
	WAITS,
	FAILED,
	OPEN,
	WAIT_TOTAL,
	WAIT_AVG,
	WAIT_MAX,
	HOLDS,
	HOLD_TOTAL,
	HOLD_MAX,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[OBJECT] = { "object", "Object", RA_TABLE_TEXT, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[ID] = { "id", "ID", RA_TABLE_COUNT, NULL },
	[WAITS] = { "waits", "Waits", RA_TABLE_COUNT, NULL },
	[FAILED] = { "failed", "Failed", RA_TABLE_COUNT, "0" },
	[OPEN] = { "open", "Open", RA_TABLE_COUNT, "0" },
	[WAIT_TOTAL] = { "wait_total_ns", "Wait total", RA_TABLE_TIME, NULL },
	[WAIT_AVG] = { "wait_avg_ns", "Wait avg", RA_TABLE_TIME, NULL },
	[WAIT_MAX] = { "wait_max_ns", "Wait max", RA_TABLE_TIME, NULL },
	[HOLDS] = { "holds", "Holds", RA_TABLE_COUNT, NULL },
	[HOLD_TOTAL] = { "hold_total_ns", "Hold total", RA_TABLE_TIME, NULL },
	[HOLD_MAX] = { "hold_max_ns", "Hold max", RA_TABLE_TIME, NULL },
};

static void fill_sync(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_model *m = input->model;

	for (size_t i = 0; i < m->sync_object_count; i++) {
		const struct ra_sync_object *object = &m->sync_objects[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[OBJECT] = ra_table_make_text(ra_model_string(m, object->name));
		cells[DOMAIN] = ra_table_make_text(ra_report_name_domain(m, object->domain));
		cells[ID] = ra_table_make_count(object->id);
		cells[WAITS] = ra_table_make_count(object->waits);
		cells[FAILED] = ra_table_make_count(object->failed);
		cells[OPEN] = ra_table_make_count(object->open);
		cells[WAIT_TOTAL] = ra_table_make_number(object->wait_ns);
		if (object->waits > 0) {
			const uint64_t sum = (uint64_t) object->wait_ns + object->waits / 2;

			cells[WAIT_AVG] = ra_table_make_count(sum / object->waits);
			cells[WAIT_MAX] = ra_table_make_number(object->wait_max_ns);
		}
		cells[HOLDS] = ra_table_make_count(object->holds);
		if (object->holds > 0) {
			cells[HOLD_TOTAL] = ra_table_make_number(object->hold_ns);
			cells[HOLD_MAX] = ra_table_make_number(object->hold_max_ns);
		}
	}
}

const struct ra_report ra_report_sync = {
	.name = "sync",
	.needs = RA_REPORT_NEEDS_FACTS,
	.title = "Sync objects",
	.summary = "sync objects that threads waited for and held",
	.none = "no sync objects of NVTX",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "wait_total",
	.fill = fill_sync,
};
