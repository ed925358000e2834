/* SPDX-License-Identifier: MIT */
/* analyzer FILE: prints the summary or, with -o, writes the whole log in a format for other
 * programs. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/commands/shared/brief.h"
#include "analyzer/base/phase.h"
#include "analyzer/commands/shared/names.h"
#include "format/options/nearest.h"
#include "analyzer/commands/shared/progress.h"
#include "analyzer/commands/shared/rules.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/footer/footer.h"
#include "analyzer/load/load.h"
#include "analyzer/model/walk.h"
#include "analyzer/commands/shared/out-list.h"
#include "analyzer/io/outfile.h"
#include "analyzer/steps/select.h"
#include "analyzer/steps/step-window.h"
#include "analyzer/commands/analyze/summary.h"
#include "analyzer/commands/analyze/summary-stream.h"

struct options {
	const char *input;  /* the file of the first model */
	char *const *files; /* the format's name as the user gave it */
	size_t file_count;
	const char *output; /* NULL: the summary */
	const char *format; /* NULL: chosen by the output's suffix */
	const struct ra_out *out;
	bool strict;
	bool all;
	size_t workers;
	size_t brief; /* --brief: bytes; 0: it was not given */
	size_t width; /* width of the summary in columns */
	struct ra_cmd_names names;
	struct ra_link_options link;
	const char *captures;
	bool with_python;
	bool without_log;
	struct ra_steps_options steps;
};

#define FEW_ROWS 20 /* rows of a table in reports on several inputs */

/* write_model() returns this if the model must be loaded again, without `once` (load.h). */
#define LOAD_AGAIN (-1)

