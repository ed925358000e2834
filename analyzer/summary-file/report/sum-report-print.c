/* SPDX-License-Identifier: MIT */
/* Writes the reports on summaries in all formats. */
#include "analyzer/summary-file/report/sum-report.h"

#include <string.h>

#include "analyzer/table/layout/table-rank.h"
#include "analyzer/table/forms/table-text.h"
#include "analyzer/table/table-wrap.h"

const struct ra_sum_report *const ra_sum_report_all[] = {
	&ra_sum_report_ranks,       &ra_sum_report_overview,
	&ra_sum_report_ranges,      &ra_sum_report_kernels,
	&ra_sum_report_memcpy,      &ra_sum_report_api,
	&ra_sum_report_environment, NULL,
};

const struct ra_sum_report *ra_sum_report_find(const char *name, size_t length)
{
	for (size_t i = 0; ra_sum_report_all[i] != NULL; i++) {
		if (strlen(ra_sum_report_all[i]->name) == length &&
		    memcmp(ra_sum_report_all[i]->name, name, length) == 0) {
			return ra_sum_report_all[i];
		}
	}
	return NULL;
}

/* False if the inputs are cycles or snapshots of one process, which are not ranks. */
static bool has_ranks(const struct ra_sum_set *set)
{
	for (size_t i = 0; i < set->source_count; i++) {
		if (set->sources[i].rank >= 0) {
			return true;
		}
	}
	return false;
}

static uint64_t mark_columns(size_t first, size_t last)
{
	uint64_t columns = 0;

	for (size_t c = first; c <= last; c++) {
		columns |= UINT64_C(1) << c;
	}
	return columns;
}

/* Writes a table. If it has too many columns for the width, it is divided in two: one with the sums
 * over ranks, and one that compares ranks. */
static void put_rows(struct ra_util_text *text, const struct ra_sum_set *set,
                     const struct ra_sum_report_options *options,
                     const struct ra_sum_report *report, struct ra_table *table)
{
	const uint64_t absent = table->absent;
	const uint64_t of_ranks = mark_columns(report->first_of_ranks, report->last_of_ranks);

	if (options->form != &ra_table_forms_text || report->first_of_ranks == 0 ||
	    ra_table_is_hidden(table, report->first_of_ranks) ||
	    ra_table_text_is_whole(table, options->width)) {
		options->form->put(text, table, options->width);
		return;
	}
	table->absent = absent | of_ranks;
	options->form->put(text, table, options->width);
	ra_util_text_format(text, "\nOver %s\n\n", has_ranks(set) ? "ranks" : "inputs");
	table->absent = absent | ~(of_ranks | mark_columns(0, report->row_columns - 1));
	options->form->put(text, table, options->width);
	table->absent = absent;
}

static void put_table(struct ra_util_text *text, const struct ra_sum_set *set,
                      const struct ra_sum_report_options *options,
                      const struct ra_sum_report *report, struct ra_table *table)
{
	const bool is_of_inputs = report == &ra_sum_report_ranks && !has_ranks(set);
	const struct ra_table_form *form = options->form;
	const bool is_first = report == options->reports[0];
	const bool is_none = table->row_count + table->cut_count == 0 && report->none != NULL;

	switch (form->frame) {
	case RA_TABLE_FRAME_TITLES:
		if (options->report_count > 1) {
			ra_util_text_format(text, "%s%s%s\n\n", is_first ? "" : "\n",
			                    form->title_mark,
			                    is_of_inputs ? "Inputs" : report->title);
		}
		if (is_none) {
			ra_util_text_format(text, "%s\n", report->none);
			return;
		}
		break;
	case RA_TABLE_FRAME_ROWS:
		ra_util_text_put(text, "\n", is_first || form->is_one ? 0 : 1);
		break;
	case RA_TABLE_FRAME_JSON:
		ra_util_text_format(text, "%s\"%s\":", is_first ? "" : ",\n", report->name);
		break;
	}
	put_rows(text, set, options, report, table);
}

static void put_inputs(struct ra_util_text *text, const struct ra_sum_set *set)
{
	ra_util_text_format(text, "{\"inputs\":[");
	for (size_t i = 0; i < set->source_count; i++) {
		ra_util_text_format(text, i == 0 ? "\"" : ",\"");
		ra_util_text_put_name(text, set->sources[i].source, RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
	}
	ra_util_text_format(text, "],\n\"reports\":{\n");
}

static void put_json_footer(struct ra_util_text *text, const struct ra_sum_set *set)
{
	uint64_t events = 0;
	uint64_t lost = 0;
	size_t incomplete = 0;
	size_t older = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		events += set->sources[i].events;
		lost += set->sources[i].lost;
		incomplete += set->sources[i].state != RA_SUM_COMPLETE;
		older += set->sources[i].is_older;
	}
	ra_util_text_format(text,
	                    "},\n\"footer\":{\"inputs\":%zu,\"events\":%llu,\"lost\":%llu,"
	                    "\"incomplete_inputs\":%zu,\"older_inputs\":%zu}}\n",
	                    set->source_count, (unsigned long long) events,
	                    (unsigned long long) lost, incomplete, older);
}

/* Ranks rows by weight, unless the user wants another order. */
static void rank(const struct ra_sum_report_options *options, const struct ra_sum_report *report,
                 struct ra_table *table)
{
	struct ra_query query = options->query;

	query.limit = 0;
	ra_query_apply(&query, report->sort, table);
	ra_table_rank(table, query.sort == NULL);
	ra_table_cut(table, options->query.limit);
}

void ra_sum_report_put(struct ra_util_text *text, const struct ra_sum_set *set,
                       const struct ra_sum_report_options *options)
{
	if (options->form->frame == RA_TABLE_FRAME_JSON) {
		put_inputs(text, set);
	}
	for (size_t i = 0; i < options->report_count; i++) {
		const struct ra_sum_report *report = options->reports[i];
		struct ra_table table;

		ra_table_init(&table, report->columns, report->column_count);
		report->fill(set, &table);
		if (options->is_ranked) {
			rank(options, report, &table);
		} else {
			ra_query_apply(&options->query, report->sort, &table);
		}
		table.name = report->name;
		put_table(text, set, options, report, &table);
		if (report->put_finding != NULL && options->form->frame == RA_TABLE_FRAME_TITLES) {
			const size_t start = text->length;

			report->put_finding(text, set);
			ra_table_wrap_from(text, start, options->width);
		}
		ra_table_fini(&table);
	}
	if (options->form->frame == RA_TABLE_FRAME_JSON) {
		put_json_footer(text, set);
	} else if (options->form->frame == RA_TABLE_FRAME_TITLES) {
		const size_t start = text->length;

		ra_util_text_put_char(text, '\n');
		ra_sum_set_put_footer(text, set, "");
		ra_table_wrap_from(text, start, options->width);
	}
}
