/* SPDX-License-Identifier: MIT */
/* Tables that reports add to a database for queries. */
#include "analyzer/commands/sql/sql-reports.h"

#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "analyzer/io/sqlite-library.h"
#include "analyzer/report/report-steps.h"
#include "analyzer/reports/reports.h"
#include "analyzer/table/forms/table-data.h"

/* Columns that are inserted after a step's number. The columns of overview follow. */
static const struct ra_table_column times[] = {
	{ "start", NULL, RA_TABLE_TIME, NULL },
	{ "end", NULL, RA_TABLE_TIME, NULL },
};

#define TIMES (sizeof(times) / sizeof(times[0]))

static bool is_in(const char *statement, const char *name)
{
	return statement == NULL || strcasestr(statement, name) != NULL;
}

static bool put_table(const struct ra_sqlite_library *sqlite, struct sqlite3 *db,
                      struct ra_table *table, const char *name)
{
	struct ra_util_text text = { 0 };
	int code;

	table->name = name;
	ra_table_data_put_sql(&text, table);
	ra_util_text_put_char(&text, '\0');
	code = sqlite->exec(db, text.bytes, NULL, NULL, NULL);
	ra_util_text_free(&text);
	return code == SQLITE_OK;
}

static bool add_ranges(const struct ra_sqlite_library *sqlite, struct sqlite3 *db,
                       struct ra_report_input *input, const struct ra_query *query)
{
	struct ra_table table;
	bool is_good;

	ra_report_make(&ra_report_ranges, input, query, &table);
	is_good = put_table(sqlite, db, &table, "ranges");
	ra_table_fini(&table);
	return is_good;
}

/* Adds the table "steps". The rows of overview are in the order of the steps. */
static bool add_steps(const struct ra_sqlite_library *sqlite, struct sqlite3 *db,
                      struct ra_report_input *input, const struct ra_query *query)
{
	const struct ra_report *report = &ra_report_overview;
	const struct ra_step *steps = ra_report_steps_find(input)->steps.times.steps;
	struct ra_table_column columns[RA_TABLE_MOST_COLUMNS];
	struct ra_table overview;
	struct ra_table table;
	bool is_good;

	columns[0] = report->columns[0];
	memcpy(columns + 1, times, sizeof(times));
	memcpy(columns + 1 + TIMES, report->columns + 1,
	       (report->column_count - 1) * sizeof(*columns));
	ra_report_make(report, input, query, &overview);
	ra_table_init(&table, columns, report->column_count + TIMES);
	for (size_t i = 0; i < overview.row_count; i++) {
		const struct ra_table_cell *from = &overview.cells[i * overview.column_count];
		struct ra_table_cell *cells = ra_table_add_row(&table);

		cells[0] = from[0];
		cells[1] = ra_table_make_number(llround(steps[i].start));
		cells[2] = ra_table_make_number(llround(steps[i].end));
		memcpy(cells + 1 + TIMES, from + 1, (overview.column_count - 1) * sizeof(*cells));
	}
	is_good = put_table(sqlite, db, &table, "steps");
	ra_table_fini(&table);
	ra_table_fini(&overview);
	return is_good;
}

bool ra_sql_reports_add(const struct ra_sqlite_library *sqlite, struct sqlite3 *db,
                        const struct ra_model *model, const char *statement)
{
	static const struct ra_labels_options plain = { 0 };
	static const struct ra_labels_options of_kernels = { .is_kernels = true };
	static const struct ra_query query = { 0 };
	struct ra_settings settings;
	struct ra_labels labels;
	struct ra_labels kernels;
	struct ra_report_input input = { .model = model,
		                         .group_by = RA_GROUP_BY_NAME,
		                         .model_count = 1,
		                         .settings = &settings,
		                         .labels = &labels,
		                         .kernels = &kernels };
	bool is_good = true;

	ra_settings_init(&settings);
	ra_labels_init(&labels, model, &plain);
	ra_labels_init(&kernels, model, &of_kernels);
	if (is_in(statement, "ranges")) {
		is_good = add_ranges(sqlite, db, &input, &query);
	}
	if (is_good && is_in(statement, "steps")) {
		is_good = add_steps(sqlite, db, &input, &query);
	}
	ra_report_fini_input(&input);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
	return is_good;
}
