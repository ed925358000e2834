/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE: prints the tables and the footer. */
#include "analyzer/commands/stats/stats-parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/commands/shared/messages.h"
#include "analyzer/commands/shared/progress.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/io/outfile.h"
#include "analyzer/footer/footer.h"
#include "analyzer/figures/ranges/range-stream.h"
#include "analyzer/report/report-none.h"
#include "analyzer/reports/reports.h"
#include "analyzer/table/table-budget.h"
#include "analyzer/table/layout/table-rank.h"
#include "analyzer/table/table-wrap.h"

const struct ra_table_form ra_cmd_stats_torch = {
	.name = "torch",
	.suffix = "txt",
	.frame = RA_TABLE_FRAME_ROWS,
};

const struct ra_table_form ra_cmd_stats_openmetrics = {
	.name = "openmetrics",
	.suffix = "txt",
	.frame = RA_TABLE_FRAME_ROWS,
};

void ra_cmd_stats_put_table(struct ra_util_text *text, const struct ra_cmd_stats *options,
                            const struct ra_report *report, const struct ra_table *table)
{
	const struct ra_table_form *form = options->form;
	const bool is_alone = options->report_count == 1 || options->prefix != NULL;
	const bool is_first = is_alone || report == options->reports[0];
	const size_t start = text->length;
	const bool is_none = report->none != NULL && table->row_count + table->cut_count == 0;

	switch (form->frame) {
	case RA_TABLE_FRAME_TITLES:
		if (!is_alone) {
			ra_util_text_put(text, "\n", is_first ? 0 : 1);
			ra_util_text_style(text, RA_STYLE_TITLE);
			ra_util_text_format(text, "%s%s", form->title_mark, report->title);
			ra_util_text_style(text, RA_STYLE_NONE);
			ra_util_text_format(text, "\n\n");
		}
		if (is_none) {
			ra_report_none_put(text, report, options->model);
		} else if (report->put_text != NULL && form->is_wrapped && !options->by_rank) {
			report->put_text(table, text);
		} else {
			form->put(text, table, options->width);
			return; /* the table is as wide as it must be */
		}
		if (form->is_wrapped) {
			ra_table_wrap_from(text, start, options->width);
		}
		break;
	case RA_TABLE_FRAME_ROWS:
		ra_util_text_put(text, "\n", is_first || form->is_one ? 0 : 1);
		form->put(text, table, options->width);
		break;
	case RA_TABLE_FRAME_JSON:
		ra_util_text_format(text, "%s\"%s\":", is_first ? "" : ",\n", report->name);
		form->put(text, table, options->width);
		break;
	}
}

