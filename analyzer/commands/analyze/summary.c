/* SPDX-License-Identifier: MIT */
/* Prints the summary: the program, where steps spend their time, how GPUs were used,
 * recommendations, ranges, kernels, threads, and the footer. */
#include "analyzer/commands/analyze/summary.h"

#include <string.h>
#include <time.h>

#include "analyzer/base/util.h"
#include "analyzer/commands/analyze/summary-parts.h"
#include "analyzer/commands/analyze/summary-stream.h"
#include "analyzer/reports/reports.h"
#include "analyzer/read-log/facts/domains-off.h"
#include "analyzer/read-log/facts/facts.h"
#include "analyzer/footer/footer.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/read-log/ranges/open-ranges.h"
#include "analyzer/report/report.h"
#include "analyzer/report/report-steps.h"
#include "analyzer/table/table-budget.h"
#include "analyzer/table/layout/table-rank.h"
#include "analyzer/table/forms/table-text.h"
#include "analyzer/table/table-wrap.h"
#include "analyzer/base/text/util-text.h"
#include "format/read/reader.h"

#define FEW_ROWS     20
#define PIPE_ROWS    7
#define SMALL_PARTS  50 /* a row with less than 1/50 of the whole is small … */
#define LEAST_ROWS   3  /* … if this many rows are before it */
#define FEW_NAMES    8
#define FEW_FINDINGS 3
#define TABLES       6 /* number of tables besides that of steps */

static void put_label(struct ra_util_text *text, const char *label)
{
	ra_util_text_format(text, "%-10s", label);
}

static void put_safe(struct ra_util_text *text, const char *bytes)
{
	const struct rlog_string string = ra_util_string(bytes);

	ra_util_text_put_name(text, string, RA_TEXT_TERMINAL);
}

/* Writes the command line if it is known, else the executable. */
static void put_program(struct ra_util_text *text, const struct ra_model *model)
{
	const struct rlog_fact *argv = rlog_reader_find_capture(model->reader, "argv");
	const char *exe = model->processes[0].exe;

	put_label(text, "program");
	if (argv != NULL && argv->type == RLOG_FACT_TEXTS && argv->text_count > 0) {
		for (size_t i = 0; i < argv->text_count; i++) {
			ra_util_text_put(text, " ", i == 0 ? 0 : 1);
			ra_util_text_put_name(text, argv->texts[i], RA_TEXT_TERMINAL);
		}
	} else {
		put_safe(text, exe[0] == '\0' ? "(unknown)" : exe);
	}
	ra_util_text_put_char(text, '\n');
}

static void put_process(struct ra_util_text *text, const struct ra_model *model)
{
	const struct ra_process *process = &model->processes[0];

	put_label(text, "process");
	if (process->pid != 0) {
		ra_util_text_format(text, "%lld", (long long) process->pid);
	} else {
		ra_util_text_format(text, "(unknown)");
	}
	if (!ra_model_has(model, RA_HAS_LOG) &&
	    process->exe[0] != '\0') { /* for a log, another line says it */
		ra_util_text_format(text, " (");
		put_safe(text, process->exe);
		ra_util_text_put_char(text, ')');
	}
	if (process->host[0] != '\0') {
		ra_util_text_format(text, " on ");
		put_safe(text, process->host);
	}
	if (process->rank >= 0) {
		ra_util_text_format(text, ", rank %lld", (long long) process->rank);
	}
	ra_util_text_put_char(text, '\n');
}

static void put_time_of_capture(struct ra_util_text *text, const struct ra_model *model)
{
	const time_t seconds = (time_t) (model->zero_real_ns / 1000000000);
	const struct rlog_string tool = ra_facts_find_text(model, "tool");
	struct tm utc;
	char date[40];

	put_label(text, "captured");
	if (model->zero_real_ns > 0 && gmtime_r(&seconds, &utc) != NULL &&
	    strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S UTC", &utc) > 0) {
		ra_util_text_format(text, "%s, ", date);
	} else {
		ra_util_text_format(text, "not known when, ");
	}
	ra_util_text_put_time(text, model->end_ns);
	ra_util_text_format(text, " long");
	if (tool.bytes != NULL) {
		ra_util_text_format(text, ", by ");
		ra_util_text_put_name(text, tool, RA_TEXT_TERMINAL);
	}
	ra_util_text_put_char(text, '\n');
}

