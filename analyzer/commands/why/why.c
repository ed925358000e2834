/* SPDX-License-Identifier: MIT */
/* analyzer why FILE: says where the time went and why, in one paragraph and the tables that prove
 * it. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/commands/shared/brief.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/rules.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/commands/why/why-alone.h"
#include "analyzer/commands/why/why-ranks.h"
#include "analyzer/commands/why/why-text.h"
#include "analyzer/advice/advice.h"
#include "analyzer/footer/footer-lacks.h"
#include "analyzer/footer/footer.h"
#include "analyzer/read-log/ranges/open-ranges.h"
#include "analyzer/table/table-budget.h"
#include "analyzer/table/table-wrap.h"

#define ROWS 8 /* most rows of a table, without --brief */

/* Appends a line for each question about ranks, waits and collectives that the trace leaves
 * open. */
static void put_lacks(struct ra_util_text *text, const struct ra_model *model)
{
	struct ra_footer_lack lacks[RA_FOOTER_LACKS];
	const size_t count = ra_footer_lacks_find(model, 1, lacks);

	for (size_t i = 0; i < count; i++) {
		ra_util_text_format(text, "lacks: ");
		if (lacks[i].count > 0) {
			ra_util_text_format(text, "%llu ", (unsigned long long) lacks[i].count);
		}
		ra_util_text_format(text, "%s\n", lacks[i].text.bytes);
		ra_util_text_free(&lacks[i].text);
	}
}

/* Appends the figures, losses and doubts that other reports also print below their tables. */
static void put_foot(struct ra_util_text *text, const struct ra_cmd_stats *options,
                     const struct ra_why *why)
{
	const struct ra_report_input *input = why->input;

	ra_util_text_put_char(text, '\n');
	if (why->advice.row_count > 1) {
		ra_util_text_format(text, "%s\n", ra_advice_overlap);
	}
	ra_labels_put_note(text, input->labels);
	ra_report_steps_put_note(text, input);
	ra_open_ranges_put_text(text, input->model);
	ra_cmd_stats_put_steps(text, options, 0, "");
	ra_footer_put_text(text, input->model, "");
	put_lacks(text, input->model);
}

/* The data for an answer. */
struct answer {
	struct ra_why *why;
	const struct ra_cmd_stats *options;
};

/* Writes the answer in one size (ra_table_budget_put). */
static void put_answer(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	const struct answer *answer = context;
	struct ra_why *why = answer->why;
	size_t start;

	why->rows = rows;
	why->tables = tables;
	ra_why_put_paragraph(text, why);
	ra_table_wrap_from(text, 0, why->width);
	ra_why_put_tables(text, why);
	start = text->length;
	put_foot(text, answer->options, why);
	ra_table_wrap_from(text, start, why->width);
}

/* Writes one JSON object: the paragraph, the tables, and the footer as in `stats`. */
static void put_json(struct ra_util_text *text, const struct ra_cmd_stats *options,
                     struct ra_why *why)
{
	const struct ra_model *model = why->input->model;
	const struct rlog_string path = ra_util_string(options->files[0]);
	struct ra_util_text paragraph = { 0 };

	ra_why_put_paragraph(&paragraph, why);
	ra_util_text_format(text, "{\"input\":\"");
	ra_util_text_put_name(text, path, RA_TEXT_JSON);
	ra_util_text_format(text, "\",\n\"why\":\"");
	ra_util_text_put_name(
		text, (struct rlog_string){ paragraph.bytes, (uint32_t) paragraph.length - 1, 0 },
		RA_TEXT_JSON);
	ra_util_text_format(text, "\",\n\"tables\":[");
	why->rows = SIZE_MAX;
	why->tables = RA_WHY_TABLES;
	ra_why_put_tables(text, why);
	ra_util_text_format(text, "],\n\"footer\":{");
	ra_report_put_figures_json(text, why->input);
	ra_cmd_stats_put_steps_json(text, options, 0);
	ra_footer_put_json_members(text, model);
	ra_util_text_format(text, "}}\n");
	ra_util_text_free(&paragraph);
}

static void print_answer(const struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs,
                         const struct ra_why_warmup *warmup)
{
	struct ra_labels labels;
	struct ra_labels kernels;
	struct ra_report_input input = {
		.model = inputs->models[0],
		.models = inputs->models,
		.ranks = inputs->ranks,
		.model_count = 1,
		.selects = options->selects,
		.settings = &options->settings,
		.group_by = RA_GROUP_BY_NAME,
		.labels = &labels,
		.kernels = &kernels,
		.merges_numbers = true,
		.within_steps = true,
	};
	struct ra_why why = { .is_json = options->form == &ra_table_forms_json,
		              .width = options->width, /* the block character of bars has three
		                                          bytes */
		              .has_bars = options->width > 0 && ra_cmd_screen_width() > 0 &&
		                          options->brief == 0,
		              .warmup = *warmup };
	struct ra_util_text text = { .has_styles = ra_cmd_screen_has_color() };
	const struct answer answer = { &why, options };

	ra_labels_init(&labels, input.model, &options->names.labels);
	ra_labels_init(&kernels, input.model, &options->kernels);
	ra_why_init(&why, &input);
	if (why.is_json) {
		put_json(&text, options, &why);
	} else if (options->brief > 0) {
		ra_table_budget_fit(&text, options->brief, RA_WHY_TABLES, put_answer, &answer);
	} else {
		put_answer(&text, ROWS, RA_WHY_TABLES, &answer);
	}
	(void) ra_util_text_write(&text, stdout); /* main() checks whether stdout was written */
	ra_util_text_free(&text);
	ra_why_fini(&why);
	ra_report_fini_input(&input);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
}

