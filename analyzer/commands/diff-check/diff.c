/* SPDX-License-Identifier: MIT */
/* analyzer diff A B...: prints what differs between runs, and what got slower. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/commands/diff-check/diff-compat.h"
#include "analyzer/commands/shared/brief.h"
#include "analyzer/commands/shared/progress.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/diff/causes/diff-loader.h"
#include "analyzer/diff/causes/diff-swaps.h"
#include "analyzer/diff/print/diff-several.h"
#include "analyzer/figures/ranges/range-counts.h"
#include "analyzer/io/outfile.h"
#include "analyzer/table/table-budget.h"
#include "analyzer/page/page-of.h"

#define BASELINES     64 /* at most this many --baseline */
#define FEW_ROWS      30
#define MOST_CAUSES   10  /* rows of the causes of a change */
#define BRIEF_CAUSES  8   /* the same with --brief, if they fit */
#define BRIEF_WIDTH   80  /* columns of the output if no causes fit */
#define COUNT_PERCENT 1.0 /* limit for counts, if --fail-on is not given */
#define SIDES         (1 + (int) RA_DIFF_SEVERAL_MAX)

struct options {
	const char *baselines[BASELINES];
	size_t baseline_count;
	bool may_fail;            /* --fail-on was given */
	bool no_drift;            /* --no-drift was given */
	enum ra_count_kind by;    /* --by; NONE: times */
	bool has_form;            /* --format was given */
	const char *output;       /* output file; NULL: the terminal, a page at a time */
	const char *names[SIDES]; /* the arguments A, B and so on */
	size_t count;
	struct ra_diff_print print;
	size_t brief; /* --brief: bytes; 0: it was not given */
	struct ra_cmd_sums sums;
	struct ra_cmd_diff_compat compat;
};

static const char *const form_words[] = { "text", "json", "md", "junit", "html", NULL };

/* Indexed by enum ra_count_kind. */
static const char *const by_words[] = { "time",          "instructions",
	                                "cycles",        "cache-misses",
	                                "branch-misses", "page-faults",
	                                "task-clock",    NULL };

/* The form that an output's suffix implies. */
static const struct {
	const char *suffix;
	enum ra_diff_print_form form;
} suffixes[] = {
	{ ".html", RA_DIFF_PRINT_PAGE }, { ".html.gz", RA_DIFF_PRINT_PAGE },
	{ ".json", RA_DIFF_PRINT_JSON }, { ".json.gz", RA_DIFF_PRINT_JSON },
	{ ".txt", RA_DIFF_PRINT_TEXT },  { ".md", RA_DIFF_PRINT_MARKDOWN },
	{ ".xml", RA_DIFF_PRINT_JUNIT },
};

/* Reads a time such as "10us". Return: RA_CMD_USAGE if it is no time. */
static int take_time(const char *word, struct ra_diff_limits *limits)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *end;
	const double number = strtod(word, &end);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (end != word && strcmp(end, units[i].unit) == 0 && number >= 0 &&
		    number * units[i].ns < 9e18) {
			limits->time_ns = (int64_t) (number * units[i].ns);
			return 0;
		}
	}
	return RA_CMD_USAGE;
}

/* Reads a percentage such as "5%". */
static int take_percent(const char *word, struct ra_diff_limits *limits)
{
	char *end;
	const double number = strtod(word, &end);

	if (end == word || strcmp(end, "%") != 0 || !(number >= 0) || number > 1e9) {
		return RA_CMD_USAGE;
	}
	limits->percent = number;
	return 0;
}

/* Reads "5%,10us", or only one of these limits. Then the other limit does not apply. */
static int take_limits(const char *value, struct ra_diff_limits *limits)
{
	const struct ra_diff_limits none = { 0 };
	char word[64];

	*limits = none;
	for (const char *at = value;; at += *at == ',') {
		const size_t length = strcspn(at, ",");

		if (length == 0 || length >= sizeof(word)) {
			return ra_cmd_usage("--fail-on: \"%s\" is not like 5%%,10us", value);
		}
		memcpy(word, at, length);
		word[length] = '\0';
		if (take_percent(word, limits) != 0 && take_time(word, limits) != 0) {
			return ra_cmd_usage("--fail-on: \"%s\" is not like 5%%,10us", value);
		}
		at += length;
		if (*at == '\0') {
			return 0;
		}
	}
}

