/* SPDX-License-Identifier: MIT */
/* Reads the options of the analyzer's commands. */
#include "analyzer/commands/options/options.h"

#include <string.h>

int ra_cmd_options_next(const char *command, int argc, char **argv)
{
	/* One program, one command. */
	static struct rlog_options options = { .table = ra_cmd_option_table,
		                               .pairs = ra_cmd_option_pairs,
		                               .program = "analyzer" };
	const bool is_default = strcmp(command, "analyze") == 0;
	const struct rlog_option *row;

	options.command = command;
	row = rlog_options_next(&options, argc, argv);
	if (row == NULL && options.why[0] != '\0') {
		fprintf(stderr, "analyzer: %s; see analyzer %s%s--help\n", options.why,
		        is_default ? "" : command, is_default ? "" : " ");
		return '?';
	}
	return row == NULL ? -1 : row->id;
}