static void put_domains_off(struct ra_util_text *text, const struct rlog_reader *reader)
{
	const struct rlog_string *name;
	size_t count = 0;
	size_t at = 0;

	while ((name = ra_domains_off_next(reader, &at)) != NULL) {
		if (count == 0) {
			put_label(text, "note");
			ra_util_text_format(text, "domains left out by RANGES_DOMAINS: ");
		}
		if (count < FEW_NAMES) {
			ra_util_text_put(text, ", ", count == 0 ? 0 : 2);
			ra_util_text_put_name(text, *name, RA_TEXT_TERMINAL);
		}
		count++;
	}
	if (count > FEW_NAMES) {
		ra_util_text_format(text, " and %zu more", count - FEW_NAMES);
	}
	ra_util_text_put(text, "\n", count == 0 ? 0 : 1);
}

static void put_facts(struct ra_util_text *text, const struct ra_model *model,
                      const struct ra_summary_options *options)
{
	const struct rlog_fact *notes = rlog_reader_find_capture(model->reader, "notes");
	const bool has_log = ra_model_has(model, RA_HAS_LOG);

	put_label(text, has_log ? "log" : "trace");
	put_safe(text, options->input);
	ra_util_text_format(text, ", ");
	ra_util_text_put_count(text, model->file_bytes);
	ra_util_text_format(text, " bytes, ");
	ra_util_text_put_count(text, ra_footer_count_events(model));
	ra_util_text_format(text, " events\n");
	if (has_log) { /* a trace does not name the program */
		put_program(text, model);
	}
	put_process(text, model);
	put_time_of_capture(text, model);
	for (size_t i = 0; notes != NULL && notes->type == RLOG_FACT_TEXTS && i < notes->text_count;
	     i++) {
		put_label(text, "note");
		ra_util_text_put_name(text, notes->texts[i], RA_TEXT_TERMINAL);
		ra_util_text_put_char(text, '\n');
	}
	put_domains_off(text, model->reader);
}

/* Finds the name that all GPUs have in common; 0: there is none. */
static uint32_t find_gpu_name(const struct ra_gpu *gpu)
{
	for (size_t i = 1; i < gpu->device_count; i++) {
		if (gpu->devices[i].name != gpu->devices[0].name) {
			return 0;
		}
	}
	return gpu->device_count > 0 ? gpu->devices[0].name : 0;
}

static void put_report_title(struct ra_util_text *text, const struct ra_report *report,
                             const struct ra_model *model)
{
	const uint32_t name = report == &ra_report_gpu ? find_gpu_name(&model->gpu) : 0;

	ra_util_text_put_char(text, '\n');
	ra_util_text_style(text, RA_STYLE_TITLE);
	ra_util_text_format(text, "%s", report->title);
	if (name != 0) {
		ra_util_text_format(text, ": ");
		ra_util_text_put_name(text, ra_model_string(model, name), RA_TEXT_TERMINAL);
	}
	ra_util_text_style(text, RA_STYLE_NONE);
	ra_util_text_format(text, "\n\n");
}

/* Drops rows with very small shares from the end of a table that is sorted by share. */
static void cut_small(struct ra_table *table, const char *key)
{
	const size_t column = ra_table_find_column(table->columns, table->column_count, key);
	size_t kept = LEAST_ROWS;

	if (column == table->column_count) {
		return;
	}
	while (kept < table->row_count) {
		const struct ra_table_cell *cell =
			&table->cells[kept * table->column_count + column];

		if (!cell->has_value || cell->u.share.part < cell->u.share.whole / SMALL_PARTS) {
			break;
		}
		kept++;
	}
	ra_table_cut(table, kept);
}