/* Checks the requested steps, and prints the answer. */
static int answer_model(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs)
{
	const struct ra_steps_options chosen = { options->settings.step_range,
		                                 options->settings.steps };
	struct ra_why_warmup warmup = { 0 };
	int code = 0;

	if (chosen.only != NULL) {
		code = ra_cmd_stats_check_model(&chosen, inputs->models[0]);
	}
	if (code == 0) {
		ra_cmd_stats_tell_whole(chosen.range, inputs->models[0], inputs->paths[0]);
		if (chosen.only == NULL &&
		    ra_why_warmup_find(&warmup, inputs->models[0], chosen.range)) {
			options->settings.steps = warmup.only;
		}
		ra_cmd_stats_select(options, inputs);
		ra_cmd_screen_page();
		print_answer(options, inputs, &warmup);
		options->settings.steps = chosen.only;
		ra_cmd_stats_free_selects(options);
		fflush(stdout); /* errors come after the results */
		(void) ra_cmd_print_lacks(inputs->paths[0], inputs->models[0]);
		if (options->form == &ra_table_forms_json) {
			ra_cmd_print_unmatched(inputs->paths[0], inputs->models[0]);
		}
	}
	return code;
}

static int answer(struct ra_cmd_stats *options, struct ra_cmd_inputs *inputs)
{
	int code;

	if (ra_cmd_stats_has_sum(options)) {
		return options->form == &ra_table_forms_json || options->settings.steps != NULL
		               ? ra_cmd_usage(
					 "--format json and --step are of logs and traces, not "
					 "of summaries")
		               : ra_why_alone(options, true);
	}
	code = ra_cmd_inputs_init(inputs, options->files, options->file_count);
	if (code == 0) {
		code = ra_cmd_inputs_load(inputs, &options->load);
	}
	if (code == 0 && inputs->count > 1) {
		return ra_why_ranks(options, inputs);
	}
	if (code == 0) {
		code = answer_model(options, inputs);
	}
	return code == 0 && options->strict && ra_footer_is_incomplete(inputs->models[0])
	               ? RA_CMD_INCOMPLETE
	               : code;
}

static int take_option(struct ra_cmd_stats *options, int option, const char *value)
{
	static const char *const forms[] = { "table", "json", NULL };
	const char *wrong;
	int choice;

	switch (option) {
	case 'Q':
		options->settings.steps = value;
		wrong = ra_steps_check_only(value);
		return wrong == NULL ? 0 : ra_cmd_usage("--step: \"%s\" is not %s", value, wrong);
	case 'T':
		options->settings.step_range = value;
		return 0;
	case 'A':
		return ra_cmd_rules_take(&options->load.link, value);
	case 'G':
		return ra_cmd_rules_take_captures(&options->load.captures, value);
	case 'f':
		choice = ra_cmd_choose("--format", value, forms);
		options->form = choice == 1 ? &ra_table_forms_json : &ra_table_forms_text;
		return choice < 0 ? RA_CMD_USAGE : 0;
	case 'b':
		return ra_cmd_brief_take(value, &options->brief);
	case 'w':
		return ra_cmd_take_size("--width", value, &options->width);
	case 'j':
		return ra_cmd_sums_take_jobs(&options->workers, value);
	case 'S':
		options->strict = true;
		return 0;
	default:
		return RA_CMD_USAGE;
	}
}

static int run(int argc, char **argv)
{
	struct ra_cmd_stats options = {
		.form = &ra_table_forms_text,
		.width = ra_cmd_screen_text_width(),
		.names = { .labels = { .merges_numbers = true } },
		.load = { .few_args = true },
	};
	struct ra_cmd_inputs inputs = { 0 };
	int option;
	int code = 0;

	ra_settings_init(&options.settings);
	while (code == 0 && (option = ra_cmd_options_next("why", argc, argv)) != -1) {
		code = take_option(&options, option, optarg);
	}
	if (code == 0 && optind == argc) {
		code = ra_cmd_usage("no file given");
	}
	if (code != 0) {
		return code;
	}
	options.kernels = (struct ra_labels_options){
		.is_kernels = true,
		.kernel_form = options.width > 0 && options.form == &ra_table_forms_text
		                       ? RA_KERNEL_SHORT
		                       : RA_KERNEL_FULL,
	};
	options.files = argv + optind;
	options.file_count = (size_t) (argc - optind);
	options.load.few_rows = options.settings.steps == NULL;
	code = answer(&options, &inputs);
	ra_cmd_inputs_fini(&inputs);
	return code;
}

const struct ra_cmd cmd_why = {
	.name = "why",
	.synopsis = "why FILE... [options]",
	.summary = "Say where the time went and why, with tables as evidence",
	.notes =
		"Prints one paragraph: how long a step takes, what its time goes to, how busy the "
		"GPU\n"
		"is, what costs most, where, and what to do. The tables behind it follow, each "
		"with\n"
		"the report's name in brackets, then what the file lacks. `analyzer stats --list` "
		"has\n"
		"more questions. Steps at the begin that only warm up are left out, unless --step\n"
		"chooses them. Of several FILEs, or a folder of them, the ranks of a run: which\n"
		"ranks are slow, by how much and where, and which are only late from the start;\n"
		"without collectives, and of summaries, which rank is slow in which range.\n",
	.run = run,
};
