/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE: chosen reports, as tables for people or for programs. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/cmd-inputs.h"
#include "analyzer/cmd-names.h"
#include "analyzer/cmd-rules.h"
#include "analyzer/cmd.h"
#include "analyzer/footer.h"
#include "analyzer/report-none.h"
#include "analyzer/report.h"
#include "analyzer/table-data.h"
#include "analyzer/table-text.h"

#define MAX_REPORTS 32 /* more than there are; each can be named once */

enum form {
	FORM_TABLE,
	FORM_CSV,
	FORM_TSV,
	FORM_JSON,
	FORM_MARKDOWN,
};

static const char *const form_words[] = { "table", "csv", "tsv", "json", "md", NULL };

struct options {
	char *const *files; /* as given: files and folders */
	size_t file_count;
	const char *report_names; /* NULL: the usual one */
	enum ra_compat compat;
	const struct ra_report *reports[MAX_REPORTS];
	size_t report_count;
	const struct ra_model *model; /* the first one, once it is loaded */
	struct ra_query query;
	struct ra_settings settings;
	struct ra_cmd_names names;
	struct ra_labels_options kernels;
	struct ra_load_options load;
	enum form form;
	size_t width;
	bool strict;
};

static bool has_report(const struct options *options, const struct ra_report *report)
{
	for (size_t i = 0; i < options->report_count; i++) {
		if (options->reports[i] == report) {
			return true;
		}
	}
	return false;
}

/* Return: RA_CMD_USAGE. */
static int refuse_report(const struct options *options, const char *name, size_t length)
{
	if (options->compat == RA_COMPAT_NONE) {
		return ra_cmd_usage("--report: there is no report \"%.*s\"", (int) length, name);
	}
	return ra_cmd_usage("--report: with --compat=%s there is no report \"%.*s\"",
	                    ra_compat_words[options->compat], (int) length, name);
}

static void add_report(struct options *options, const struct ra_report *report)
{
	if (options->report_count < MAX_REPORTS) {
		options->reports[options->report_count++] = report;
	}
}

static void add_all(struct options *options)
{
	for (const struct ra_report *const *all = ra_report_borrow_all(); *all != NULL; all++) {
		if (ra_report_is_for(*all, options->compat) && !(*all)->is_long &&
		    !has_report(options, *all)) {
			add_report(options, *all);
		}
	}
}

/* To people a wait is a wait: behind "sync" come the waits for the GPU, if there are any. */
static void add_gpu_sync(struct options *options, const struct ra_model *model)
{
	size_t at = 0;

	while (at < options->report_count && options->reports[at] != &ra_report_sync) {
		at++;
	}
	if (at == options->report_count || model->gpu.sync_count == 0 ||
	    has_report(options, &ra_report_gpu_sync)) {
		return;
	}
	add_report(options, &ra_report_gpu_sync);
	for (size_t i = options->report_count - 1; i > at + 1; i--) {
		options->reports[i] = options->reports[i - 1];
	}
	options->reports[at + 1] = &ra_report_gpu_sync;
}

/* Takes "ranges,threads". Return: 0, RA_CMD_USAGE. */
static int choose_reports(struct options *options)
{
	const char *name = options->report_names;

	options->report_count = 0;
	if (name == NULL) {
		options->reports[0] = ra_report_find_usual(options->compat);
		options->report_count = 1;
		return options->reports[0] != NULL ? 0 : refuse_report(options, "", 0);
	}
	for (;;) {
		const size_t length = strcspn(name, ",");
		const struct ra_report *report = ra_report_find(name, length, options->compat);

		if (length == 3 && memcmp(name, "all", 3) == 0) {
			add_all(options);
		} else if (report == NULL) {
			return refuse_report(options, name, length);
		} else if (has_report(options, report)) {
			return ra_cmd_usage("--report: \"%s\" is named twice", report->name);
		} else {
			add_report(options, report);
		}
		if (name[length] == '\0') {
			return 0;
		}
		name += length + 1;
	}
}

/* Takes "category,name". Return: 0, RA_CMD_USAGE. */
static int choose_groupings(struct options *options, const char *words)
{
	const char *word = words;
	unsigned named = 0;

	options->query.group_by = RA_GROUP_BY_DOMAIN;
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

/* A number of rows or columns. Return: 0, RA_CMD_USAGE. */
static int parse_size(const char *option, const char *value, size_t *size)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number > UINT32_MAX) {
		return ra_cmd_usage("%s: \"%s\" is no number of rows or columns", option, value);
	}
	*size = (size_t) number;
	return 0;
}

