/* SPDX-License-Identifier: MIT */
/* analyzer stats on summaries and on many inputs: makes reports over ranks. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/commands/shared/messages.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/table/table-budget.h"
#include "analyzer/summary-file/report/sum-metrics.h"
#include "analyzer/commands/shared/cmd.h"

#define REPORTS 8 /* at least as many as there are reports on summaries */

/* Reads a list such as "ranges,api". Return: the number of reports; 0: one of the names is no
 * report on summaries. */
static size_t find_reports(const char *names, const struct ra_sum_report *reports[REPORTS])
{
	const char *name = names == NULL ? "ranges" : names;
	size_t count = 0;

	for (;;) {
		const size_t length = strcspn(name, ",");

		if (length == 3 && memcmp(name, "all", 3) == 0 && count == 0 && name[3] == '\0') {
			for (; ra_sum_report_all[count] != NULL; count++) {
				reports[count] = ra_sum_report_all[count];
			}
			return count;
		}
		if (count == REPORTS) {
			return 0;
		}
		reports[count] = ra_sum_report_find(name, length);
		if (reports[count++] == NULL) {
			return 0;
		}
		if (name[length] == '\0') {
			return count;
		}
		name += length + 1;
	}
}

/* True if there are several inputs, or a summary. Wrong file names are reported when the files are
 * read. */
static bool has_several(const struct ra_cmd_stats *options)
{
	struct ra_batch_inputs inputs = { 0 };
	bool several;

	for (size_t i = 0; i < options->file_count; i++) {
		(void) ra_batch_inputs_add(&inputs, options->files[i], NULL, NULL);
	}
	several = inputs.count > 1;
	for (size_t i = 0; i < inputs.count; i++) {
		several = several || ra_sum_file_is(inputs.rows[i].path);
	}
	ra_batch_inputs_fini(&inputs);
	return several;
}

/* Of a folder written by a batch, only the overall summary is used. */
bool ra_cmd_stats_has_sum(const struct ra_cmd_stats *options)
{
	for (size_t i = 0; i < options->file_count; i++) {
		char path[PATH_MAX];
		const int length =
			snprintf(path, sizeof(path), "%s/summary.sum", options->files[i]);

		if (ra_sum_file_is(options->files[i]) ||
		    (length < (int) sizeof(path) && ra_sum_file_is(path))) {
			return true;
		}
	}
	return false;
}

static bool is_all(const struct ra_cmd_stats *options)
{
	return options->report_names != NULL && strcmp(options->report_names, "all") == 0;
}

bool ra_cmd_stats_wants_sums(const struct ra_cmd_stats *options)
{
	const struct ra_sum_report *reports[REPORTS];
	const size_t count = find_reports(options->report_names, reports);

	if (options->form == &ra_cmd_stats_openmetrics || ra_cmd_stats_has_sum(options)) {
		return true;
	}
	if (options->by_rank) { /* figures of another tool are refused later */
		return options->compat != RA_COMPAT_NONE ||
		       (count > 0 && !options->has_groups && options->settings.steps == NULL);
	}
	/* For several files, "all" means the reports that read several files, as before summaries
	 * existed. */
	if (options->compat != RA_COMPAT_NONE || count == 0 || is_all(options)) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (reports[i]->summary != NULL) { /* only summaries have this report */
			return true;
		}
	}
	return has_several(options);
}

/* Finds the first option that has filled a setting; NULL: none. */
static const char *find_setting(const struct ra_settings *settings)
{
	const struct ra_cmd_option_setting *row = ra_cmd_option_settings;

	while (row->id != 0 && !ra_settings_is_given(settings, row->at, row->kind)) {
		row++;
	}
	return row->name;
}

/* Finds the first option that affects how files are read, or figures that only files have; NULL:
 * none. */
static const char *find_option(const struct ra_cmd_stats *options)
{
	const struct ra_link_options *link = &options->load.link;
	const struct {
		bool is_given;
		const char *name;
	} all[] = {
		{ options->names.has_form, "names" },
		{ options->names.rename != NULL, "rename" },
		{ options->has_kernel_form, "kernel-name" },
		{ link->with_sequence || link->with_process || link->with_origin || link->with_own,
		  "attribute" },
		{ options->load.captures != NULL, "graph-capture" },
		{ options->load.with_python, "python" },
		{ options->has_settings, "set" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].is_given) {
			return all[i].name;
		}
	}
	return find_setting(&options->settings);
}

