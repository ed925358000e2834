/* SPDX-License-Identifier: MIT */
/* analyzer why FILE: writes the three tables that support the paragraph. */
#include "analyzer/commands/why/why-text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/commands/analyze/summary-parts.h"
#include "analyzer/commands/stats/report-list.h"
#include "analyzer/diff/print/diff-words.h"
#include "analyzer/reports/reports.h"
#include "analyzer/table/forms/table-forms.h"
#include "analyzer/table/layout/table-rank.h"
#include "analyzer/table/forms/table-text.h"
#include "analyzer/table/table-wrap.h"

/* Prints the title of a table. */
static void put_title(struct ra_util_text *text, const struct ra_why *why, const char *title,
                      const char *report)
{
	if (why->is_json) {
		const bool is_first = text->bytes[text->length - 1] == '[';

		ra_util_text_format(text, "%s{\"report\":\"%s\",\"title\":\"%s\",\"rows\":",
		                    is_first ? "\n" : ",\n", report, title);
		return;
	}
	ra_util_text_put_char(text, '\n');
	ra_util_text_style(text, RA_STYLE_TITLE);
	ra_util_text_format(text, "%s (%s)", title, report);
	ra_util_text_style(text, RA_STYLE_NONE);
	ra_util_text_format(text, "\n\n");
}

static void put_rows(struct ra_util_text *text, const struct ra_why *why,
                     const struct ra_table *table)
{
	if (why->is_json) {
		ra_table_forms_json.put(text, table, 0);
		ra_util_text_put_char(text, '}');
	} else {
		ra_table_text_put(text, table, why->width);
	}
}

/* Prints a table with its most important rows, and the sum of the rest. */
static void put_table(struct ra_util_text *text, const struct ra_why *why,
                      const struct ra_table *table, const char *title, const char *report)
{
	struct ra_table some = *table;

	put_title(text, why, title, report);
	ra_table_rank(&some, false);
	ra_table_cut(&some, why->rows);
	put_rows(text, why, &some);
}

/* Prints the table of a report. Return: false if the report has no rows. */
static bool put_report(struct ra_util_text *text, const struct ra_why *why,
                       const struct ra_report *report)
{
	const struct ra_query all = { .limit = 0 };
	struct ra_table table;
	bool has_rows;

	ra_report_make(report, why->input, &all, &table);
	has_rows = table.row_count > 0;
	if (has_rows) {
		put_table(text, why, &table, report->title, report->name);
	}
	ra_table_fini(&table);
	return has_rows;
}

enum other_column {
	OTHER_PART,
	OTHER_OWN,
	OTHER_MEAN,
	OTHER_MORE,
	OTHER_COLUMNS,
};

static const struct ra_table_column other_columns[OTHER_COLUMNS] = {
	[OTHER_PART] = { "part", "Part", RA_TABLE_TEXT, NULL },
	[OTHER_OWN] = { "own_ns", "This step", RA_TABLE_TIME, NULL },
	[OTHER_MEAN] = { "median_ns", "Median of others", RA_TABLE_TIME, NULL },
	[OTHER_MORE] = { "more_ns", "Difference", RA_TABLE_TIME, NULL },
};

static void add_other(struct ra_table *table, const struct ra_cmd_others *others, size_t role,
                      const char *name)
{
	const int64_t own_ns = llround(others->own_ns[role]);
	const int64_t mean_ns = llround(others->median_ns[role]);
	struct ra_table_cell *cells;

	if (own_ns == 0 && mean_ns == 0) {
		return;
	}
	cells = ra_table_add_row(table);
	cells[OTHER_PART] = ra_table_make_word(name);
	cells[OTHER_OWN] = ra_table_make_number(own_ns);
	cells[OTHER_MEAN] = ra_table_make_number(mean_ns);
	cells[OTHER_MORE] = ra_table_make_number(own_ns - mean_ns);
}

/* Compares the chosen step with the others, largest increase first. */
static void put_others(struct ra_util_text *text, const struct ra_why *why)
{
	struct ra_table table;

	ra_table_init(&table, other_columns, OTHER_COLUMNS);
	for (size_t role = 0; role < RA_ROLE_TOTAL; role++) {
		add_other(&table, &why->others, role, ra_diff_words_role(role));
	}
	ra_table_sort(&table, OTHER_MORE, true);
	add_other(&table, &why->others, RA_ROLE_TOTAL, "Total");
	put_title(text, why, "Where the step differs", "overview");
	put_rows(text, why, &table);
	ra_table_fini(&table);
}

/* Compares the critical path of the step with the median of the others, largest difference
 * first. */
static void put_path_of_step(struct ra_util_text *text, const struct ra_why *why)
{
	const bool is_longer =
		why->others.own_ns[RA_ROLE_TOTAL] >= why->others.median_ns[RA_ROLE_TOTAL];

	const size_t bytes =
		why->path.row_count * why->path.column_count * sizeof(struct ra_table_cell);
	struct ra_table table = why->path;

	table.cells = ra_alloc_zeros(bytes + 1, 1);
	memcpy(table.cells, why->path.cells, bytes);
	ra_table_sort(&table, ra_table_find_column(table.columns, table.column_count, "more"),
	              is_longer);
	put_table(text, why, &table, "What its critical path has more and less of",
	          "critical-path");
	free(table.cells);
}