/* Names the keys there are. */
static int refuse_sort(const struct options *options)
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

/* At least one of the reports must know the sort key. */
static int check_sort(const struct options *options)
{
	bool is_descending;

	if (options->query.sort == NULL) {
		return 0;
	}
	for (size_t i = 0; i < options->report_count; i++) {
		const struct ra_report *report = options->reports[i];

		if (ra_query_find_sort(options->query.sort, report->columns, report->column_count,
		                       &is_descending) < report->column_count) {
			return 0;
		}
	}
	return refuse_sort(options);
}

/* Return: 0, RA_CMD_USAGE. */
static int set_option(struct options *options, const char *value)
{
	const char *wrong = ra_settings_take(&options->settings, value);

	return wrong == NULL ? 0 : ra_cmd_usage("--set: %s: %s", value, wrong);
}

static int take_option(struct options *options, int option, const char *value)
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
		choice = ra_cmd_choose("--format", value, form_words);
		options->form = (enum form) choice;
		return choice < 0 ? RA_CMD_USAGE : 0;
	case 'g':
		return choose_groupings(options, value);
	case 'n':
		return ra_cmd_names_take_form(&options->names, value);
	case 'k':
		choice = ra_cmd_choose("--kernel-name", value, ra_kernel_name_words);
		options->kernels.kernel_form = (enum ra_kernel_form) choice;
		return choice < 0 ? RA_CMD_USAGE : 0;
	case 'R':
		return ra_cmd_names_take_rename(&options->names, value);
	case 'A':
		return ra_cmd_rules_take(&options->load.link, value);
	case 's':
		options->query.sort = value;
		return 0;
	case 'l':
		return parse_size("--limit", value, &options->query.limit);
	case 'w':
		return parse_size("--width", value, &options->width);
	case 'O':
		return set_option(options, value);
	case 'P':
		options->load.with_python = true;
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
	static const struct option long_options[] = {
		{ "report", required_argument, NULL, 'r' },
		{ "compat", required_argument, NULL, 'c' },
		{ "format", required_argument, NULL, 'f' },
		{ "group-by", required_argument, NULL, 'g' },
		{ "names", required_argument, NULL, 'n' },
		{ "rename", required_argument, NULL, 'R' },
		{ "kernel-name", required_argument, NULL, 'k' },
		{ "attribute", required_argument, NULL, 'A' },
		{ "sort", required_argument, NULL, 's' },
		{ "limit", required_argument, NULL, 'l' },
		{ "width", required_argument, NULL, 'w' },
		{ "set", required_argument, NULL, 'O' },
		{ "python", no_argument, NULL, 'P' },
		{ "strict", no_argument, NULL, 'S' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	options->query.group_by = RA_GROUP_BY_NAME;
	ra_settings_init(&options->settings);
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	while ((option = getopt_long(argc, argv, "r:f:g:n:s:l:w:", long_options, NULL)) != -1) {
		const int code = take_option(options, option, optarg);

		if (code != 0) {
			return code;
		}
	}
	options->files = argv + optind;
	options->file_count = (size_t) (argc - optind);
	options->names.labels.with_shapes = (options->query.group_by & RA_GROUP_BY_SHAPE) != 0;
	return choose_reports(options) != 0 ? RA_CMD_USAGE : check_sort(options);
}

static size_t find_terminal_width(void)
{
	struct winsize window = { 0 };

	return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0
	               ? window.ws_col
	               : 0;
}

static void put_table(struct ra_util_text *text, const struct options *options,
                      const struct ra_report *report, const struct ra_table *table)
{
	const bool is_first = report == options->reports[0];
	const bool is_none = report->none != NULL && table->row_count + table->cut_count == 0;

	switch (options->form) {
	case FORM_TABLE:
		if (options->report_count > 1) {
			ra_util_text_format(text, "%s%s\n\n", is_first ? "" : "\n", report->title);
		}
		if (is_none) {
			ra_report_none_put(text, report, options->model);
		} else {
			ra_table_text_put(text, table, options->width);
		}
		break;
	case FORM_MARKDOWN:
		if (options->report_count > 1) {
			ra_util_text_format(text, "%s## %s\n\n", is_first ? "" : "\n",
			                    report->title);
		}
		if (is_none) {
			ra_report_none_put(text, report, options->model);
		} else {
			ra_table_text_put_markdown(text, table);
		}
		break;
	case FORM_CSV:
		ra_util_text_put(text, "\n", is_first ? 0 : 1);
		ra_table_data_put_csv(text, table);
		break;
	case FORM_TSV:
		ra_util_text_put(text, "\n", is_first ? 0 : 1);
		ra_table_data_put_tsv(text, table);
		break;
	case FORM_JSON:
		ra_util_text_format(text, "%s\"%s\":", is_first ? "" : ",\n", report->name);
		ra_table_data_put_json(text, table);
		break;
	}
}

/* "input" is a text where there is one file, "inputs" an array where there are several. */
static void put_head(struct ra_util_text *text, const struct options *options,
                     const struct ra_cmd_inputs *inputs)
{
	const bool has_several = inputs->count > 1;

	if (options->form != FORM_JSON) {
		return;
	}
	ra_util_text_format(text, has_several ? "{\"inputs\":[" : "{\"input\":");
	for (size_t i = 0; i < inputs->count; i++) {
		const struct rlog_string path = { inputs->paths[i],
			                          (uint32_t) strlen(inputs->paths[i]), 0 };

		ra_util_text_format(text, i == 0 ? "\"" : ",\"");
		ra_util_text_put_name(text, path, RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
	}
	ra_util_text_format(text, "%s,\n\"reports\":{\n", has_several ? "]" : "");
}

static void put_notes(const struct ra_model *model)
{
	struct ra_footer_line lines[RA_FOOTER_LINES];

	if (ra_footer_collect(model, lines) > 0) {
		struct ra_util_text notes = { 0 };

		ra_footer_put_text(&notes, model, "analyzer: ");
		(void) ra_util_text_write(&notes, stderr);
		ra_util_text_free(&notes);
	}
}

/* CSV and TSV have no place for the footer: there it goes to stderr, and only if there is something
 * to say. */
static void put_foot(struct ra_util_text *text, const struct options *options,
                     const struct ra_cmd_inputs *inputs, const struct ra_labels *labels)
{
	const bool has_several = inputs->count > 1;

	if (options->form == FORM_JSON) {
		ra_util_text_format(text, has_several ? "},\n\"footers\":[" : "},\n\"footer\":");
	} else if (options->form == FORM_TABLE || options->form == FORM_MARKDOWN) {
		ra_util_text_put_char(text, '\n');
		ra_labels_put_note(text, labels);
	}
	for (size_t i = 0; i < inputs->count; i++) {
		switch (options->form) {
		case FORM_JSON:
			ra_util_text_put(text, ",\n", i == 0 ? 0 : 2);
			ra_footer_put_json(text, inputs->models[i]);
			break;
		case FORM_TABLE:
		case FORM_MARKDOWN:
			if (has_several) {
				ra_util_text_format(text, "%s%s:\n", i == 0 ? "" : "\n",
				                    inputs->paths[i]);
			}
			ra_footer_put_text(text, inputs->models[i], "");
			break;
		case FORM_CSV:
		case FORM_TSV:
			put_notes(inputs->models[i]);
			break;
		}
	}
	if (options->form == FORM_JSON) {
		ra_util_text_format(text, has_several ? "]}\n" : "}\n");
	}
}

static int print_reports(const struct options *options, const struct ra_cmd_inputs *inputs)
{
	struct ra_labels labels;
	struct ra_labels kernels;
	struct ra_report_input input = {
		.model = inputs->models[0],
		.models = inputs->models,
		.ranks = inputs->ranks,
		.model_count = inputs->count,
		.settings = &options->settings,
		.group_by = options->query.group_by,
		.compat = options->compat,
		.labels = &labels,
		.kernels = &kernels,
	};
	struct ra_util_text text = { 0 };
	int rc = ra_labels_init(&labels, inputs->models[0], &options->names.labels);

	if (ra_labels_init(&kernels, inputs->models[0], &options->kernels) != 0) {
		rc = -RLOG_E_NO_MEMORY;
	}

	put_head(&text, options, inputs);
	for (size_t i = 0; i < options->report_count && rc == 0; i++) {
		struct ra_table table;

		rc = ra_report_make(options->reports[i], &input, &options->query, &table);
		if (rc == 0) {
			put_table(&text, options, options->reports[i], &table);
		}
		ra_table_fini(&table);
	}
	ra_report_fini_input(&input);
	if (rc == 0) {
		put_foot(&text, options, inputs, &labels);
		rc = ra_util_text_write(&text, stdout);
	}
	ra_util_text_free(&text);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
	return rc;
}

/* Most reports read one file. */
static int check_count(const struct options *options, size_t count)
{
	for (size_t i = 0; i < options->report_count && count > 1; i++) {
		if (!options->reports[i]->reads_several) {
			return ra_cmd_usage("the report \"%s\" reads one file, and there are %zu",
			                    options->reports[i]->name, count);
		}
	}
	return 0;
}

/* What another tool would say, only its own files tell. */
static int check_compat(const struct options *options, const struct ra_cmd_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count && options->compat != RA_COMPAT_NONE; i++) {
		if (inputs->models[i]->kineto == NULL) {
			return ra_cmd_usage("--compat=%s reads traces in JSON, and %s is none",
			                    ra_compat_words[options->compat], inputs->paths[i]);
		}
	}
	return 0;
}

static int make_stats(struct options *options, struct ra_cmd_inputs *inputs)
{
	int code = ra_cmd_inputs_init(inputs, options->files, options->file_count);

	if (code == 0) {
		code = check_count(options, inputs->count);
	}
	if (code == 0) {
		code = ra_cmd_inputs_load(inputs, &options->load);
	}
	if (code == 0) {
		code = check_compat(options, inputs);
	}
	if (code != 0) {
		return code;
	}
	options->model = inputs->models[0];
	add_gpu_sync(options, options->model);
	if (print_reports(options, inputs) == -RLOG_E_NO_MEMORY) {
		code = ra_cmd_print_unwritten("standard output", ENOMEM);
	}
	fflush(stdout); /* what is wrong comes after what is there; main looks after errors */
	for (size_t i = 0; i < inputs->count; i++) {
		(void) ra_cmd_print_lacks(inputs->paths[i], inputs->models[i]);
		if (code == 0 && options->strict && ra_footer_is_incomplete(inputs->models[i])) {
			code = RA_CMD_INCOMPLETE;
		}
	}
	return code;
}

static int run_stats(int argc, char **argv)
{
	struct options options = { .width = find_terminal_width(),
		                   .kernels = { .is_kernels = true } };
	struct ra_cmd_inputs inputs = { 0 };
	int code = parse_options(&options, argc, argv);

	if (code == 0) {
		code = make_stats(&options, &inputs);
	}
	ra_cmd_inputs_fini(&inputs);
	ra_cmd_names_free(&options.names);
	return code;
}

const struct ra_cmd cmd_stats = {
	.name = "stats",
	.synopsis = "stats FILE... [--report NAME,...] [--format FORM] [options]",
	.summary = "Print chosen reports as tables",
	.help = "  -r, --report NAME,...  ranges (the default), threads, domains,\n"
		"                         payload, counters, sync, trace, footer; of GPUs:\n"
		"                         devices, kernels, launch, launches, gaps, idle, memcpy,\n"
		"                         memory, graphs, api, projection, gpu-sync, overhead;\n"
		"                         all: all but launches\n"
		"      --compat=TOOL      figures as another tool gives them, its faults "
		"included:\n"
		"                         tb, hta, torch, torch-old (1.13 to 2.4); none: our own "
		"(the\n"
		"                         default)\n"
		"  -f, --format FORM      table (the default), csv, tsv, json, md\n"
		"  -g, --group-by KEY,... ranges: what makes a row, beside domain and kind: name\n"
		"                         (the default), shape (name and sizes of inputs), path,\n"
		"                         domain, category, payload\n"
		"  -n, --names FORM       normal (the default): names that PyTorch, XLA and "
		"others\n"
		"                         make for each call without its arguments; raw: as they "
		"are\n"
		"      --rename RULE      put other names, by s/REGEX/REPLACEMENT/ or a FILE of "
		"such\n"
		"                         rules, a line each; can be given several times\n"
		"      --kernel-name FORM full (the default): as C++ writes it; short: without "
		"template\n"
		"                         arguments and parameters; base: without namespaces, "
		"too;\n"
		"                         mangled: as the compiler made it\n" RA_CMD_RULES_HELP
		"      --python           of PyTorch's traces: Python functions are ranges, too\n"
		"  -s, --sort COLUMN      a column's name as in --format csv, with or without "
		"_ns;\n"
		"                         +COLUMN: smallest first, -COLUMN: largest first\n"
		"  -l, --limit N          the first N rows; 0: all (the default)\n"
		"  -w, --width N          shorten names in tables to N columns; 0: do not (the\n"
		"                         default is the terminal's width)\n"
		"      --set KEY=VALUE    what reports take as given: see analyzer(1)\n"
		"      --strict           exit with 4 if events are missing\n"
		"\n"
		"Several FILEs, or a folder of them, are the ranks of one run; few reports "
		"take them.\n"
		"Tables end with what the log lacks; CSV and TSV say so on standard error.\n"
		"In csv, tsv and json times are ns and shares are fractions of 1.\n"
		"CPU times are wall-clock times of the thread between push and pop.\n",
	.run = run_stats,
};