/* True if an output written to this path can be removed again. */
static bool is_plain_file(const char *path)
{
	struct stat status;

	return strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

/* Loads the model. @once: the log may be read while the output is written. @sink: takes the ranges;
 * NULL: the model holds them. */
static int load(struct ra_model **model, const struct options *options, bool once,
                const struct ra_slice_sink *sink, struct rlog_error *err)
{
	/* Pages and summaries also have figures of other steps. */
	const bool is_of_few = options->output != NULL && options->steps.only != NULL &&
	                       !options->out->has_reports;
	struct ra_input_steps steps = { 0 };
	const struct ra_load_options load_options = {
		.link = options->link,
		.captures = options->captures,
		.with_python = options->with_python,
		.steps = is_of_few ? &steps : NULL,
		.few_args = options->output == NULL,
		.few_rows = options->output == NULL && options->steps.only == NULL,
		.walks = options->output != NULL && options->out->walks &&
		         options->steps.only == NULL,
		.walk_least = RA_WALK_LEAST_EVENTS,
		.sink = sink,
		.sink_least = options->output != NULL ? RA_WALK_LEAST_EVENTS : 0,
		.once = once && options->output != NULL && options->out->once &&
		        is_plain_file(options->output),
	};

	ra_step_window_init(&steps, &options->steps, 0);
	return ra_cmd_progress_load(model, options->input, &load_options, err);
}

static const char *find_last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* Return: 0, or an errno. */
static int fill_file(const struct ra_model *model, const struct ra_out_options *out_options,
                     const struct options *options, struct ra_outfile *file,
                     struct ra_out_report *report)
{
	if (options->out->write_file != NULL) { /* refuse_place() has checked what the file is */
		return file->temp_path == NULL ? EINVAL
		                               : options->out->write_file(model, out_options,
		                                                          file->temp_path, report);
	}
	options->out->write(model, out_options, &file->buffer, report);
	return 0;
}

/* Writes an output. @out_options: members about several input files or views are set; the others
 * are set here. Return: an exit status, or LOAD_AGAIN. */
static int write_model(const struct ra_model *model, struct ra_out_options out_options,
                       const struct options *options)
{
	const bool is_stdout = strcmp(options->output, "-") == 0;
	const char *shown = is_stdout ? "standard output" : options->output;
	struct ra_cmd_progress progress = { 0 };
	struct ra_out_report report = { 0 };
	struct ra_outfile file;
	int code = ra_outfile_open(&file, options->output);

	out_options.output_name = find_last_part(options->output);
	out_options.names = options->names.labels;
	out_options.has_plain_operators = !options->names.has_form;
	out_options.without_log = options->without_log || options->steps.only != NULL;
	out_options.input_name = find_last_part(options->input);
	out_options.step_range = options->steps.range;
	out_options.steps = options->steps.only;
	if (code != 0) {
		return ra_cmd_print_unwritten(shown, code);
	}
	if (!is_stdout) {
		ra_cmd_progress_watch_output(&progress, &file.buffer);
	}
	ra_phase_begin(options->out->name);
	code = fill_file(model, &out_options, options, &file, &report);
	ra_phase_end();
	ra_cmd_progress_end(&progress);
	file.buffer.tell = NULL;
	if (code == 0 && model->walk != NULL && model->walk->has_failed) {
		ra_outfile_abandon(&file);
		return LOAD_AGAIN;
	}
	if (code != 0) {
		ra_outfile_abandon(&file);
		return ra_cmd_print_unwritten(shown, code);
	}
	code = ra_outfile_commit(&file);
	if (code != 0) {
		return ra_cmd_print_unwritten(shown, code);
	}
	if (report.left_out > 0) {
		fprintf(stderr, "analyzer: %s: %" PRIu64 " not %s: %s\n", shown, report.left_out,
		        options->out->write_file != NULL ? "written" : "drawn", report.why);
	}
	ra_cmd_progress_tell_written(options->output, options->out->opens);
	return RA_CMD_OK;
}

/* Writes the model's output; with --steps, only these steps. @stream: the stream that took the
 * ranges; NULL: the model holds them. */
static int write_output(const struct ra_model *model, const struct options *options,
                        struct ra_summary_stream *stream)
{
	const int64_t own = model->process_count > 0 ? model->processes[0].rank : -1;
	const int64_t rank = own >= 0 ? own : 0; /* as `stats` does for one file */
	struct ra_out_options out = { .ranks = &rank, .model_count = 1 };
	struct ra_select select;
	int code;

	if (stream != NULL && model->totals != NULL) {
		out.few = ra_summary_stream_view(stream, model);
		out.sums = ra_summary_stream_borrow_sums(stream);
	}
	if (options->steps.only == NULL) {
		return write_model(model, out, options);
	}
	code = ra_cmd_stats_check_model(&options->steps, model);
	if (code != 0) {
		return code;
	}
	ra_select_init(&select, model, &options->steps);
	if (options->out->has_reports) {
		out.select = &select;
		code = write_model(model, out, options);
	} else {
		code = write_model(&select.things, out, options);
	}
	ra_select_fini(&select);
	return code;
}

/* Writes one output for all files of a run. */
static int write_several(const struct options *options)
{
	const struct ra_load_options load_options = { .link = options->link,
		                                      .captures = options->captures,
		                                      .with_python = options->with_python };
	struct ra_cmd_inputs inputs = { 0 };
	int code = ra_cmd_inputs_init(&inputs, options->files, options->file_count);

	if (code == 0) {
		code = ra_cmd_inputs_load(&inputs, &load_options);
	}
	if (code == 0 && inputs.count == 1) {
		code = write_output(inputs.models[0], options, NULL);
	} else if (code == 0 && options->steps.only != NULL) {
		code = ra_cmd_usage("--steps takes one file only");
	} else if (code == 0) {
		const struct ra_out_options out = { .models = inputs.models,
			                            .ranks = inputs.ranks,
			                            .paths = inputs.paths,
			                            .model_count = inputs.count };

		for (size_t i = 0; i < inputs.count && options->out->has_reports; i++) {
			ra_cmd_stats_tell_whole(options->steps.range, inputs.models[i],
			                        inputs.paths[i]);
		}
		code = write_model(inputs.models[0], out, options);
	}
	for (size_t i = 0; inputs.models != NULL && i < inputs.count; i++) {
		if (inputs.models[i] == NULL) {
			continue;
		}
		ra_cmd_print_lacks(inputs.paths[i], inputs.models[i]);
		ra_cmd_print_unmatched(inputs.paths[i], inputs.models[i]);
		if (code == RA_CMD_OK && options->strict &&
		    ra_footer_is_incomplete(inputs.models[i])) {
			code = RA_CMD_INCOMPLETE;
		}
	}
	ra_cmd_inputs_fini(&inputs);
	return code;
}

static void write_summary(const struct ra_model *model, const struct options *options,
                          struct ra_summary_stream *stream)
{
	struct ra_summary_options summary = { .input = options->input,
		                              .step_range = options->steps.range,
		                              .all = options->all,
		                              .brief = options->brief,
		                              .names = options->names.labels,
		                              .is_piped = options->width > 0 &&
		                                          ra_cmd_screen_width() == 0,
		                              .width = options->width,
		                              .color = ra_cmd_screen_has_color() };

	stream = model->totals != NULL ? stream : NULL;
	ra_cmd_stats_tell_whole(options->steps.range,
	                        stream != NULL ? ra_summary_stream_view(stream, model) : model,
	                        options->input);
	ra_cmd_screen_page();
	(void) ra_summary_print(model, &summary, stream, stdout); /* main() checks whether stdout
	                                                             was written */
}

/* Reports chunks that have no damage but contain values that our writers never write. */
static void print_unknown(const struct ra_model *model, const char *path)
{
	size_t count = 0;

	if (!ra_model_has(model, RA_HAS_LOG)) {
		return;
	}
	rlog_reader_borrow_damages(model->reader, &count);
	if (model->quality.damaged_stretches > count) {
		fprintf(stderr,
		        "analyzer: %s: %" PRIu64 " whole chunks cannot be understood; `analyzer "
		        "verify` tells where\n",
		        path, model->quality.damaged_stretches - count);
	}
}

/* True if the output is the log itself, even under another name. A log is not overwritten. */
static bool is_input(const struct options *options)
{
	struct stat input;
	struct stat output;

	return options->output != NULL && strcmp(options->output, "-") != 0 &&
	       stat(options->input, &input) == 0 && S_ISREG(input.st_mode) &&
	       stat(options->output, &output) == 0 && input.st_dev == output.st_dev &&
	       input.st_ino == output.st_ino;
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Prints the summary of a folder or a summary file: the ranks, where steps spend their time, and
 * the ranges. */
static int analyze_several(const struct options *options)
{
	const struct ra_cmd_stats stats = {
		.files = (char *const *) &options->input,
		.file_count = 1,
		.report_names = "ranks,overview,ranges",
		.query = { .limit = options->all ? 0 : FEW_ROWS },
		.names = options->names,
		.load = { .link = options->link,
		          .captures = options->captures,
		          .with_python = options->with_python },
		.form = &ra_table_forms_text,
		.settings = { .step_range = options->steps.range, .steps = options->steps.only },
		.width = options->width,
		.brief = options->brief,
		.workers = options->workers,
		.strict = options->strict,
	};
	int code;

	if (options->output != NULL &&
	    (!options->out->has_reports || ra_sum_file_is(options->input))) {
		return ra_cmd_usage("%s: -o takes one log or trace, and this is %s", options->input,
		                    is_folder(options->input) ? "a folder" : "a summary");
	}
	if (options->output != NULL) {
		return write_several(options);
	}
	code = ra_cmd_stats_check_sums(&stats);
	return code != 0 ? code : ra_cmd_stats_run_sums(&stats);
}

/* Creates a stream that takes the ranges of a log. @names: for the summary's labels; borrowed until
 * the stream is destroyed. Return: NULL: this output needs a model that holds the ranges. */
static struct ra_summary_stream *begin_stream(const struct options *options,
                                              const struct ra_labels_options *names)
{
	const bool is_page = options->output != NULL && options->out->has_reports;

	if (options->steps.only != NULL || (options->output != NULL && !is_page)) {
		return NULL;
	}
	return is_page ? ra_summary_stream_create_walk(options->steps.range, &options->names.labels)
	               : ra_summary_stream_create(options->steps.range, names);
}

static int analyze(const struct options *options)
{
	const struct ra_labels_options names = ra_summary_names(options->names.labels);
	const struct ra_slice_sink *sink = NULL;
	struct ra_summary_stream *stream;
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	struct ra_model *model = NULL;

	if (is_input(options)) {
		return ra_cmd_usage("%s: the output would replace the log", options->output);
	}
	if (options->file_count > 1 || is_folder(options->input) ||
	    ra_sum_file_is(options->input)) {
		return analyze_several(options);
	}
	stream = begin_stream(options, &names);
	if (stream != NULL) {
		sink = ra_summary_stream_borrow_sink(stream);
	}
	if (load(&model, options, true, sink, &err) != 0) {
		ra_summary_stream_destroy(stream);
		return ra_cmd_print_error(options->input, &err);
	}
	int code = RA_CMD_OK;

	if (options->output != NULL) {
		code = write_output(model, options, stream);
		if (code == LOAD_AGAIN) {
			ra_model_destroy(model);
			model = NULL;
			if (load(&model, options, false, NULL, &err) != 0) {
				return ra_cmd_print_error(options->input, &err);
			}
			code = write_output(model, options, NULL);
		}
	} else {
		write_summary(model, options, stream);
	}
	fflush(stdout); /* errors come after the results */
	ra_cmd_print_lacks(options->input, model);
	if (options->output != NULL) {
		ra_cmd_print_unmatched(options->input, model); /* the summary's footer says it */
	}
	print_unknown(model, options->input);
	if (code == RA_CMD_OK && options->strict && ra_footer_is_incomplete(model)) {
		code = RA_CMD_INCOMPLETE;
	}
	ra_summary_stream_destroy(stream);
	ra_model_destroy(model);
	return code;
}

/* Refuses outputs that can't be written at all, or not to that place. */
static int refuse_place(const struct options *options)
{
	const char *lack = options->out->find_lack != NULL ? options->out->find_lack() : NULL;
	struct stat status;

	if (lack != NULL) {
		fprintf(stderr, "analyzer: %s: %s\n", options->output, lack);
		return RA_CMD_UNWRITTEN;
	}
	if (options->out->write_file != NULL &&
	    (strcmp(options->output, "-") == 0 || ra_outfile_has_suffix(options->output, ".gz") ||
	     (stat(options->output, &status) == 0 && !S_ISREG(status.st_mode)))) {
		return ra_cmd_usage("%s: %s needs a regular file, not packed", options->output,
		                    options->out->name);
	}
	return 0;
}

/* Refuses a format's name. If it is a suffix or similar to a name, the message says so. */
static int refuse_format(const char *name)
{
	const struct ra_out *const *outputs = ra_out_list_borrow();
	struct rlog_nearest nearest;
	char suffix[RLOG_NEAREST_BYTES];
	const struct ra_out *meant;

	snprintf(suffix, sizeof(suffix), ".%s", name);
	meant = ra_out_list_find_by_suffix(suffix);
	rlog_nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; outputs[i] != NULL; i++) {
		rlog_nearest_offer(&nearest, outputs[i]->name);
	}
	if (meant == NULL && nearest.best == NULL) {
		return ra_cmd_usage("--to: there is no output \"%s\"", name);
	}
	return ra_cmd_usage("--to: there is no output \"%s\" (did you mean \"%s\"?)", name,
	                    meant != NULL ? meant->name : nearest.best);
}

static int refuse_suffix(const char *output)
{
	const struct ra_out *const *outputs = ra_out_list_borrow();
	struct ra_util_text suffixes = { 0 };
	int code;

	for (size_t i = 0; outputs[i] != NULL; i++) {
		ra_util_text_format(&suffixes, "%s%s", i == 0 ? "" : ", ", outputs[i]->suffix);
	}
	code = ra_cmd_usage("%s: no output has this suffix; there are %.*s; or say which one with "
	                    "--to",
	                    output, (int) suffixes.length, suffixes.bytes);
	ra_util_text_free(&suffixes);
	return code;
}

static int choose_out(struct options *options, const char *name)
{
	if (options->output == NULL) {
		return name == NULL || ra_out_list_find_by_name(name) != NULL ? 0
		                                                              : refuse_format(name);
	}
	options->out = name != NULL ? ra_out_list_find_by_name(name)
	               : strcmp(options->output, "-") == 0
	                       ? &out_perfetto
	                       : ra_out_list_find_by_suffix(options->output);
	if (options->out == NULL) {
		return name != NULL ? refuse_format(name) : refuse_suffix(options->output);
	}
	return refuse_place(options);
}

/* Refuses several file names. Perhaps the first one was meant as a command. */
static int refuse_files(const char *first)
{
	if (access(first, F_OK) != 0 && strchr(first, '/') == NULL) {
		return ra_cmd_usage("\"%s\" is neither a command nor a file", first);
	}
	return ra_cmd_usage("more than one file given; for the ranks of a run: `analyzer stats "
	                    "FILE...` prints reports, `analyzer FILE... -o x.html` writes a page, "
	                    "`analyzer FOLDER` prints a summary, `analyzer batch` stores one");
}

/* Return: 0 or RA_CMD_USAGE. */
static int take_option(struct options *options, int option, const char *value)
{
	switch (option) {
	case 'o':
		return ra_cmd_take_output(&options->output, value);
	case 'j':
		return ra_cmd_sums_take_jobs(&options->workers, value);
	case 't':
		options->format = value;
		return 0;
	case 'a':
		options->all = true;
		return 0;
	case 'n':
		return ra_cmd_names_take_form(&options->names, value);
	case 'R':
		return ra_cmd_names_take_rename(&options->names, value);
	case 'A':
		return ra_cmd_rules_take(&options->link, value);
	case 'G':
		return ra_cmd_rules_take_captures(&options->captures, value);
	case 'b':
		return ra_cmd_brief_take(value, &options->brief);
	case 'w':
		return ra_cmd_take_size("--width", value, &options->width);
	case 'P':
		options->with_python = true;
		return 0;
	case 'T':
		options->steps.range = value;
		return 0;
	case 'Q':
		options->steps.only = value;
		value = ra_steps_check_only(value);
		return value == NULL ? 0
		                     : ra_cmd_usage("--steps: \"%s\" is not %s",
		                                    options->steps.only, value);
	case 'W':
		options->without_log = true;
		return 0;
	case 'S':
		options->strict = true;
		return 0;
	default:
		return RA_CMD_USAGE;
	}
}

static int parse_options(struct options *options, int argc, char **argv)
{
	int option;
	int code;

	while ((option = ra_cmd_options_next("analyze", argc, argv)) != -1) {
		code = take_option(options, option, optarg);
		if (code != 0) {
			return code;
		}
	}
	if (optind == argc) {
		return ra_cmd_usage("no file given");
	}
	options->input = ra_cmd_find_path(argv[optind]);
	options->files = argv + optind;
	options->file_count = (size_t) (argc - optind);
	code = choose_out(options, options->format);
	if (code == 0 && options->file_count > 1 &&
	    (options->out == NULL || !options->out->has_reports)) {
		return refuse_files(argv[optind]);
	}
	if (!options->names.has_form) { /* in a table, similar names should share a row; a timeline
		                           shows names unchanged */
		options->names.labels.is_raw = options->out != NULL && !options->out->has_figures;
	}
	return code;
}

static int run(int argc, char **argv)
{
	struct options options = { .width = ra_cmd_screen_text_width() };
	int code = parse_options(&options, argc, argv);

	if (code == 0 && options.input != NULL) {
		code = analyze(&options);
	}
	ra_cmd_names_free(&options.names);
	return code;
}

const struct ra_cmd cmd_analyze = {
	.name = "analyze",
	.synopsis = "[analyze] FILE [options]\n"
		    "[analyze] FILE... -o OUT [options]",
	.summary = "Print a summary, or write the log for other programs (-o)",
	.notes =
		"A damaged part of the log gets a line on standard error; all before and after it\n"
		"is shown.\n",
	.put_notes = ra_out_list_put_notes,
	.run = run,
};
