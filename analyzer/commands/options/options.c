/* SPDX-License-Identifier: MIT */
/* Reads the options of the analyzer's commands. */
#include "analyzer/commands/options/options.h"

#include <string.h>

int ra_cmd_options_next(const char *command, int argc, char **argv)
{
	static const struct rlog_options none = { .table = ra_cmd_option_table,
		                                  .pairs = ra_cmd_option_pairs,
		                                  .program = "analyzer" };
	static struct rlog_options options;
	const bool is_default = strcmp(command, "analyze") == 0;
	const struct rlog_option *row;

	/* A program that runs several commands sets optind to 0, so that getopt starts anew. */
	if (options.command == NULL || optind == 0) {
		options = none;
	}
	options.command = command;
	row = rlog_options_next(&options, argc, argv);
	if (row == NULL && options.why[0] != '\0') {
		fprintf(stderr, "analyzer: %s; see analyzer %s%s--help\n", options.why,
		        is_default ? "" : command, is_default ? "" : " ");
		return '?';
	}
	return row == NULL ? -1 : row->id;
}

const struct ra_cmd_option_setting *ra_cmd_options_find_setting(int id)
{
	const struct ra_cmd_option_setting *row = ra_cmd_option_settings;

	while (row->id != 0 && row->id != id) {
		row++;
	}
	return row->id == 0 ? NULL : row;
}
