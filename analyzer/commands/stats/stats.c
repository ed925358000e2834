/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE: chosen reports, as tables for people or programs. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/commands/shared/brief.h"
#include "analyzer/commands/shared/rules.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/reports/reports.h"
#include "analyzer/commands/stats/report-help.h"
#include "analyzer/commands/stats/report-list.h"
#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/footer/footer.h"
#include "analyzer/report/report-steps.h"
#include "analyzer/model/walk.h"
#include "analyzer/report/report-stream.h"
#include "analyzer/steps/step-window.h"
#include "analyzer/steps/steps.h"

#define MOST_FORMS 16

/* If a log has more ranges than this, the text does not say how a step's parts differ from those of
 * other steps. */
#define MOST_EVENTS 4000000

/* Reads the name of a form. Return: 0, RA_CMD_USAGE. */
static int choose_form(struct ra_cmd_stats *options, const char *name)
{
	const struct ra_table_form *forms[MOST_FORMS];
	const char *words[MOST_FORMS + 1] = { NULL };
	size_t count = 0;
	int choice;

	for (; ra_table_forms_all[count] != NULL && count + 2 < MOST_FORMS; count++) {
		forms[count] = ra_table_forms_all[count];
	}
	forms[count++] = &ra_cmd_stats_torch;
	forms[count++] = &ra_cmd_stats_openmetrics;
	for (size_t i = 0; i < count; i++) {
		words[i] = forms[i]->name;
	}
	choice = ra_cmd_choose("--format", name, words);
	if (choice < 0) {
		return RA_CMD_USAGE;
	}
	options->form = forms[choice];
	return 0;
}

/* Reads a list such as "category,name". Return: 0, RA_CMD_USAGE. */
static int choose_groupings(struct ra_cmd_stats *options, const char *words)
{
	const char *word = words;
	unsigned named = 0;

	options->query.group_by = RA_GROUP_BY_DOMAIN;
	options->has_groups = true;
	for (;;) {
		const size_t length = strcspn(word, ",");
		const int choice =
			ra_cmd_choose_part("--group-by", word, length, ra_query_groupings);

		if (choice < 0) {
			return RA_CMD_USAGE;
		}
		if ((named >> choice & 1) != 0) {
			return ra_cmd_usage("--group-by: \"%s\" is named twice",
			                    ra_query_groupings[choice]);
		}
		named |= 1u << choice;
		options->query.group_by |= ra_query_grouping((size_t) choice);
		if (word[length] == '\0') {
			return 0;
		}
		word += length + 1;
	}
}

/* Lists the valid keys. */
static int refuse_sort(const struct ra_cmd_stats *options)
{
	fprintf(stderr, "analyzer: --sort: no chosen report has a column \"%s\"\n",
	        options->query.sort);
	for (size_t i = 0; i < options->report_count; i++) {
		const struct ra_report *report = options->reports[i];

		fprintf(stderr, "analyzer: the report %s has", report->name);
		for (size_t c = 0; c < report->column_count; c++) {
			fprintf(stderr, "%s %s", c == 0 ? "" : ",", report->columns[c].key);
		}
		fputc('\n', stderr);
	}
	return RA_CMD_USAGE;
}

/* Checks --sort: at least one of the reports must have the key. */
static int check_sort(const struct ra_cmd_stats *options)
{
	static const struct ra_table_column rank = { .key = "rank" }; /* the column that --by rank
	                                                                 adds */
	bool is_descending;

	if (options->query.sort == NULL ||
	    (options->by_rank &&
	     ra_query_find_sort(options->query.sort, &rank, 1, &is_descending) == 0)) {
		return 0;
	}
	for (size_t i = 0; i < options->report_count; i++) {
		const struct ra_report *report = options->reports[i];

		if (ra_query_find_sort(options->query.sort, report->columns, report->column_count,
		                       &is_descending) < report->column_count) {
			return 0;
		}
	}
	return ra_cmd_stats_can_sort(options, options->other_names) ? 0 : refuse_sort(options);
}

