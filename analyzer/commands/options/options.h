/* SPDX-License-Identifier: MIT */
/* The options of the analyzer's commands: the table, and how a command reads its own. */
#ifndef RA_CMD_OPTIONS_H
#define RA_CMD_OPTIONS_H

#include "format/options/options.h"

/* Rows in the order of --help. */
extern const struct rlog_option ra_cmd_option_table[];

/* Which of them do not go together. */
extern const struct rlog_option_pair ra_cmd_option_pairs[];

/* Above what `analyzer stats` explains. */
#define RA_CMD_OPTIONS_NAMED "How logs and traces are read, as by `analyzer stats`:"

/*
 * As getopt_long(3) for a command: the next option of the arguments, whose value is in optarg;
 * after the last one the first operand is argv[optind].
 *
 * @command: its name; the same in each call.
 * Return: the row's id; -1 after the last one; '?' with a line on stderr.
 */
int ra_cmd_options_next(const char *command, int argc, char **argv);

#endif
