/* SPDX-License-Identifier: MIT */
/* Finds the range in which one rank exceeds the median of the ranks by the most time. */
#include "analyzer/commands/why/why-alone.h"

#include <stdio.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/summary-file/report/sum-report.h"
#include "analyzer/table/table-budget.h"
#include "analyzer/table/table-wrap.h"

#define ROWS        8
#define LEAST_RATIO 1.05 /* the slowest rank's time / the mean; a smaller ratio is no finding */
/* part of the largest excess: of the ranges with more, the most uneven one is chosen */
#define NEARLY_AS_IT 0.8

static const struct ra_table_cell *find_cell(const struct ra_table *table, size_t row,
                                             const char *key)
{
	return &table->cells[row * table->column_count +
	                     ra_table_find_column(table->columns, table->column_count, key)];
}

/* Returns the value of a ratio; 0: there is none. */
static double read_ratio(const struct ra_table_cell *cell)
{
	return cell->has_value && cell->u.share.whole > 0
	               ? (double) cell->u.share.part / (double) cell->u.share.whole
	               : 0;
}

/* Returns how much longer the slowest rank takes than the median one; 0 if half of the ranks do not
 * have the range at all: a rank that does something else is not slower than they are. */
static int64_t find_excess(const struct ra_table *table, size_t row)
{
	const struct ra_table_cell *most = find_cell(table, row, "rank_max_ns");
	const struct ra_table_cell *median = find_cell(table, row, "rank_p50_ns");

	return most->has_value && median->has_value && median->u.number > 0
	               ? most->u.number - median->u.number
	               : 0;
}

/* Finds the range to name: of the ranges with nearly the largest excess, the one in which the ranks
 * differ most. So a range that only contains that range is not chosen. Return: row_count if the
 * ranks do not differ. */
static size_t find_place(const struct ra_table *table)
{
	int64_t most_ns = 0;
	double uneven = LEAST_RATIO;
	size_t place = table->row_count;

	for (size_t row = 0; row < table->row_count; row++) {
		const int64_t excess_ns = find_excess(table, row);

		most_ns = excess_ns > most_ns ? excess_ns : most_ns;
	}
	for (size_t row = 0; row < table->row_count; row++) {
		const double ratio = read_ratio(find_cell(table, row, "imbalance"));

		if (ratio > uneven &&
		    (double) find_excess(table, row) >= NEARLY_AS_IT * (double) most_ns) {
			uneven = ratio;
			place = row;
		}
	}
	return place;
}

static void put_text(struct ra_util_text *text, const struct ra_table_cell *cell)
{
	ra_util_text_put_name(text, cell->u.text, RA_TEXT_TERMINAL);
}

/* Writes "rank 42 is slower in compute: it takes 3.1s in all, the ranks' median is 0.5s; since step
 * 30 its calls are 6.2 times as long as before". */
static void put_place(struct ra_util_text *text, const struct ra_table *table, size_t row)
{
	const struct ra_table_cell *since = find_cell(table, row, "since_step");
	const double ratio = read_ratio(find_cell(table, row, "since_ratio"));

	put_text(text, find_cell(table, row, "slowest"));
	ra_util_text_format(text, " is slower in ");
	put_text(text, find_cell(table, row, "name"));
	ra_util_text_format(text, ": it takes ");
	ra_util_text_put_time(text, find_cell(table, row, "rank_max_ns")->u.number);
	ra_util_text_format(text, " in all, the ranks' median is ");
	ra_util_text_put_time(text, find_cell(table, row, "rank_p50_ns")->u.number);
	if (since->has_value && since->u.text.length > 0 && ratio > 0) {
		ra_util_text_format(text, "; since step ");
		put_text(text, since);
		ra_util_text_format(text, " its calls are %.3g times as long as before", ratio);
	}
	ra_util_text_format(text, ". Ranges of others that wait for it are long, too, and alike "
	                          "on all of them");
}

static void put_answer(struct ra_util_text *text, const struct ra_sum_set *set, bool is_of_sums,
                       size_t width)
{
	const struct ra_sum_report *ranges = &ra_sum_report_ranges;
	struct ra_table table;
	size_t place;

	ra_table_init(&table, ranges->columns, ranges->column_count);
	ranges->fill(set, &table);
	place = find_place(&table);
	ra_util_text_format(text, "Of %zu ranks ", set->source_count);
	if (place < table.row_count) {
		put_place(text, &table, place);
	} else {
		ra_util_text_format(text,
		                    "none takes %.0f%% longer in any range than they do on "
		                    "average",
		                    (LEAST_RATIO - 1) * 100);
	}
	ra_util_text_format(
		text, is_of_sums ? ". Whom they wait for: analyzer stats FILE -r ranks.\n\n"
				 : ". There are no collectives that several took part in, so only "
				   "ranges tell. Of one rank: analyzer why FILE.\n\n");
	ra_table_wrap_from(text, 0, width);
	ra_table_fini(&table);
}

/* The data for an answer. */
struct answer {
	const struct ra_cmd_stats *options;
	const struct ra_sum_set *set;
	bool is_of_sums;
};

/* Writes the answer in one size (ra_table_budget_put). */
static void put(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	static const struct ra_sum_report *const reports[] = { &ra_sum_report_ranges };
	const struct answer *answer = context;
	const struct ra_sum_report_options all = {
		.reports = reports,
		.report_count = tables,
		.query = { .sort = "imbalance", .limit = rows },
		.form = answer->options->form,
		.width = answer->options->width,
	};

	put_answer(text, answer->set, answer->is_of_sums, answer->options->width);
	ra_sum_report_put(text, answer->set, &all);
}

/* Writes the answer (ra_cmd_stats_answer). */
static int print(void *context, const struct ra_cmd_stats *options, const struct ra_sum_set *set)
{
	const struct answer answer = { options, set, *(const bool *) context };
	struct ra_util_text text = { 0 };

	if (options->brief > 0) {
		ra_table_budget_fit(&text, options->brief, 1, put, &answer);
	} else {
		put(&text, ROWS, 1, &answer);
	}
	(void) ra_util_text_write(&text, stdout); /* main() checks whether stdout was written */
	ra_util_text_free(&text);
	fflush(stdout); /* errors come after the results */
	return 0;
}

int ra_why_alone(const struct ra_cmd_stats *options, bool is_of_sums)
{
	struct ra_cmd_stats compared = *options;

	compared.names.labels.omits_counts = true;
	return ra_cmd_stats_answer_sums(&compared, print, &is_of_sums);
}