static int take_option(struct options *options, int option, const char *value)
{
	int choice;

	switch (option) {
	case 'f':
		choice = ra_cmd_choose("--format", value, form_words);
		options->print.form = (enum ra_diff_print_form) choice;
		options->has_form = true;
		return choice < 0 ? RA_CMD_USAGE : 0;
	case 'o':
		return ra_cmd_take_output(&options->output, value);
	case 'F':
		options->may_fail = true;
		return take_limits(value, &options->print.limits);
	case 'x':
		if (options->baseline_count == BASELINES) {
			return ra_cmd_usage("--baseline: %d at most", BASELINES);
		}
		options->baselines[options->baseline_count++] = value;
		return 0;
	case 'D':
		options->no_drift = true;
		return 0;
	case 'B':
		choice = ra_cmd_choose("--by", value, by_words);
		options->by = (enum ra_count_kind)(choice < 0 ? 0 : choice);
		return choice < 0 ? RA_CMD_USAGE : 0;
	case 'c':
		return ra_cmd_diff_compat_take(&options->compat, value);
	case 'b':
		return ra_cmd_brief_take(value, &options->brief);
	case 'j':
		return ra_cmd_sums_take_jobs(&options->sums.workers, value);
	case 'l':
		return ra_cmd_take_size("--limit", value, &options->print.limit);
	case 'w':
		return ra_cmd_take_size("--width", value, &options->print.width);
	default:
		return ra_cmd_sums_take(&options->sums, option, value) == 0 ? 0 : RA_CMD_USAGE;
	}
}

/* Chooses the form of the output. Return: RA_CMD_USAGE if the output's name implies no form. */
static int choose_form(struct options *options)
{
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]) && !options->has_form; i++) {
		if (options->output != NULL &&
		    ra_outfile_has_suffix(options->output, suffixes[i].suffix)) {
			options->print.form = suffixes[i].form;
			options->has_form = true;
		}
	}
	if (options->output != NULL) {
		options->print.width = 0;
	} else if (options->print.form == RA_DIFF_PRINT_PAGE) {
		options->output = "-";
	}
	return options->output == NULL || options->has_form || strcmp(options->output, "-") == 0
	               ? 0
	               : ra_cmd_usage("no form goes by the suffix of \"%s\"; say which with "
	                              "--format",
	                              options->output);
}

/* For counts, refuses a limit that is a time, and ignores the machine's drift. */
static int choose_by(struct options *options)
{
	if (options->by == RA_COUNT_NONE) {
		return 0;
	}
	if (options->print.form == RA_DIFF_PRINT_PAGE || options->count > 2) {
		return ra_cmd_usage("--by: two sides are compared, and not as a page");
	}
	if (options->may_fail && options->print.limits.time_ns > 0) {
		return ra_cmd_usage("--by: counts have no limit in time: --fail-on 1%%");
	}
	if (!options->may_fail) {
		options->print.limits.percent = COUNT_PERCENT;
	}
	options->print.limits.time_ns = 0;
	options->no_drift = true;
	options->sums.batch.by = options->by;
	return 0;
}

static int parse_options(struct options *options, int argc, char **argv)
{
	int option;

	options->print.width = ra_cmd_screen_text_width();
	while ((option = ra_cmd_options_next("diff", argc, argv)) != -1) {
		const int code = take_option(options, option, optarg);

		if (code != 0) {
			return code;
		}
	}
	if (argc - optind < 2 || argc - optind > SIDES) {
		return ra_cmd_usage("2 to %d inputs are compared, and %d given", SIDES,
		                    argc - optind);
	}
	for (int i = optind; i < argc; i++) {
		options->names[options->count++] = argv[i];
	}
	options->print.names[0] = argv[optind];
	options->print.names[1] = argv[optind + 1];
	if (choose_form(options) != 0) {
		return RA_CMD_USAGE;
	}
	if (choose_by(options) != 0) {
		return RA_CMD_USAGE;
	}
	ra_cmd_sums_finish(&options->sums);
	return 0;
}