/* Writes "input" as a text if there is one file; if there are several, "inputs" as an array. */
void ra_cmd_stats_put_head(struct ra_util_text *text, const struct ra_cmd_stats *options,
                           char *const *paths, size_t count, bool has_several)
{
	if (options->form->frame != RA_TABLE_FRAME_JSON) {
		return;
	}
	ra_util_text_format(text, has_several ? "{\"inputs\":[" : "{\"input\":");
	for (size_t i = 0; i < count; i++) {
		const struct rlog_string path = { paths[i], (uint32_t) strlen(paths[i]), 0 };

		ra_util_text_format(text, i == 0 ? "\"" : ",\"");
		ra_util_text_put_name(text, path, RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
	}
	ra_util_text_format(text, "%s,\n\"reports\":{\n", has_several ? "]" : "");
}

static void put_notes(const struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs,
                      size_t file)
{
	const struct ra_model *model = inputs->models[file];
	struct ra_footer_line lines[RA_FOOTER_LINES];
	struct ra_util_text notes = { 0 };

	ra_cmd_stats_put_steps(&notes, options, file, "analyzer: ");
	if (ra_footer_collect(model, lines) > 0) {
		ra_footer_put_text(&notes, model, "analyzer: ");
	}
	ra_cmd_messages_put_lines(&notes);
	ra_util_text_free(&notes);
}

int ra_cmd_stats_save(const struct ra_cmd_stats *options, const char *report,
                      const struct ra_util_text *text)
{
	const size_t length = strlen(options->prefix);
	const bool is_folder = length > 0 && options->prefix[length - 1] == '/';
	struct ra_outfile out;
	char *path = ra_alloc_format("%s%s%s.%s", options->prefix, is_folder ? "" : "_", report,
	                             options->form->suffix);
	int code = ra_outfile_open(&out, path);

	if (code == 0) {
		ra_outbuf_put(&out.buffer, text->bytes, text->length);
		code = ra_outfile_commit(&out);
	}
	if (code != 0) {
		code = ra_cmd_print_unwritten(path, code);
	} else {
		ra_cmd_progress_tell_written(path, NULL);
	}
	free(path);
	return code;
}

/* CSV and TSV have no place for the footer: it goes to stderr, if there is something to say. */
static void put_foot(struct ra_util_text *text, const struct ra_cmd_stats *options,
                     const struct ra_cmd_inputs *inputs, const struct ra_report_input *input,
                     bool is_last)
{
	const bool has_several = inputs->count > 1;
	const size_t start = text->length;

	if (options->form->frame == RA_TABLE_FRAME_JSON) {
		ra_util_text_format(text, has_several ? "},\n\"footers\":[" : "},\n\"footer\":");
	} else if (options->form->frame == RA_TABLE_FRAME_TITLES) {
		ra_util_text_put_char(text, '\n');
		ra_report_put_figures(text, input);
		ra_labels_put_note(text, input->labels);
	}
	if (options->brief > 0 && has_several) {
		ra_cmd_stats_put_feet(text, options, inputs); /* only tables for users have this */
		ra_table_wrap_from(text, start, options->width);
		return;
	}
	for (size_t i = 0; i < inputs->count; i++) {
		switch (options->form->frame) {
		case RA_TABLE_FRAME_JSON:
			ra_util_text_put(text, ",\n", i == 0 ? 0 : 2);
			ra_util_text_put_char(text, '{');
			ra_report_put_figures_json(text, input);
			ra_cmd_stats_put_steps_json(text, options, i);
			ra_footer_put_json_members(text, inputs->models[i]);
			ra_util_text_put_char(text, '}');
			break;
		case RA_TABLE_FRAME_TITLES:
			if (has_several) {
				ra_util_text_format(text, "%s%s:\n", i == 0 ? "" : "\n",
				                    inputs->paths[i]);
			}
			ra_cmd_stats_put_steps(text, options, i, "");
			ra_cmd_stats_put_others(text, options, inputs->models[i]);
			ra_footer_put_text(text, inputs->models[i], "");
			break;
		case RA_TABLE_FRAME_ROWS:
			if (is_last) { /* once for all files */
				put_notes(options, inputs, i);
			}
			break;
		}
	}
	if (options->form->frame == RA_TABLE_FRAME_JSON) {
		ra_util_text_format(text, has_several ? "]}\n" : "}\n");
	} else if (options->form->is_wrapped) {
		ra_table_wrap_from(text, start, options->width);
	}
}

/* Writes one report. The first report also gets the text before all reports, the last one the text
 * after them; a report in its own file gets both. Return: an exit code. */
static int print_report(struct ra_util_text *text, const struct ra_cmd_stats *options,
                        const struct ra_cmd_inputs *inputs, struct ra_report_input *input,
                        size_t index)
{
	const struct ra_report *report = options->reports[index];
	const bool has_file = options->prefix != NULL;
	struct ra_query query = options->query;
	struct ra_table table;
	int code = 0;

	if (options->form == &ra_cmd_stats_torch) {
		query.limit = 0; /* the columns are as wide as all rows need */
	}
	if (has_file || index == 0) {
		ra_cmd_stats_put_head(text, options, inputs->paths, inputs->count,
		                      inputs->count > 1);
	}
	ra_report_make(report, input, &query, &table);
	if (options->form == &ra_cmd_stats_torch) {
		report->put_torch(input, &table, options->query.limit, text);
	} else {
		table.name = report->name;
		ra_cmd_stats_put_table(text, options, report, &table);
	}
	ra_table_fini(&table);
	if (has_file || index + 1 == options->report_count) {
		put_foot(text, options, inputs, input, index + 1 == options->report_count);
	}
	if (has_file) {
		code = ra_cmd_stats_save(options, report->name, text);
		ra_util_text_clear(text);
		input->figure_count = 0; /* the figures and notes of the next file are its own */
		input->note_count = 0;
	}
	return code;
}

/* The data for an answer within a budget. Each table is made once, and shown as far as it fits. */
/* Points of a curve with --brief. With a row for each record, a curve would be cut long before its
 * peak. */
#define BRIEF_POINTS 16
/* If more reports than these are left out, only their number is printed, because all names would
 * take half a kB. */
#define MOST_NAMED 12
static const char curve_note[] =
	"of 8 stretches of a device's time the peak and the end; without --brief all\n";

struct brief {
	const struct ra_cmd_stats *options;
	const struct ra_cmd_inputs *inputs;
	const struct ra_report_input *input;
	const struct ra_table *tables; /* borrowed; one for each report */
	const size_t *notes;           /* for each report: the number of the input's notes after it
	                                  was made */
};

/* Lists the reports from this one on, which have no table. */
static void put_left_out(struct ra_util_text *text, const struct ra_cmd_stats *options,
                         size_t tables)
{
	const char *before = "\nleft out for --brief: ";

	if (options->report_count - tables > MOST_NAMED) {
		ra_util_text_format(text, "%s%zu of %zu reports\n", before,
		                    options->report_count - tables, options->report_count);
		return;
	}
	for (size_t i = tables; i < options->report_count; i++) {
		ra_util_text_format(text, "%s%s", before, options->reports[i]->name);
		before = ", ";
	}
	ra_util_text_put(text, "\n", tables < options->report_count);
}

/* Writes the answer in one size (ra_table_budget_put). No row of the report "footer" is left out,
 * because it lists losses. */
static void put_brief(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	const struct brief *brief = context;
	const struct ra_cmd_stats *options = brief->options;
	struct ra_report_input shown = *brief->input;

	/* Notes explain tables. If a table is left out, so are its notes. */
	shown.note_count = tables > 0 ? brief->notes[tables - 1] : 0;
	for (size_t i = 0; i < options->report_count; i++) {
		const struct ra_report *report = options->reports[i];
		struct ra_table table = brief->tables[i];

		if (i < tables || report == &ra_report_footer) {
			ra_table_cut(&table, report == &ra_report_footer ? SIZE_MAX : rows);
			ra_cmd_stats_put_table(text, options, report, &table);
			ra_util_text_format(text, "%s",
			                    report == &ra_report_memory_curve &&
			                                    options->settings.memory_points == 0 &&
			                                    table.row_count > 0
			                            ? curve_note
			                            : "");
		}
	}
	put_left_out(text, options, tables);
	put_foot(text, options, brief->inputs, &shown, true);
}

/* Writes all reports in options->brief bytes. */
static void print_brief(struct ra_util_text *text, const struct ra_cmd_stats *options,
                        const struct ra_cmd_inputs *inputs, struct ra_report_input *input)
{
	struct ra_table *tables = ra_alloc_zeros(options->report_count + 1, sizeof(*tables));
	size_t *notes = ra_alloc_zeros(options->report_count + 1, sizeof(*notes));
	const struct brief brief = { options, inputs, input, tables, notes };
	struct ra_settings settings = options->settings;

	if (settings.memory_points == 0) {
		settings.memory_points = BRIEF_POINTS;
	}
	input->settings = &settings;
	for (size_t i = 0; i < options->report_count; i++) {
		struct ra_query query = options->query;

		query.limit = options->query.sort != NULL ? query.limit : 0;
		ra_report_make(options->reports[i], input, &query, &tables[i]);
		ra_table_rank(&tables[i], options->query.sort == NULL);
		tables[i].name = options->reports[i]->name;
		notes[i] = input->note_count;
		if (options->query.limit > 0) {
			ra_table_cut(&tables[i], options->query.limit);
		}
	}
	ra_table_budget_fit(text, options->brief, options->report_count, put_brief, &brief);
	for (size_t i = 0; i < options->report_count; i++) {
		ra_table_fini(&tables[i]);
	}
	free(notes);
	free(tables);
	input->settings = &options->settings;
}

int ra_cmd_stats_print(const struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs)
{
	const bool is_streamed = options->stream != NULL && inputs->models[0]->totals != NULL;
	struct ra_labels labels = { 0 };
	struct ra_labels kernels;
	struct ra_report_input input = {
		.model = inputs->models[0],
		.models = inputs->models,
		.stream = is_streamed ? options->stream : NULL,
		.ranks = inputs->ranks,
		.model_count = inputs->count,
		.selects = options->selects,
		.settings = &options->settings,
		.has_finding = options->has_finding,
		.group_by = options->query.group_by,
		.compat = options->compat,
		.labels = is_streamed ? ra_range_stream_borrow_labels(options->stream) : &labels,
		.kernels = &kernels,
		.merges_numbers = options->form->is_wrapped && !options->names.labels.is_raw,
	};
	struct ra_util_text text = { .out = options->prefix == NULL && options->brief == 0 ? stdout
		                                                                           : NULL,
		                     .has_styles = options->prefix == NULL &&
		                                   options->form->is_wrapped &&
		                                   ra_cmd_screen_has_color() };
	int code = 0;

	if (!is_streamed) {
		ra_labels_init(&labels, inputs->models[0], &options->names.labels);
	}
	ra_labels_init(&kernels, inputs->models[0], &options->kernels);
	if (options->brief > 0) {
		print_brief(&text, options, inputs, &input);
	}
	for (size_t i = 0; i < options->report_count && code == 0 && options->brief == 0; i++) {
		code = print_report(&text, options, inputs, &input, i);
	}
	ra_report_fini_input(&input);
	if (code == 0 && options->prefix == NULL) {
		(void) ra_util_text_write(&text, stdout); /* main() checks whether stdout was
		                                             written */
	}
	ra_util_text_free(&text);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
	return code;
}
