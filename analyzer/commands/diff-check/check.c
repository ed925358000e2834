/* SPDX-License-Identifier: MIT */
/* analyzer check RULES FILE...: checks whether logs and traces keep to rules. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/check/check-print.h"
#include "analyzer/commands/shared/brief.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/sums.h"
#include "analyzer/table/table-budget.h"

struct options {
	enum ra_check_form form;
	bool each;                   /* each input is checked by itself */
	bool strict;                 /* unsure rules count as broken */
	struct ra_check_rules rules; /* rules of --rule; if there are some, no file of rules is
	                                read */
	struct ra_cmd_sums sums;
	size_t brief; /* --brief: bytes; 0: it was not given */
};

static const char *const form_words[] = { "text", "json", "junit", NULL };

static int take_rule(struct ra_check_rules *rules, const char *value)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };

	return ra_check_rules_add(rules, value, &err) == 0
	               ? 0
	               : ra_cmd_usage("--rule: %s", err.message);
}

static int take_option(struct options *options, int option, const char *value)
{
	int choice;

	switch (option) {
	case 'f':
		choice = ra_cmd_choose("--format", value, form_words);
		options->form = (enum ra_check_form) choice;
		return choice < 0 ? RA_CMD_USAGE : 0;
	case 'b':
		return ra_cmd_brief_take(value, &options->brief);
	case 'e':
		options->each = true;
		return 0;
	case 'j':
		return ra_cmd_sums_take_jobs(&options->sums.workers, value);
	case 'K':
		return take_rule(&options->rules, value);
	case 'S':
		options->strict = true;
		return 0;
	default:
		return ra_cmd_sums_take(&options->sums, option, value) == 0 ? 0 : RA_CMD_USAGE;
	}
}

static int parse_options(struct options *options, int argc, char **argv)
{
	int option;

	while ((option = ra_cmd_options_next("check", argc, argv)) != -1) {
		const int code = take_option(options, option, optarg);

		if (code != 0) {
			return code;
		}
	}
	if (optind == argc && options->rules.count == 0) {
		return ra_cmd_usage("no file of rules given");
	}
	ra_cmd_sums_tell_lacks(&options->sums);
	options->sums.batch.without_paths = true;
	ra_cmd_sums_finish(&options->sums);
	return 0;
}

static int read_rules(struct ra_check_rules *rules, const char *path)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	const int rc = ra_check_rules_read(rules, path, &err);

	if (rc == -RLOG_E_ARGUMENT) {
		return ra_cmd_usage("%s: %s", path, err.message);
	}
	return rc == 0 ? 0 : ra_cmd_print_error(path, &err);
}

static int refuse_summaries(void)
{
	fputs("analyzer: summaries: damaged, or not enough memory\n", stderr);
	return RA_CMD_UNREADABLE;
}

/* The rules, and the data of the baselines. */
struct against {
	struct ra_check_rules rules;
	struct ra_diff_side *baselines; /* owned; one for each of the rules' baselines */
};

static void fini_against(struct against *against)
{
	for (size_t i = 0; i < against->rules.baseline_count && against->baselines != NULL; i++) {
		ra_diff_side_fini(&against->baselines[i]);
	}
	free(against->baselines);
	ra_check_rules_fini(&against->rules);
}

static int check_all(struct ra_check *check, const struct against *against,
                     const struct ra_sum_file *file)
{
	struct ra_diff_side side = { 0 };
	const int rc = ra_diff_side_fill(&side, file);

	if (rc == 0) {
		ra_check_add(check, &against->rules, &side, against->baselines, NULL);
	}
	ra_diff_side_fini(&side);
	return rc == 0 ? 0 : refuse_summaries();
}

static int check_part(struct ra_check *check, const struct against *against,
                      struct ra_sum_file_part *from)
{
	const struct ra_sum_file file = { .parts = from, .count = 1 };
	struct ra_util_text where = { 0 };
	struct ra_diff_side side = { 0 };
	const int rc = ra_diff_side_fill(&side, &file);

	if (rc == 0) {
		ra_sum_set_put_source(&where, &side.set.sources[0]);
		ra_util_text_put_char(&where, '\0');
		ra_check_add(check, &against->rules, &side, against->baselines, where.bytes);
	}
	ra_util_text_free(&where);
	ra_diff_side_fini(&side);
	return rc == 0 ? 0 : refuse_summaries();
}

static int check_file(struct ra_check *check, const struct against *against,
                      const struct ra_sum_file *file, bool each)
{
	int code = each ? 0 : check_all(check, against, file);

	for (size_t i = 0; i < file->count && each && code == 0; i++) {
		code = check_part(check, against, &file->parts[i]);
	}
	return code;
}