/* Keeps the remedy of the worst finding only, and says how to see the others. */
static void put_headlines(struct ra_util_text *text, struct ra_table *table)
{
	const size_t remedy = ra_table_find_column(table->columns, table->column_count, "remedy");
	const size_t cut_count = table->cut_count;

	for (size_t row = 1; row < table->row_count; row++) {
		table->cells[row * table->column_count + remedy].has_value = false;
	}
	table->cut_count = 0;
	ra_report_advice.put_text(table, text);
	if (table->row_count + cut_count > 1) {
		ra_util_text_format(text, "\n... ");
		if (table->row_count > 1) {
			ra_util_text_format(text, "what to do%s", cut_count > 0 ? ", " : "");
		}
		if (cut_count > 0) {
			ra_util_text_format(text, "and %zu more", cut_count);
		}
		ra_util_text_format(text, ": analyzer stats -r advice\n");
	}
}

/* True if the summary hides rows that take almost no time, because on a pipe each row costs the
 * reader something. */
static bool is_short(const struct ra_summary_options *options)
{
	return options->brief > 0 || (options->is_piped && !options->all);
}

static void put_report(struct ra_util_text *text, const struct ra_report *report,
                       struct ra_report_input *input, const struct ra_summary_options *options,
                       size_t few)
{
	const bool is_brief = options->brief > 0;
	const struct ra_query query = { .limit = options->all || is_brief ? 0 : few };
	struct ra_table table;

	ra_report_make(report, input, &query, &table);
	size_t start = text->length;

	if (is_brief) {
		ra_table_rank(&table, report != &ra_report_advice);
		ra_table_cut(&table, few);
	} else if (is_short(options)) {
		cut_small(&table, "total_share");
	}
	if (table.row_count > 0) {
		put_report_title(text, report, input->model);
		if (report == &ra_report_advice && is_short(options)) {
			put_headlines(text, &table);
		} else if (report->put_text != NULL) {
			report->put_text(&table, text);
		}
		ra_table_wrap_from(text, start, options->width);
		if (report->put_text == NULL) {
			ra_table_text_put(text, &table, options->width);
		}
		if (report->note != NULL) {
			start = text->length;
			ra_util_text_format(text, "\n%s\n", report->note);
			ra_table_wrap_from(text, start, options->width);
		}
	}
	ra_table_fini(&table);
}

/* Writes the steps. Return: true if there are some. */
static bool put_steps(struct ra_util_text *text, struct ra_report_input *input,
                      const struct ra_summary_options *options)
{
	struct ra_util_text title = { 0 };
	struct ra_table table;
	bool has_steps;

	/* the block character of a bar has three bytes, and perhaps no human reads the pipe */
	ra_summary_parts_steps(input, options->width > 0 && !is_short(options), &title, &table);
	has_steps = title.length > 0;
	if (has_steps) {
		const size_t start = text->length;

		ra_util_text_put_char(text, '\n');
		ra_util_text_style(text, RA_STYLE_TITLE);
		ra_util_text_format(text, "Steps: ");
		ra_util_text_put(text, title.bytes, title.length);
		ra_util_text_style(text, RA_STYLE_NONE);
		ra_util_text_format(text, "\n\n");
		ra_table_wrap_from(text, start, options->width);
		if (options->brief > 0) {
			ra_table_cut(&table, options->rows);
		}
		ra_table_text_put(text, &table, options->width);
	}
	ra_util_text_free(&title);
	ra_table_fini(&table);
	return has_steps;
}

/* Returns how many rows a table shows. A pipe gets fewer, because its reader reads all of them. */
static size_t find_few(const struct ra_summary_options *options)
{
	return options->is_piped ? PIPE_ROWS : FEW_ROWS;
}

static void put_threads(struct ra_util_text *text, struct ra_report_input *input,
                        const struct ra_summary_options *options)
{
	struct ra_table table;

	ra_summary_parts_threads(input, &table);
	if (table.row_count > 0) {
		if (is_short(options)) {
			ra_summary_parts_rank_threads(&table);
		}
		ra_table_cut(&table,
		             options->all && options->brief == 0 ? table.row_count : options->rows);
		put_report_title(text, &ra_report_threads, input->model);
		ra_table_text_put(text, &table, options->width);
	}
	ra_table_fini(&table);
}