/* Numbers of inputs of one side. */
struct seen {           /* an array of size_t for see_counters */
	size_t logs;    /* number of logs and traces */
	size_t counted; /* logs and traces that counted instructions */
};

static int see_model(void *context, const struct ra_batch_input *input,
                     const struct ra_model *model, struct rlog_error *err)
{
	struct seen *seen = context;

	(void) err;
	(void) ra_cmd_print_lacks(input->path, model);
	ra_cmd_print_unmatched(input->path, model);
	seen->logs++;
	seen->counted += ra_range_counts_find(model, RA_COUNT_INSTRUCTIONS) < RA_COUNTS;
	return 0;
}

/* Reads a side: a file, or all inputs in a folder. Fails if any can't be read, because comparing a
 * part of a side would mislead. @seen: NULL: everything was reported already. */
static int read_side(struct ra_diff_side *side, const char *name, const struct ra_cmd_sums *from,
                     struct seen *seen)
{
	struct ra_cmd_sums sums = *from; /* a copy, to which series of this side is added */
	char *const names[] = { (char *) name };
	struct ra_batch_inputs inputs = { 0 };
	struct ra_sum_file file = { 0 };
	int code = ra_cmd_sums_collect(&inputs, names, 1, NULL);

	sums.batch.series = &side->series;
	sums.batch.without_paths = true;
	sums.batch.see_model = seen != NULL ? see_model : NULL;
	sums.batch.see_context = seen;
	sums.batch.see_counters = seen != NULL ? sizeof(*seen) / sizeof(size_t) : 0;
	if (code == 0 && ra_cmd_sums_read(&file, &inputs, &sums) != 0) {
		code = RA_CMD_UNREADABLE;
	}
	if (code == 0) {
		if (seen != NULL) {
			ra_cmd_sums_order(&file);
		} else {
			(void) ra_sum_file_order(&file);
		}
		if (ra_diff_side_fill(side, &file) != 0) {
			fprintf(stderr, "analyzer: %s: damaged, or not enough memory\n", name);
			code = RA_CMD_UNREADABLE;
		}
	}
	ra_sum_file_fini(&file);
	ra_batch_inputs_fini(&inputs);
	return code;
}

/* If times leave a row unsure, decides it by counts of instructions, which hardly vary. For inputs
 * that all counted instructions. */
static int prefer_counts(const struct options *options, struct ra_diff *diff,
                         const char *const names[2])
{
	const struct ra_diff_limits limits = { .percent = options->print.limits.percent };
	const struct ra_diff_options judging = { limits, false, RA_COUNT_INSTRUCTIONS };
	struct ra_cmd_sums sums = options->sums;
	struct ra_diff_side sides[2] = { 0 };
	struct ra_diff counts = { 0 };
	int code = 0;

	sums.batch.by = RA_COUNT_INSTRUCTIONS;
	for (size_t i = 0; i < 2 && code == 0; i++) {
		code = read_side(&sides[i], names[i], &sums, NULL);
	}
	if (code == 0) {
		ra_diff_init(&counts, &sides[0], &sides[1], &judging);
		ra_diff_take_counts(diff, &counts, &options->print.limits);
	}
	ra_diff_fini(&counts);
	ra_diff_side_fini(&sides[0]);
	ra_diff_side_fini(&sides[1]);
	return code;
}

/* Withdraws verdicts of a row that is slower than A but not slower than another baseline. */
static int relent(const struct options *options, struct ra_diff *diff, const char *name)
{
	struct ra_diff_side side = { 0 };
	struct ra_diff other = { 0 };
	const struct ra_diff_options judging = { options->print.limits, !options->no_drift,
		                                 options->by };
	struct seen seen = { 0 };
	int code = read_side(&side, name, &options->sums, &seen);

	if (code == 0) {
		ra_diff_init(&other, &side, diff->sides[1], &judging);
		ra_diff_relent(diff, &other);
	}
	ra_diff_fini(&other);
	ra_diff_side_fini(&side);
	return code;
}

/* Writes any form except a page. */
static void put_text(const struct ra_diff_several *several, const struct ra_diff_print *print,
                     struct ra_util_text *text)
{
	if (several->count == 1) {
		ra_diff_print(text, several->diffs, print);
	} else {
		ra_diff_several_print(text, several, print);
	}
}

