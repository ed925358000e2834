/* SPDX-License-Identifier: MIT */
/* analyzer info: prints the kind of a log, who wrote it, the sizes of its parts, and what is
 * missing. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/util.h"
#include "analyzer/commands/shared/brief.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/inspect/info.h"
#include "analyzer/table/table-budget.h"

struct options {
	bool as_json;
	bool strict;
	size_t brief; /* --brief: bytes for each input; 0: it was not given */
};

static void keep_text(void *context, const char *bytes, size_t count)
{
	ra_util_text_put(context, bytes, count);
}

#define LEAST_LINE 40 /* columns that a line has at least: a key and the start of its value */

/* Writes a log's text in one size (ra_table_budget_put): cuts lines at LEAST_LINE + `rows` columns,
 * but not the lines on loss and damage. */
static void put_lines(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	const struct ra_util_text *whole = context;
	static const char losses[] = "Losses\n";
	bool is_whole = false;

	(void) tables;
	for (size_t at = 0; at < whole->length;) {
		const char *line = whole->bytes + at;
		const char *end = memchr(line, '\n', whole->length - at);
		const size_t length = end != NULL ? (size_t) (end - line) : whole->length - at;
		const size_t fits = ra_util_text_fit(line, length, LEAST_LINE + rows);

		is_whole = is_whole ||
		           (length + 1 == sizeof(losses) - 1 && memcmp(line, losses, length) == 0);
		if (is_whole || fits == length) {
			ra_util_text_put(text, line, length);
		} else {
			ra_util_text_put(text, line, fits);
			ra_util_text_put(text, "...", 3);
		}
		ra_util_text_put_char(text, '\n');
		at += length + 1;
	}
}

/* Prints a log within a budget, because facts about its program, such as arguments, may be long. */
static void print_brief(const struct ra_info *info, size_t bytes, bool is_first)
{
	struct ra_util_text whole = { 0 };
	struct ra_util_text text = { 0 };
	struct ra_outbuf out;

	ra_outbuf_init(&out, -1, false);
	out.take = keep_text;
	out.context = &whole;
	ra_outbuf_put(&out, "\n", is_first ? 0 : 1);
	ra_info_print_text(info, &out);
	(void) ra_outbuf_finish(&out);
	ra_outbuf_fini(&out);
	ra_table_budget_fit(&text, bytes, 1, put_lines, &whole);
	(void) ra_util_text_write(&text, stdout); /* main() checks whether stdout was written */
	fflush(stdout);
	ra_util_text_free(&text);
	ra_util_text_free(&whole);
}

static int print_info(const struct options *options, const struct ra_info *info, bool is_first)
{
	struct ra_outbuf out;
	int code;

	if (options->brief > 0) {
		print_brief(info, options->brief, is_first);
		return RA_CMD_OK;
	}
	ra_outbuf_init(&out, STDOUT_FILENO, false);
	if (options->as_json) {
		ra_info_print_json(info, &out);
	} else {
		ra_outbuf_put(&out, "\n", is_first ? 0 : 1);
		ra_info_print_text(info, &out);
	}
	code = ra_outbuf_finish(&out);
	ra_outbuf_fini(&out);
	return code == 0 ? RA_CMD_OK : ra_cmd_print_unwritten("standard output", code);
}

/* The data for an answer within a budget. */
struct set_brief {
	const struct ra_sum_set *set;
	const struct ra_sum_report_options *options;
};

/* Writes the answer in one size (ra_table_budget_put). */
static void put_set(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	const struct set_brief *brief = context;
	struct ra_sum_report_options some = *brief->options;

	some.report_count = tables;
	some.is_ranked = true;
	some.query.limit = rows;
	ra_sum_report_put(text, brief->set, &some);
	if (tables < brief->options->report_count) {
		ra_util_text_format(text, "left out for --brief: environment\n");
	}
}

/* Appends the table to the head that has been written, within the budget. */
static void put_set_brief(struct ra_util_text *text, const struct ra_sum_set *set,
                          const struct ra_sum_report_options *options, size_t bytes)
{
	const struct set_brief brief = { set, options };
	struct ra_util_text rows = { 0 };

	ra_table_budget_fit(&rows, bytes > text->length ? bytes - text->length : 0,
	                    options->report_count, put_set, &brief);
	ra_util_text_put(text, rows.bytes, rows.length);
	ra_util_text_free(&rows);
}

/* Prints summaries and traces: makes a row for each input, and appends facts about their
 * machines. */
