/* SPDX-License-Identifier: MIT */
/* The options of the analyzer's commands: the table, and how a command reads its own. */
#ifndef RA_CMD_OPTIONS_H
#define RA_CMD_OPTIONS_H

#include "format/options/options.h"

/* Rows in the order of --help. */
extern const struct rlog_option ra_cmd_option_table[];

/* The options that exclude each other. */
extern const struct rlog_option_pair ra_cmd_option_pairs[];

/* Shown above the part that `analyzer stats` explains. */
#define RA_CMD_OPTIONS_NAMED "How logs and traces are read, as by `analyzer stats`:"

/*
 * Like getopt_long(3) for a command: finds the next option, with its value in optarg; after the
 * last one, argv[optind] is the first operand.
 *
 * @command: its name; the same in each call.
 * Return: the row's id; -1 after the last one; '?' with a line on stderr.
 */
int ra_cmd_options_next(const char *command, int argc, char **argv);

#endif