/* Reads the value of --set. Return: 0, RA_CMD_USAGE. */
static int set_option(struct ra_cmd_stats *options, const char *value)
{
	const char *wrong = ra_settings_take(&options->settings, value);

	options->has_settings = true;
	return wrong == NULL ? 0 : ra_cmd_usage("--set: %s: %s", value, wrong);
}

/* Reads the value of --steps. Return: 0, RA_CMD_USAGE. */
static int take_steps(struct ra_cmd_stats *options, const char *value)
{
	const char *wrong = ra_steps_check_only(value);

	options->settings.steps = value;
	return wrong == NULL ? 0 : ra_cmd_usage("--steps: \"%s\" is not %s", value, wrong);
}

/* Handles an option that only fills a setting. Return: 0, RA_CMD_USAGE. */
static int take_setting(struct ra_cmd_stats *options, int option, const char *value)
{
	const struct ra_cmd_option_setting *row = ra_cmd_options_find_setting(option);
	const char *wrong;

	if (row == NULL) {
		return RA_CMD_USAGE;
	}
	wrong = ra_settings_put(&options->settings, row->at, row->kind, value);
	return wrong == NULL ? 0 : ra_cmd_usage("--%s: %s", row->name, wrong);
}

static int take_option(struct ra_cmd_stats *options, int option, const char *value)
{
	int choice;

	switch (option) {
	case 'r':
		options->report_names = value;
		return 0;
	case 'c':
		choice = ra_cmd_choose("--compat", value, ra_compat_words);
		options->compat = (enum ra_compat) choice;
		return choice < 0 ? RA_CMD_USAGE : 0;
	case 'f':
		return choose_form(options, value);
	case 'o':
		return ra_cmd_take_output(&options->prefix, value);
	case 'J':
		options->form = &ra_table_forms_json;
		return 0;
	case 'L':
		options->has_list = true;
		return 0;
	case 'g':
		return choose_groupings(options, value);
	case 'n':
		return ra_cmd_names_take_form(&options->names, value);
	case 'k':
		choice = ra_cmd_choose("--kernel-name", value, ra_kernel_name_words);
		options->kernels.kernel_form = (enum ra_kernel_form) choice;
		options->has_kernel_form = true;
		return choice < 0 ? RA_CMD_USAGE : 0;
	case 'R':
		return ra_cmd_names_take_rename(&options->names, value);
	case 'A':
		return ra_cmd_rules_take(&options->load.link, value);
	case 'G':
		return ra_cmd_rules_take_captures(&options->load.captures, value);
	case 's':
		options->query.sort = value;
		return 0;
	case 'l':
		return ra_cmd_take_size("--limit", value, &options->query.limit);
	case 'w':
		return ra_cmd_take_size("--width", value, &options->width);
	case 'b':
		return ra_cmd_brief_take(value, &options->brief);
	case 'O':
		return set_option(options, value);
	case 'Q':
		return take_steps(options, value);
	case 'P':
		options->load.with_python = true;
		return 0;
	case 'j':
		return ra_cmd_sums_take_jobs(&options->workers, value);
	case 'S':
		options->strict = true;
		return 0;
	case 'B':
		options->by_rank = true;
		return strcmp(value, "rank") == 0
		               ? 0
		               : ra_cmd_usage("--by: expected rank, found \"%s\"", value);
	default:
		return take_setting(options, option, value);
	}
}

/* Checks the form: the form torch takes only one table. */
static int check_form(const struct ra_cmd_stats *options)
{
	for (size_t i = 0; i < options->report_count && options->form == &ra_cmd_stats_torch; i++) {
		if (options->reports[i]->put_torch == NULL || options->report_count > 1) {
			return ra_cmd_usage("--format torch takes the report key_averages, alone");
		}
	}
	return 0;
}