/* Reads all baselines, in the same way as the inputs. */
static int read_inputs(struct ra_sum_file *file, char *const *names, size_t count,
                       const struct ra_cmd_sums *sums, bool is_first)
{
	struct ra_batch_inputs inputs = { 0 };
	int code = ra_cmd_sums_collect(&inputs, names, count, NULL);

	code = code != 0 || !is_first ? code : ra_cmd_sums_check(sums, &inputs);
	if (code == 0 && ra_cmd_sums_read(file, &inputs, sums) != 0) {
		code = RA_CMD_UNREADABLE;
	}
	if (code == 0) {
		ra_cmd_sums_order(file);
	}
	ra_batch_inputs_fini(&inputs);
	return code;
}

static int read_baselines(struct against *against, const struct ra_cmd_sums *sums)
{
	const struct ra_check_rules *rules = &against->rules;
	int code = 0;

	against->baselines = ra_alloc_zeros(rules->baseline_count + 1, sizeof(*against->baselines));
	for (size_t i = 0; i < rules->baseline_count && code == 0; i++) {
		struct ra_sum_file file = { 0 };

		code = read_inputs(&file, &rules->baselines[i], 1, sums, false);
		if (code == 0 && ra_diff_side_fill(&against->baselines[i], &file) != 0) {
			code = refuse_summaries();
		}
		ra_sum_file_fini(&file);
	}
	return code;
}

/* Writes the results in one size (ra_table_budget_put). */
static void put_brief(struct ra_util_text *text, size_t rows, size_t tables, const void *context)
{
	(void) tables;
	ra_check_print_brief(text, context, rows);
}

static int print(const struct ra_check *check, const struct options *options)
{
	struct ra_util_text text = { 0 };
	const int code = ra_check_count(check, RA_CHECK_BROKEN) > 0 ? RA_CMD_FINDING : 0;

	if (options->brief > 0) {
		ra_table_budget_fit(&text, options->brief, 1, put_brief, check);
	} else {
		ra_check_print_put(&text, check, options->form);
	}
	(void) ra_util_text_write(&text, stdout);
	ra_util_text_free(&text);
	return code;
}

/* Checks all inputs or none, because an input that can't be read may break a rule. */
static int run_check(int argc, char **argv)
{
	struct options options = { 0 };
	struct against against = { 0 };
	struct ra_sum_file file = { 0 };
	struct ra_check check = { 0 };
	int code = parse_options(&options, argc, argv);

	against.rules = options.rules;
	if (code == 0 && against.rules.count == 0) {
		code = read_rules(&against.rules, argv[optind++]);
	}
	if (code == 0) {
		code = read_inputs(&file, argv + optind, (size_t) (argc - optind), &options.sums,
		                   true);
	}
	if (code == 0) {
		code = read_baselines(&against, &options.sums);
	}
	check.is_strict = options.strict;
	if (code == 0) {
		code = check_file(&check, &against, &file, options.each);
	}
	if (code == 0) {
		code = print(&check, &options);
	}
	ra_check_fini(&check);
	ra_sum_file_fini(&file);
	fini_against(&against);
	ra_cmd_sums_fini(&options.sums);
	return code;
}

const struct ra_cmd cmd_check = {
	.name = "check",
	.synopsis = "check RULES FILE... [options]\n"
		    "check --rule RULE... FILE... [options]",
	.summary = "Check figures of logs and traces against budgets",
	.notes =
		"RULES is a file with a rule on each line; # begins a remark:\n"
		"  step.p99 < 20ms              also calls, total, mean, min, max, p50, p90,\n"
		"                               imbalance (over inputs), and means of parts:\n"
		"  step.dataloader < 5%         kernel, memcpy, memset, communication, runtime,\n"
		"                               dataloader, cpu_exec, other; as a time or share\n"
		"  gpu.idle < 10%               busy, idle, exposed (communication), of the time\n"
		"                               from the first GPU operation to the last\n"
		"  lost == 0                    lost, events, inputs, incomplete\n"
		"  range[forward].max <= 5ms    of a name, in which * stands for any text; also\n"
		"  api[cudaMalloc*].calls == 0  kernel, collective, memcpy, api; of ranges also\n"
		"                               self and cuda, of memcpy bytes, of api errors\n"
		"  range[sort].p50 < main.sum * 1.05\n"
		"                               the same figure of another FILE or folder, times "
		"a\n"
		"                               number; sums are scaled to as many inputs\n"
		"  range[sort].total < range[parse].total * 2\n"
		"                               another figure of the same FILEs\n"
		"With several runs such a rule holds if the whole 95 % interval keeps it, and is\n"
		"broken if no part of it does. Otherwise it is unsure, which is no failure.\n"
		"Comparisons are < <= > >= == !=, times ns, us, ms, s. A rule is broken if its "
		"figure\n"
		"is missing (no steps, no GPU work, no such name), unless it ends in \"or none\":\n"
		"range[retry].calls < 3 or none. \"== 0\" and \"< 1\" also hold for no such name.\n"
		"Exit: 0 all rules hold, 1 some are broken, 2 RULES is wrong, 3 a FILE is wrong.\n",
	.run = run_check,
};