/* Shows the time of steps by role; without steps, the critical path. */
static void put_where(struct ra_util_text *text, const struct ra_why *why)
{
	struct ra_util_text unused = { 0 };
	struct ra_table table;

	if (why->has_others) {
		put_others(text, why);
		return;
	}
	if (why->gpus.row_count > 0) {
		ra_summary_parts_steps(why->input, why->has_bars, &unused, &table);
		if (why->is_json) { /* bars are only for users */
			ra_table_hide(&table, ra_table_find_column(table.columns,
			                                           table.column_count, "bar"));
		}
		if (table.row_count > 0) {
			put_table(text, why, &table, "Where the time goes", "overview");
		} else {
			put_report(text, why, &ra_report_overview);
		}
		ra_util_text_free(&unused);
		ra_table_fini(&table);
		return;
	}
	put_table(text, why, &why->path, "Where the time goes", "critical-path");
}

enum found_column {
	FOUND_RULE,
	FOUND_SHARE,
	FOUND_TOTAL,
	FOUND_COUNT,
	FOUND_DEVICE,
	FOUND_STEP,
	FOUND_WORST,
	FOUND_START,
	FOUND_PLACE,
	FOUND_COLUMNS,
};

static const struct ra_table_column found_columns[FOUND_COLUMNS] = {
	[FOUND_RULE] = { "rule", "Finding", RA_TABLE_TEXT, NULL },
	[FOUND_SHARE] = { "share", "Share", RA_TABLE_PART, NULL },
	[FOUND_TOTAL] = { "total_ns", "Time", RA_TABLE_TIME, NULL },
	[FOUND_COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[FOUND_DEVICE] = { "device", "GPU", RA_TABLE_COUNT, "0" },
	[FOUND_STEP] = { "step", "Step", RA_TABLE_TEXT, NULL },
	[FOUND_WORST] = { "longest_ns", "Worst", RA_TABLE_TIME, NULL },
	[FOUND_START] = { "start_ns", "At", RA_TABLE_TIME, NULL },
	[FOUND_PLACE] = { "place", "Worst place", RA_TABLE_TEXT, NULL },
};

/* Shows the figures of all findings, without their sentences. */
static void put_findings(struct ra_util_text *text, const struct ra_why *why)
{
	struct ra_table table;

	ra_table_init(&table, found_columns, FOUND_COLUMNS);
	for (size_t row = 0; row < why->advice.row_count; row++) {
		struct ra_table_cell *cells = ra_table_add_row(&table);

		for (size_t c = 0; c < FOUND_COLUMNS; c++) {
			cells[c] = *ra_why_cell(&why->advice, row, found_columns[c].key);
		}
	}
	put_title(text, why, "What it waits for, and what costs time", "advice");
	ra_table_cut(&table, why->rows);
	put_rows(text, why, &table); /* the rest has no sum, because findings overlap */
	ra_table_fini(&table);
}

/* Finds the first report that shows a finding and was not printed yet. Return: NULL if there is
 * none. */
static const struct ra_report *find_proof(struct rlog_string reports)
{
	const char *name = reports.bytes;
	size_t left = reports.length;

	while (left > 0) {
		const char *end = memchr(name, ',', left);
		const size_t length = end != NULL ? (size_t) (end - name) : left;
		const struct ra_report *report = ra_report_list_find(name, length, RA_COMPAT_NONE);
		size_t more = length + (end != NULL);

		if (report != NULL && report != &ra_report_overview &&
		    report != &ra_report_footer) {
			return report;
		}
		for (; more < left && name[more] == ' '; more++) {
		}
		name += more;
		left -= more;
	}
	return NULL;
}

/* Prints the report that shows the worst finding. */
static bool put_proof(struct ra_util_text *text, const struct ra_why *why)
{
	const struct ra_report *report =
		why->advice.row_count > 0
			? find_proof(ra_why_cell(&why->advice, 0, "reports")->u.text)
			: NULL;

	return report != NULL && put_report(text, why, report);
}

/* Prints the second table, or the one that replaces it. Return: how many were printed. */
static size_t put_second(struct ra_util_text *text, const struct ra_why *why)
{
	if (why->has_others) {
		put_path_of_step(text, why);
		return 1;
	}
	if (why->advice.row_count > 0) {
		put_findings(text, why);
		return 1;
	}
	return 0;
}

void ra_why_put_tables(struct ra_util_text *text, const struct ra_why *why)
{
	const bool has_gpu = why->gpus.row_count > 0;
	size_t count = 0;

	if (count < why->tables) {
		put_where(text, why);
		count++;
	}
	if (count < why->tables) {
		count += put_second(text, why);
	}
	if (count < why->tables) {
		count += put_proof(text, why);
	}
	if (count < why->tables && has_gpu && !why->has_others) {
		put_table(text, why, &why->path, "On the critical path", "critical-path");
		count++;
	}
	if (count < why->tables) {
		count += put_report(text, why, has_gpu ? &ra_report_kernels : &ra_report_ranges);
	}
	if (count < why->tables) {
		(void) put_report(text, why, &ra_report_threads);
	}
	if (why->tables < RA_WHY_TABLES) {
		ra_util_text_format(text, "\nleft out for --brief: %d of %d tables\n",
		                    RA_WHY_TABLES - (int) why->tables, RA_WHY_TABLES);
	}
}