/* The data for an answer within a budget. */
struct brief {
	const struct ra_diff_several *several;
	const struct ra_diff_print *print;
};

/* Writes the answer in one size (ra_table_budget_put). The table of a step's time is not cut. The
 * causes of a change come before the table of what changed. If that table gets no row, causes are
 * left out one by one, at last all of them. @tables: the number of causes plus 1; 0: the causes are
 * not even mentioned. */
static void put_brief(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	const struct brief *brief = context;
	struct ra_diff_print print = *brief->print;

	print.is_brief = true;
	print.width = tables <= 1 ? BRIEF_WIDTH : print.width;
	print.limit = print.limit > 0 && print.limit < rows ? print.limit : rows;
	print.causes = tables > 0 ? tables - 1 : 0;
	print.without_why = tables == 0;
	put_text(brief->several, &print, text);
}

static void print(const struct ra_diff_several *several, const struct ra_diff_print *print,
                  size_t bytes)
{
	const struct brief brief = { several, print };
	struct ra_util_text text = { 0 };

	ra_cmd_screen_page();
	if (bytes > 0) {
		ra_table_budget_fit(&text, bytes, BRIEF_CAUSES + 1, put_brief, &brief);
	} else {
		put_text(several, print, &text);
	}
	(void) ra_util_text_write(&text, stdout);
	ra_util_text_free(&text);
}

static void fill_file(const struct ra_diff_several *several, const struct ra_diff_print *print,
                      struct ra_outbuf *out)
{
	struct ra_util_text text = { 0 };

	if (print->form == RA_DIFF_PRINT_PAGE) {
		ra_page_of_diff_write(several, print, out);
		return;
	}
	put_text(several, print, &text);
	ra_outbuf_put(out, text.bytes, text.length);
	ra_util_text_free(&text);
}

static int write_file(const struct ra_diff_several *several, const struct options *options)
{
	const char *shown = strcmp(options->output, "-") == 0 ? "standard output" : options->output;
	struct ra_outfile file;
	int code = ra_outfile_open(&file, options->output);

	if (code == 0) {
		fill_file(several, &options->print, &file.buffer);
		code = ra_outfile_commit(&file);
	}
	if (code != 0) {
		return ra_cmd_print_unwritten(shown, code);
	}
	ra_cmd_progress_tell_written(options->output, options->print.form == RA_DIFF_PRINT_PAGE
	                                                      ? "a browser opens it"
	                                                      : NULL);
	return 0;
}

/* Writes the comparisons. Return: an exit code; with --fail-on also RA_CMD_FINDING. */
static int put_out(const struct options *options, const struct ra_diff *diffs)
{
	const struct ra_diff_several several = { .diffs = diffs,
		                                 .names = options->names + 1,
		                                 .count = options->count - 1 };
	int code = 0;

	if (options->output != NULL) {
		code = write_file(&several, options);
	} else {
		print(&several, &options->print, options->brief);
	}
	for (size_t i = 0; i < several.count && code == 0 && options->may_fail; i++) {
		code = ra_diff_is_slower(&diffs[i]) ? RA_CMD_FINDING : 0;
	}
	return code;
}

static bool has_counts(const struct ra_diff_side *side, const struct seen *seen)
{
	return seen->counted == seen->logs && seen->logs >= side->set.source_count;
}

/* Compares the first side with each other side. @seen: one for each side. */
static int compare(const struct options *options, const struct ra_diff_side *sides,
                   const struct seen *seen)
{
	const struct ra_diff_options judging = { options->print.limits, !options->no_drift,
		                                 options->by };
	struct ra_diff diffs[RA_DIFF_SEVERAL_MAX] = { 0 };
	int code = 0;

	for (size_t i = 0; i + 1 < options->count && code == 0; i++) {
		ra_diff_init(&diffs[i], &sides[0], &sides[i + 1], &judging);
		if (options->by == RA_COUNT_NONE && has_counts(&sides[0], &seen[0]) &&
		    has_counts(&sides[i + 1], &seen[i + 1]) &&
		    ra_diff_has_unsure_range(&diffs[i])) {
			code = prefer_counts(
				options, &diffs[i],
				(const char *const[2]){ options->names[0], options->names[i + 1] });
		}
		for (size_t k = 0; k < options->baseline_count && code == 0; k++) {
			code = relent(options, &diffs[i], options->baselines[k]);
		}
		ra_diff_swaps_mark(&diffs[i]);
		ra_diff_loader_mark(&diffs[i]);
	}
	code = code != 0 ? code : put_out(options, diffs);
	for (size_t i = 0; i < RA_DIFF_SEVERAL_MAX; i++) {
		ra_diff_fini(&diffs[i]);
	}
	return code;
}

