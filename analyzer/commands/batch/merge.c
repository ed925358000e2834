/* SPDX-License-Identifier: MIT */
/* analyzer merge FILE... -o OUT: joins summaries into one. */
#include <getopt.h>

#include "analyzer/commands/shared/sums.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/commands/options/options.h"

/* Writes nothing if a part can't be read: nobody would notice in the result that it is missing. */
static int read_summaries(struct ra_sum_file *file, const struct ra_batch_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		struct rlog_error err = { .offset = RLOG_NO_OFFSET };

		if (ra_sum_file_read(file, inputs->rows[i].path, &err) != 0) {
			return ra_cmd_print_error(inputs->rows[i].path, &err);
		}
	}
	return 0;
}

static int parse_options(const char **output, int argc, char **argv)
{
	int option;

	while ((option = ra_cmd_options_next("merge", argc, argv)) != -1) {
		if (option != 'o') {
			return RA_CMD_USAGE;
		}
		*output = optarg;
	}
	return *output == NULL ? ra_cmd_usage("-o is missing: it names the summary") : 0;
}

static int run_merge(int argc, char **argv)
{
	struct ra_batch_inputs inputs = { 0 };
	struct ra_sum_file file = { 0 };
	const char *output = NULL;
	int code = parse_options(&output, argc, argv);

	if (code == 0) {
		code = ra_cmd_sums_collect(&inputs, argv + optind, (size_t) (argc - optind), NULL);
	}
	if (code == 0) {
		code = read_summaries(&file, &inputs);
	}
	if (code == 0) {
		code = ra_cmd_sums_merge(&file, output);
	}
	ra_sum_file_fini(&file);
	ra_batch_inputs_fini(&inputs);
	return code;
}

const struct ra_cmd cmd_merge = {
	.name = "merge",
	.synopsis = "merge FILE.sum... -o OUT.sum",
	.summary = "Merge summaries into one",
	.notes =
		"The output does not depend on the order of the files, nor on earlier merges. An\n"
		"input that is in several files counts once. If a file cannot be read, nothing is\n"
		"written.\n",
	.run = run_merge,
};