static int check_reading(const struct ra_cmd_stats *options)
{
	const struct ra_cmd_sums sums = { .option = find_option(options) };
	struct ra_batch_inputs inputs = { 0 };
	int code;

	for (size_t i = 0; i < options->file_count; i++) {
		(void) ra_batch_inputs_add(&inputs, options->files[i], NULL, NULL);
	}
	code = ra_cmd_sums_check(&sums, &inputs);
	ra_batch_inputs_fini(&inputs);
	return code;
}

/* Refuses options for which a summary has no figures. */
static int check_options(const struct ra_cmd_stats *options)
{
	if (options->compat != RA_COMPAT_NONE) {
		return ra_cmd_usage("--compat: summaries do not contain another tool's figures");
	}
	if (options->has_groups || options->settings.steps != NULL) {
		return ra_cmd_usage(
			"%s works neither with summaries nor with several files of this report",
			options->has_groups ? "--group-by" : "--steps");
	}
	if (options->form == &ra_cmd_stats_torch) {
		return ra_cmd_usage("--format torch takes the report key_averages, alone");
	}
	if (options->form == &ra_cmd_stats_openmetrics &&
	    (options->report_names != NULL || options->prefix != NULL)) {
		return ra_cmd_usage("--format openmetrics writes all metrics to standard output; "
		                    "it takes no report and no -o");
	}
	return options->file_count == 0 ? ra_cmd_usage("no file given") : check_reading(options);
}

/* Writes a file for each report. Return: an exit code. */
static int save_reports(const struct ra_cmd_stats *options, const struct ra_sum_set *set,
                        const struct ra_sum_report_options *all)
{
	int code = 0;

	for (size_t i = 0; i < all->report_count && code == 0; i++) {
		struct ra_sum_report_options one = *all;
		struct ra_util_text text = { 0 };

		one.reports = all->reports + i;
		one.report_count = 1;
		ra_sum_report_put(&text, set, &one);
		code = ra_cmd_stats_save(options, one.reports[0]->name, &text);
		ra_util_text_free(&text);
	}
	return code;
}

/* The data for an answer within a budget. */
struct brief {
	const struct ra_sum_set *set;
	const struct ra_sum_report_options *options;
};

/* Writes the answer in one size (ra_table_budget_put). */
static void put_brief(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	const struct brief *brief = context;
	const struct ra_sum_report_options *all = brief->options;
	struct ra_sum_report_options some = *all;

	some.is_ranked = true;
	some.report_count = tables;
	some.query.limit =
		all->query.limit > 0 && all->query.limit < rows ? all->query.limit : rows;
	ra_sum_report_put(text, brief->set, &some);
	for (size_t i = tables; i < all->report_count; i++) {
		ra_util_text_format(text, "%s%s", i == tables ? "left out for --brief: " : ", ",
		                    all->reports[i]->name);
	}
	ra_util_text_put(text, "\n", tables < all->report_count);
}

static int print(const struct ra_cmd_stats *options, const struct ra_sum_set *set,
                 const struct ra_sum_report *const *reports, size_t count)
{
	const struct ra_sum_report_options report_options = {
		.reports = reports,
		.report_count = count,
		.query = options->query,
		.form = options->form,
		.width = options->width,
	};
	const bool has_foot = options->form->frame != RA_TABLE_FRAME_ROWS;
	const struct brief brief = { set, &report_options };
	struct ra_util_text text = { .out = options->brief > 0 ? NULL : stdout };
	struct ra_util_text foot = { 0 };
	int code = 0;

	if (options->form == &ra_cmd_stats_openmetrics) {
		ra_sum_metrics_put(&text, set);
	} else if (options->prefix != NULL) {
		code = save_reports(options, set, &report_options);
	} else if (options->brief > 0) {
		ra_table_budget_fit(&text, options->brief, count, put_brief, &brief);
	} else {
		ra_sum_report_put(&text, set, &report_options);
	}
	const bool is_written = code == 0 && ra_util_text_write(&text, stdout) == 0;

	fflush(stdout);
	if (is_written && !has_foot) {
		ra_sum_set_put_footer(&foot, set, "analyzer: ");
		ra_cmd_messages_put_lines(&foot);
	}
	ra_util_text_free(&text);
	ra_util_text_free(&foot);
	return code;
}

