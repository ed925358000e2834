/* SPDX-License-Identifier: MIT */
/* The options of all commands: what is taken, what --help says, and what shells complete. */
#ifndef RA_CMD_OPTIONS_H
#define RA_CMD_OPTIONS_H

#include <stdbool.h>

#include "analyzer/base/util-text.h"

/* An option; one row of the table in option-table.c. */
struct ra_cmd_option {
	char id;           /* what ra_cmd_options_next() returns */
	bool has_letter;   /* -ID is the same */
	const char *name;  /* without its two dashes */
	const char *value; /* "NAME,..."; "[=BYTES]": it may be left out; NULL: there is none */
	/* Names of the commands that take it, with a blank between. Behind * the help of the
	 * command names the option only, as one of those that `analyzer stats` explains. */
	const char *commands;
	const char *text;  /* a sentence for --help; NULL: it is another name of the row before */
	const char *words; /* the values there are, with a blank between; NULL: any text */
};

/* The table: rows in the order of --help. The last one has no name. */
extern const struct ra_cmd_option ra_cmd_option_table[];

/*
 * As getopt_long(3) for a command: the next option of the arguments, whose value is in optarg, and
 * after the last one the first operand is argv[optind].
 *
 * @command: its name; the same in each call.
 * Return: the row's id; -1 after the last one; '?' with a line on stderr: there is no such option,
 * it lacks its value, or has one too many.
 */
int ra_cmd_options_next(const char *command, int argc, char **argv);

/* The name of the first option in the table that has this id. Return: borrowed; NULL: none. */
const char *ra_cmd_options_find_name(int id);

/* The options of a command for its --help, in 80 columns. */
void ra_cmd_options_put_help(struct ra_util_text *text, const char *command);

/* The same for programs, a line for each: --NAME, -LETTER or nothing, VALUE, WORDS and what help
 * says, separated by tabs. */
void ra_cmd_options_put_list(struct ra_util_text *text, const char *command);

#endif