/* Leaves out tables without rows, as for a program without a GPU. */
static void put_reports(struct ra_util_text *text, struct ra_report_input *input,
                        const struct ra_summary_options *options)
{
	const size_t few = options->rows < FEW_FINDINGS ? options->rows : FEW_FINDINGS;
	const bool has_steps = put_steps(text, input, options);
	const struct {
		const struct ra_report *report;
		size_t rows;
	} rows[] = {
		/* devices cover all time, even outside of steps */
		{ has_steps ? &ra_report_gpu : &ra_report_devices, options->rows },
		{ &ra_report_advice, few },
		{ &ra_report_ranges, options->rows },
		{ &ra_report_kernels, options->rows },
		{ &ra_report_memcpy, options->rows },
	};
	const size_t count = sizeof(rows) / sizeof(rows[0]);

	for (size_t i = 0; i < count && i < options->tables; i++) {
		put_report(text, rows[i].report, input, options, rows[i].rows);
	}
	if (options->tables > count) {
		put_threads(text, input, options);
	} else {
		ra_util_text_format(text, "\nleft out for --brief: threads");
		for (size_t i = count; i > options->tables; i--) {
			ra_util_text_format(text, ", %s", rows[i - 1].report->name);
		}
		ra_util_text_put_char(text, '\n');
	}
}

/* The data for a summary. */
struct parts {
	const struct ra_model *model; /* the input's model, or a view of it */
	struct ra_report_input *input;
	const struct ra_summary_options *options;
};

/* Writes the summary in one size (ra_table_budget_put). */
static void put_summary(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	const struct parts *parts = context;
	const struct ra_model *model = parts->model;
	struct ra_summary_options options = *parts->options;
	size_t start;

	options.rows = rows;
	options.tables = tables;
	put_facts(text, model, &options);
	ra_table_wrap_from(text, 0, options.width);
	put_reports(text, parts->input, &options);
	start = text->length;
	ra_util_text_put_char(text, '\n');
	ra_labels_put_note(text, parts->input->labels);
	ra_report_steps_put_note(text, parts->input);
	ra_open_ranges_put_text(text, model);
	ra_footer_put_text(text, model, "");
	ra_table_wrap_from(text, start, options.width);
}

struct ra_labels_options ra_summary_names(struct ra_labels_options names)
{
	names.merges_numbers = !names.is_raw;
	return names;
}

int ra_summary_print(const struct ra_model *model, const struct ra_summary_options *options,
                     struct ra_summary_stream *stream, FILE *out)
{
	const struct ra_labels_options kernel_options = {
		.is_kernels = true,
		.kernel_form = options->width > 0 ? RA_KERNEL_SHORT : RA_KERNEL_FULL,
	};
	struct ra_settings settings;
	const struct ra_labels_options names = ra_summary_names(options->names);
	struct ra_labels labels = { 0 };
	struct ra_labels kernels;
	struct ra_report_input input = {
		.model = model,
		.settings = &settings,
		.group_by = RA_GROUP_BY_NAME,
		.labels = &labels,
		.kernels = &kernels,
	};
	const struct parts parts = { model, &input, options };
	struct ra_util_text text = { .has_styles = options->color };
	int rc;

	ra_settings_init(&settings);
	settings.step_range = options->step_range;
	if (stream != NULL) {
		input.model = ra_summary_stream_view(stream, model);
		input.stream = ra_summary_stream_borrow_sums(stream);
		input.labels = ra_range_stream_borrow_labels(input.stream);
	} else {
		ra_labels_init(&labels, model, &names);
	}
	ra_labels_init(&kernels, model, &kernel_options);
	if (options->brief > 0) {
		ra_table_budget_fit(&text, options->brief, TABLES, put_summary, &parts);
	} else {
		put_summary(&text, find_few(options), TABLES, &parts);
	}
	rc = ra_util_text_write(&text, out);
	ra_util_text_free(&text);
	ra_report_fini_input(&input);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
	return rc;
}
