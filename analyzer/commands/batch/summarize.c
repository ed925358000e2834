/* SPDX-License-Identifier: MIT */
/* analyzer summarize FILE... -o OUT: writes the figures of inputs to one small file. */
#include <getopt.h>

#include "analyzer/commands/shared/sums.h"
#include "analyzer/commands/shared/entries.h"
#include "analyzer/commands/shared/cmd.h"
#include "analyzer/commands/options/options.h"

struct options {
	const char *output;
	struct ra_cmd_sums sums;
};

static int parse_options(struct options *options, int argc, char **argv)
{
	int option;

	while ((option = ra_cmd_options_next("summarize", argc, argv)) != -1) {
		if (option == 'o') {
			options->output = optarg;
		} else if (option == 'j') {
			if (ra_cmd_sums_take_jobs(&options->sums.workers, optarg) != 0) {
				return RA_CMD_USAGE;
			}
		} else if (ra_cmd_sums_take(&options->sums, option, optarg) != 0) {
			return RA_CMD_USAGE;
		}
	}
	if (options->output == NULL) {
		return ra_cmd_usage("-o is missing: it names the summary");
	}
	ra_cmd_sums_tell_captures(&options->sums);
	ra_cmd_sums_finish(&options->sums);
	return 0;
}

static int run_summarize(int argc, char **argv)
{
	struct options options = { 0 };
	struct ra_batch_inputs inputs = { 0 };
	struct ra_sum_file file = { 0 };
	int code = parse_options(&options, argc, argv);

	if (code == 0) {
		code = ra_cmd_sums_collect(&inputs, argv + optind, (size_t) (argc - optind), NULL);
	}
	code = code != 0 ? code : ra_cmd_sums_check(&options.sums, &inputs);
	if (code == 0) {
		code = ra_cmd_sums_read(&file, &inputs, &options.sums);
	}
	if (file.count > 0) {
		const int written = ra_cmd_sums_merge(&file, options.output);

		code = written != 0 ? written : code;
	}
	ra_sum_file_fini(&file);
	ra_batch_inputs_fini(&inputs);
	ra_cmd_sums_fini(&options.sums);
	return code;
}

const struct ra_cmd cmd_summarize = {
	.name = "summarize",
	.synopsis = "summarize FILE... -o OUT.sum [options]",
	.summary = "Write the figures of logs and traces into a small file",
	.notes = "A FILE is a log, a trace in JSON, a summary, a folder with all files below it, "
		 "or\n"
		 "@LIST, a file with a name on each line. A file that cannot be read gets a line "
		 "and\n"
		 "is left out. `analyzer stats` and `analyzer diff` read summaries as they read "
		 "logs.\n"
		 "doc/format.md describes a summary.\n",
	.run = run_summarize,
};
