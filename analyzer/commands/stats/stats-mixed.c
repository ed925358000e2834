/* SPDX-License-Identifier: MIT */
/* analyzer stats with both kinds of reports: some made from summaries, some from the files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/commands/shared/cmd.h"

#define NAME_SIZE 64 /* longer than the name of any report */

static bool is_from_sums(const struct ra_cmd_stats *options, const char *name, size_t length)
{
	struct ra_cmd_stats one = *options;
	char word[NAME_SIZE];

	snprintf(word, sizeof(word), "%.*s", (int) length, name);
	one.report_names = word;
	return ra_cmd_stats_wants_sums(&one);
}

/* Measures the names at the start of a list that are of one kind. Return: their length, without the
 * comma after them. */
static size_t measure_kind(const struct ra_cmd_stats *options, const char *names)
{
	size_t end = strcspn(names, ",");
	const bool from_sums = is_from_sums(options, names, end);

	while (names[end] == ',') {
		const char *next = names + end + 1;
		const size_t length = strcspn(next, ",");

		if (is_from_sums(options, next, length) != from_sums) {
			break;
		}
		end += 1 + length;
	}
	return end;
}

/* Checks the number of files. Return: 0, an exit code. */
static int check_count(struct ra_cmd_stats *kind)
{
	struct ra_cmd_inputs inputs = { 0 };
	int code = ra_cmd_inputs_init(&inputs, kind->files, kind->file_count);

	if (code == 0) {
		code = ra_cmd_stats_check_count(kind, inputs.count);
	}
	ra_cmd_inputs_fini(&inputs);
	return code;
}

/* Calls `check` and `run` for names of one kind; only `check` if `run` is NULL. */
static int do_kind(const struct ra_cmd_stats *options, const char *names, ra_cmd_stats_step check,
                   ra_cmd_stats_step run)
{
	struct ra_cmd_stats kind = *options;
	int code;

	kind.report_names = names;
	kind.other_names = options->report_names;
	code = check(&kind);
	if (code != 0) {
		return code;
	}
	if (run != NULL) {
		return run(&kind);
	}
	return kind.is_of_sums || kind.by_rank ? 0 : check_count(&kind);
}

/* Goes through all kinds. Checking stops at the first one that is refused; running does not. */
static int do_kinds(const struct ra_cmd_stats *options, ra_cmd_stats_step check,
                    ra_cmd_stats_step run)
{
	const char *names = options->report_names;
	int code = 0;

	for (;;) {
		const size_t length = measure_kind(options, names);
		char *kind = ra_util_copy(names, length);
		const int done = do_kind(options, kind, check, run);

		free(kind);
		code = code != 0 ? code : done;
		if (names[length] == '\0' || (run == NULL && code != 0)) {
			return code;
		}
		names += length + 1;
		if (run != NULL && options->prefix == NULL && !options->form->is_one) {
			fputc('\n', stdout);
		}
	}
}

int ra_cmd_stats_run_mixed(const struct ra_cmd_stats *options, ra_cmd_stats_step check,
                           ra_cmd_stats_step run)
{
	const char *names = options->report_names;
	int code;

	if (names == NULL || names[measure_kind(options, names)] == '\0') {
		return do_kind(options, names, check, run);
	}
	if (options->brief > 0) {
		return ra_cmd_usage("--brief: these reports do not fit into one answer; call stats "
		                    "once for each");
	}
	if (options->form == &ra_table_forms_json && options->prefix == NULL) {
		return ra_cmd_usage("--format json: these reports do not fit into one document; "
		                    "give --output, or call stats once for each");
	}
	code = do_kinds(options, check, NULL);
	return code != 0 ? code : do_kinds(options, check, run);
}