static int parse_options(struct ra_cmd_stats *options, int argc, char **argv)
{
	int option;

	options->query.group_by = RA_GROUP_BY_NAME;
	ra_settings_init(&options->settings);
	while ((option = ra_cmd_options_next("stats", argc, argv)) != -1) {
		const int code = take_option(options, option, optarg);

		if (code != 0) {
			return code;
		}
	}
	options->files = argv + optind;
	options->file_count = (size_t) (argc - optind);
	if (!options->has_kernel_form && options->form->is_wrapped && options->width > 0) {
		options->kernels.kernel_form = RA_KERNEL_SHORT; /* a table for users has short names
		                                                   of kernels */
	}
	options->names.labels.with_shapes = (options->query.group_by & RA_GROUP_BY_SHAPE) != 0;
	return 0;
}

/* Checks the reports. Return: 0, RA_CMD_USAGE. */
static int check_reports(struct ra_cmd_stats *options)
{
	options->is_of_sums = ra_cmd_stats_wants_sums(options);
	if (options->is_of_sums) {
		return ra_cmd_stats_check_sums(options);
	}
	if (ra_cmd_stats_choose_reports(options) != 0 || check_form(options) != 0 ||
	    (options->by_rank && ra_cmd_stats_check_ranks(options) != 0)) {
		return RA_CMD_USAGE;
	}
	return check_sort(options) != 0 ? RA_CMD_USAGE : ra_cmd_stats_check_groups(options);
}

/* Sets up a stream that takes the ranges, so that they are not held in memory if no report needs
 * that. */
static void begin_stream(struct ra_cmd_stats *options, size_t inputs)
{
	if (inputs == 1 && options->compat == RA_COMPAT_NONE) {
		options->stream = ra_report_stream_create(options->reports, options->report_count,
		                                          &options->query, &options->settings,
		                                          &options->names.labels);
	}
	if (options->stream != NULL) {
		options->load.sink = ra_range_stream_borrow_sink(options->stream);
	}
	options->load.walk_least = RA_WALK_LEAST_EVENTS;
	options->load.walks =
		options->stream == NULL && inputs == 1 && options->compat == RA_COMPAT_NONE &&
		ra_report_stream_can_walk(options->reports, options->report_count, &options->query,
	                                  &options->settings, &options->names.labels);
}

/* True if no report needs the ranges of other steps. Not if numbers in names are merged, because
 * that depends on the names of all ranges. */
static bool is_of_few(const struct ra_cmd_stats *options, size_t inputs)
{
	bool is = inputs == 1 && options->compat == RA_COMPAT_NONE &&
	          !options->names.labels.merges_numbers && options->settings.steps != NULL;

	for (size_t i = 0; i < options->report_count && is; i++) {
		is = options->reports[i]->needs != RA_REPORT_NEEDS_ALL;
	}
	return is;
}

/* Makes the reader leave out the ranges of other steps if no report needs them. Text for users
 * needs them to compare the steps, unless there are very many ranges. */
static void begin_steps(struct ra_cmd_stats *options, size_t inputs)
{
	const bool is_text = options->form->frame == RA_TABLE_FRAME_TITLES;

	options->chosen =
		(struct ra_steps_options){ options->settings.step_range, options->settings.steps };
	ra_step_window_init(&options->steps, &options->chosen, is_text ? MOST_EVENTS : 0);
	options->load.steps = is_of_few(options, inputs) ? &options->steps : NULL;
}