static void print_set(const struct options *options, const struct ra_sum_set *set, const char *path,
                      bool is_first)
{
	static const struct ra_sum_report *const reports[] = { &ra_sum_report_ranks,
		                                               &ra_sum_report_environment };
	const struct ra_sum_report_options report_options = {
		.reports = reports,
		.report_count = sizeof(reports) / sizeof(reports[0]),
		.form = options->as_json ? &ra_table_forms_json : &ra_table_forms_text,
		.width = ra_cmd_screen_text_width(),
	};
	struct ra_util_text text = { 0 };

	if (!options->as_json) {
		ra_util_text_put(&text, "\n", is_first ? 0 : 1);
		ra_util_text_format(&text, "%-16s ", ra_sum_file_is(path) ? "summary" : "trace");
		ra_util_text_put_name(&text, ra_util_string(path), RA_TEXT_TERMINAL);
		ra_util_text_format(&text, "\n\n");
	}
	if (options->brief > 0) {
		put_set_brief(&text, set, &report_options, options->brief);
	} else {
		ra_sum_report_put(&text, set, &report_options);
	}
	for (size_t i = 0; i + 1 < text.length && options->as_json; i++) {
		/* the JSON of an input becomes one line: its texts contain no newline */
		text.bytes[i] = text.bytes[i] == '\n' ? ' ' : text.bytes[i];
	}
	(void) ra_util_text_write(&text, stdout);
	fflush(stdout);
	ra_util_text_free(&text);
}

static int show_set(const struct options *options, const struct ra_sum_set *set, const char *path,
                    bool is_first)
{
	int code = 0;

	print_set(options, set, path, is_first);
	for (size_t i = 0; i < set->source_count && code == 0; i++) {
		if (options->strict && set->sources[i].state == RA_SUM_INCOMPLETE) {
			code = RA_CMD_INCOMPLETE;
		}
	}
	return code;
}

static int show_log(const struct options *options, const struct rlog_reader *reader,
                    const char *path, bool is_first)
{
	struct ra_info info;
	int code;

	ra_info_collect(&info, path, reader);
	code = print_info(options, &info, is_first);
	ra_cmd_print_damages(path, reader);
	if (code == RA_CMD_OK && options->strict && ra_cmd_is_incomplete(reader)) {
		code = RA_CMD_INCOMPLETE;
	}
	return code;
}

static int show(const struct options *options, const char *path, bool is_first)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct rlog_reader *reader = NULL;
	struct ra_sum_set set = { 0 };
	int code;

	if (ra_cmd_sums_open(&reader, &set, path, &err) != 0) {
		code = ra_cmd_print_error(path, &err);
	} else if (reader == NULL) {
		code = show_set(options, &set, path, is_first);
	} else {
		code = show_log(options, reader, path, is_first);
		rlog_reader_close(reader);
	}
	ra_sum_set_fini(&set);
	return code;
}

static int run(int argc, char **argv)
{
	static const char *const formats[] = { "text", "json", NULL };
	struct ra_batch_inputs inputs = { 0 };
	struct options options = { 0 };
	int code;
	int option;

	while ((option = ra_cmd_options_next("info", argc, argv)) != -1) {
		int format = 0;

		switch (option) {
		case 'f':
			format = ra_cmd_choose("--format", optarg, formats);
			if (format < 0) {
				return RA_CMD_USAGE;
			}
			options.as_json = format == 1;
			break;
		case 'J':
			options.as_json = true;
			break;
		case 'b':
			if (ra_cmd_brief_take(optarg, &options.brief) != 0) {
				return RA_CMD_USAGE;
			}
			break;
		case 'S':
			options.strict = true;
			break;
		default:
			return RA_CMD_USAGE;
		}
	}
	code = ra_cmd_sums_list(&inputs, argv + optind, (size_t) (argc - optind));
	for (size_t i = 0; i < inputs.count && (code == 0 || i > 0); i++) {
		code = ra_cmd_join_exits(code, show(&options, inputs.rows[i].path, i == 0), i == 0);
	}
	ra_batch_inputs_fini(&inputs);
	return code;
}

const struct ra_cmd cmd_info = {
	.name = "info",
	.synopsis = "info FILE... [options]",
	.summary = "Print what a log holds, how large its parts are, what is missing",
	.notes = "A FILE may also be a folder with all files below it, or @LIST, a file with a "
		 "name\n"
		 "on each line. Summaries and traces in JSON get a row for each input, and what "
		 "they\n"
		 "say about machines and versions. info does not read the events of logs;\n"
		 "`analyzer verify` does.\n",
	.run = run,
};