/* Refuses options that the other tool does not have, and runs its comparison. */
static int run_compat(struct options *options)
{
	if (options->count > 2) {
		return ra_cmd_usage("--compat: two traces are compared, not more");
	}
	if (options->sums.option != NULL) {
		return ra_cmd_usage("--compat: not with --%s", options->sums.option);
	}
	options->compat.steps = options->sums.batch.steps;
	return ra_cmd_diff_compat_run(&options->compat, &options->print);
}

/* Checks the kinds of the inputs. Unreadable files are reported later, when they are read. */
static int check_inputs(const struct options *options)
{
	struct ra_batch_inputs inputs = { 0 };
	int code;

	for (size_t i = 0; i < options->count; i++) {
		(void) ra_batch_inputs_add(&inputs, options->names[i], NULL, NULL);
	}
	for (size_t i = 0; i < options->baseline_count; i++) {
		(void) ra_batch_inputs_add(&inputs, options->baselines[i], NULL, NULL);
	}
	code = ra_cmd_sums_check(&options->sums, &inputs);
	ra_batch_inputs_fini(&inputs);
	return code;
}

static int run_diff(int argc, char **argv)
{
	struct options options = {
		.print = { .limits = { 5, 10000 }, .limit = FEW_ROWS, .causes = MOST_CAUSES }
	};
	struct ra_diff_side sides[SIDES] = { 0 };
	struct seen seen[SIDES] = { 0 };
	int code = parse_options(&options, argc, argv);

	if (code == 0 && options.compat.compat != RA_COMPAT_NONE) {
		code = run_compat(&options);
		ra_cmd_sums_fini(&options.sums);
		return code;
	}
	code = code != 0 ? code : check_inputs(&options);
	for (size_t side = 0; side < options.count && code == 0; side++) {
		code = read_side(&sides[side], options.names[side], &options.sums, &seen[side]);
	}
	if (code == 0) {
		options.print.names[0] = options.names[0];
		options.print.names[1] = options.names[1];
		code = compare(&options, sides, seen);
	}
	for (size_t side = 0; side < SIDES; side++) {
		ra_diff_side_fini(&sides[side]);
	}
	ra_cmd_sums_fini(&options.sums);
	return code;
}

const struct ra_cmd cmd_diff = {
	.name = "diff",
	.synopsis = "diff A B... [options]",
	.summary = "Compare runs: where steps spend their time, and what got slower",
	.notes =
		"A, B and more are logs, traces in JSON, summaries, or folders of these. Files of\n"
		"a folder with different ranks are one run, others a run each. Each side is\n"
		"compared with A: of several there are columns for each, with their letters.\n"
		"Times are per step where both have steps, else per input.\n"
		"\n"
		"What the change of a step is made of: each moment belongs to one cause, so "
		"causes\n"
		"add up to the change. In rows of what changed a range has what runs in it, too.\n"
		"\n"
		"With several runs a side each run is a sample; of one run each the calls are,\n"
		"which can't tell how runs vary: 5 runs a side tell more than any one. A row is\n"
		"slower if the 95 % interval lies beyond half of the limits and reaches beyond\n"
		"the limits, and chance does not show as much in any of the rows; equal if it\n"
		"lies within the limits; else unsure, with the runs that would settle it. By\n"
		"pairs: the i-th call of a run was compared with the i-th of the others. What all\n"
		"ranges share, as on a machine that got slower, is taken out, and told. If it is\n"
		"large, the program may be it: surely, then all are slower, which --fail-on "
		"counts;\n"
		"or not, then rows are unsure, which it does not.\n"
		"A verdict of - : the difference is within the limits, or no more than noise.\n",
	.run = run_diff,
};