static int make_stats(struct ra_cmd_stats *options, struct ra_cmd_inputs *inputs)
{
	int code = ra_cmd_inputs_init(inputs, options->files, options->file_count);

	if (code == 0) {
		code = ra_cmd_stats_check_count(options, inputs->count);
	}
	/* With --steps, steps are found in the model, which then needs all rows. */
	options->load.few_args = true;
	options->load.few_rows =
		options->compat == RA_COMPAT_NONE && options->settings.steps == NULL;
	options->load.rows_only = options->compat != RA_COMPAT_NONE &&
	                          options->settings.steps == NULL &&
	                          options->settings.step_range == NULL;
	/* Figures of other tools are made from the file's own rows. */
	options->load.link.with_origin &= options->compat == RA_COMPAT_NONE;
	if (code == 0) {
		begin_stream(options, inputs->count);
		begin_steps(options, inputs->count);
		code = ra_cmd_inputs_load(inputs, &options->load);
	}
	if (code == 0) {
		code = ra_cmd_stats_check_inputs(options, inputs);
	}
	if (code != 0) {
		return code;
	}
	ra_cmd_stats_select(options, inputs);
	options->model = inputs->models[0];
	ra_cmd_stats_add_related(options, options->model);
	if (options->prefix == NULL) {
		ra_cmd_screen_page();
	}
	code = ra_cmd_stats_print(options, inputs);
	fflush(stdout); /* errors come after the results; main() handles errors of stdout */
	for (size_t i = 0; i < inputs->count; i++) {
		(void) ra_cmd_print_lacks(inputs->paths[i], inputs->models[i]);
		if (options->form->frame == RA_TABLE_FRAME_JSON) {
			ra_cmd_print_unmatched(inputs->paths[i], inputs->models[i]);
		}
		if (code == 0 && options->strict && ra_footer_is_incomplete(inputs->models[i])) {
			code = RA_CMD_INCOMPLETE;
		}
	}
	return code;
}

/* Makes reports of one kind: from summaries, or from the files. */
static int run_kind(struct ra_cmd_stats *options)
{
	struct ra_cmd_inputs inputs = { 0 };
	const int code = options->is_of_sums ? ra_cmd_stats_run_sums(options)
	                 : options->by_rank  ? ra_cmd_stats_run_ranks(options)
	                                     : make_stats(options, &inputs);

	ra_cmd_stats_free_selects(options);
	ra_range_stream_destroy(options->stream);
	options->stream = NULL;
	options->load.sink = NULL;
	options->load.walks = false;
	ra_cmd_inputs_fini(&inputs);
	return code;
}

static int run_stats(int argc, char **argv)
{
	struct ra_cmd_stats options = { .form = &ra_table_forms_text,
		                        .width = ra_cmd_screen_text_width(),
		                        .kernels = { .is_kernels = true } };
	int code = parse_options(&options, argc, argv);

	if (code == 0 && options.has_list && options.file_count > 0) {
		code = ra_cmd_usage("--list takes no \"%s\"; `analyzer stats --help REPORT` "
		                    "explains one report",
		                    options.files[0]);
	} else if (code == 0 && options.has_list) {
		ra_report_help_print_list(options.compat, options.brief > 0);
	} else if (code == 0) {
		code = ra_cmd_stats_run_mixed(&options, check_reports, run_kind);
	}
	ra_cmd_names_free(&options.names);
	return code;
}

const struct ra_cmd cmd_stats = {
	.name = "stats",
	.synopsis = "stats FILE... [--report NAME,...] [options]\n"
		    "stats --list | --help REPORT",
	.summary = "Print chosen reports as tables",
	.notes = "With several FILEs, a folder or summaries, the reports ranks, overview, ranges,\n"
		 "kernels, memcpy and api cover all of them: sums, quantiles (within 0.4 %), and "
		 "over\n"
		 "the ranks the smallest, mean, quantiles and largest, with the rank of the "
		 "largest.\n"
		 "environment prints what they say about their machines.\n"
		 "Several FILEs, or a folder, are the ranks of one run for the reports about "
		 "ranks,\n"
		 "comm, idle and launch, all reports of --compat=hta, and comm and comm-steps of\n"
		 "--compat=tb. Both kinds can be named together; all others need --by rank.\n"
		 "Tables end with what the log lacks; CSV and TSV say so on standard error.\n"
		 "In csv, tsv and json times are ns and shares are fractions of 1.\n"
		 "CPU times are wall-clock times of the thread between push and pop.\n",
	.run = run_stats,
};