static bool is_incomplete(const struct ra_sum_set *set)
{
	for (size_t i = 0; i < set->source_count; i++) {
		if (set->sources[i].state == RA_SUM_INCOMPLETE) {
			return true;
		}
	}
	return false;
}

/* Writes the answer from the files that could be read, and with --strict checks that they are
 * complete. */
static int answer_file(const struct ra_cmd_stats *options, struct ra_sum_file *file,
                       ra_cmd_stats_answer *answer, void *context)
{
	struct ra_sum_set set = { .by_part = options->by_rank };
	int code;

	ra_cmd_sums_order(file);
	if (ra_sum_set_add_file(&set, file) != 0) {
		fputs("analyzer: summaries: damaged, or not enough memory\n", stderr);
		code = RA_CMD_UNREADABLE;
	} else {
		code = answer(context, options, &set);
		if (code == 0 && options->strict && is_incomplete(&set)) {
			code = RA_CMD_INCOMPLETE;
		}
	}
	ra_sum_set_fini(&set);
	return code;
}

/* Checks --sort: at least one of the reports must have the key. It may be a report of the other
 * kind. */
static int check_sort(const struct ra_cmd_stats *options,
                      const struct ra_sum_report *const *reports, size_t count)
{
	bool is_descending;

	for (size_t i = 0; i < count && options->query.sort != NULL; i++) {
		if (ra_query_find_sort(options->query.sort, reports[i]->columns,
		                       reports[i]->column_count,
		                       &is_descending) < reports[i]->column_count) {
			return 0;
		}
	}
	if (options->query.sort == NULL || ra_cmd_stats_can_sort(options, options->other_names)) {
		return 0;
	}
	fprintf(stderr, "analyzer: --sort: no chosen report has a column \"%s\"\n",
	        options->query.sort);
	for (size_t i = 0; i < count; i++) {
		fprintf(stderr, "analyzer: the report %s has", reports[i]->name);
		for (size_t c = 0; c < reports[i]->column_count; c++) {
			fprintf(stderr, "%s %s", c == 0 ? "" : ",", reports[i]->columns[c].key);
		}
		fputc('\n', stderr);
	}
	return RA_CMD_USAGE;
}

int ra_cmd_stats_check_sums(const struct ra_cmd_stats *options)
{
	const struct ra_sum_report *reports[REPORTS];
	const int code = check_options(options);
	size_t count;

	if (code != 0) {
		return code;
	}
	count = find_reports(options->report_names, reports);
	if (count > 0) {
		return check_sort(options, reports, count);
	}
	return ra_cmd_usage("--report: summaries have only ranks, overview, ranges, kernels, "
	                    "memcpy, api and environment");
}

int ra_cmd_stats_answer_sums(const struct ra_cmd_stats *options, ra_cmd_stats_answer *answer,
                             void *context)
{
	struct ra_cmd_sums sums = { .batch = { .load = options->load,
		                               .names = options->names.labels,
		                               .step_range = options->settings.step_range,
		                               .words = "",
		                               .without_paths = true },
		                    .workers = options->workers };
	struct ra_batch_inputs inputs = { 0 };
	struct ra_sum_file file = { 0 };
	int code = ra_cmd_sums_collect(&inputs, options->files, options->file_count, NULL);

	if (code == 0) {
		code = ra_cmd_sums_read(&file, &inputs, &sums);
	}
	if (file.count > 0) {
		const int answered = answer_file(options, &file, answer, context);

		code = answered != 0 ? answered : code;
	}
	ra_sum_file_fini(&file);
	ra_batch_inputs_fini(&inputs);
	return code;
}

/* Writes the reports (ra_cmd_stats_answer). */
static int print_reports(void *context, const struct ra_cmd_stats *options,
                         const struct ra_sum_set *set)
{
	const struct ra_sum_report *reports[REPORTS];
	const size_t count = find_reports(options->report_names, reports);

	(void) context;
	if (options->prefix == NULL) {
		ra_cmd_screen_page();
	}
	return print(options, set, reports, count);
}

int ra_cmd_stats_run_sums(const struct ra_cmd_stats *options)
{
	return ra_cmd_stats_answer_sums(options, print_reports, NULL);
}
