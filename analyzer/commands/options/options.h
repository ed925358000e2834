/* SPDX-License-Identifier: MIT */
/* The options of the analyzer's commands: the table, and how a command reads its own. */
#ifndef RA_CMD_OPTIONS_H
#define RA_CMD_OPTIONS_H

#include "analyzer/report/settings.h"
#include "format/options/options.h"

/* The options of all commands, in the order of --help. */
extern const struct rlog_option ra_cmd_option_table[];

/* The options that exclude each other. */
extern const struct rlog_option_pair ra_cmd_option_pairs[];

/* An option of `analyzer stats` whose value every report gets, and the setting that it fills. */
struct ra_cmd_option_setting {
	char id; /* the id of the option's row; 0: end of the table */
	const char *name;
	size_t at; /* offset of a member of struct ra_settings; the member is 0 if the option is not
	              given */
	enum ra_setting_kind kind;
};

extern const struct ra_cmd_option_setting ra_cmd_option_settings[];

/* Finds the setting of an option of `analyzer stats`. Return: NULL: it fills none. */
const struct ra_cmd_option_setting *ra_cmd_options_find_setting(int id);

/* The help prints this line before the options that `analyzer stats` explains. */
#define RA_CMD_OPTIONS_NAMED "How logs and traces are read, as by `analyzer stats`:"

/*
 * Finds the next option of a command, as getopt_long(3) does. Its value is in optarg. After the
 * last option, argv[optind] is the first operand.
 *
 * @command: the command's name; the same in each call.
 * Return: the row's id; -1 after the last one; '?' with a line on stderr.
 */
int ra_cmd_options_next(const char *command, int argc, char **argv);

#endif
