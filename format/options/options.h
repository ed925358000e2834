/* SPDX-License-Identifier: MIT */
/* Options of a program's commands from one table: parses them, prints --help, and answers
 * completions. */
#ifndef RLOG_OPTIONS_H
#define RLOG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <getopt.h>

/* A row of the table: one option of some commands. */
struct rlog_option {
	char id;           /* identifies the option in the command's code; the option's letter, if
	                    * it has one */
	bool has_letter;   /* true if -ID works, too */
	const char *name;  /* without the two dashes; NULL: end of the table */
	const char *value; /* "NAME,..."; "[=BYTES]" if the value is optional; NULL if the option
	                    * has none */
	/* The commands that take the option, separated by blanks. A command marked by * takes it,
	 * too, but its help only names it, because another command's help explains it. */
	const char *commands;
	const char *text;  /* a sentence for --help; NULL if the option is another name for the
	                    * previous row */
	const char *words; /* the possible values, separated by blanks; NULL: any text */
	/* The environment variable that the option sets, with "=VALUE" if the option has no value;
	 * NULL: none. */
	const char *variable;
};

/* A row of the table of pairs: an option that excludes another option, or needs it. */
struct rlog_option_pair {
	const char *command; /* the commands for which the row holds, separated by blanks; NULL: end
	                      * of the table */
	const char *options; /* names without dashes, separated by blanks; the row holds for each of
	                      * them */
	bool is_needed;      /* true: needs the other option; false: excludes it */
	const char *other;   /* name of the other option */
	/* The values of the other option for which the row holds, separated by blanks. After a !
	 * these are the values for which it does not hold. NULL: it holds for any value. */
	const char *values;
	const char *why; /* text that is added to the line that refuses the pair; NULL: none */
};

#define RLOG_OPTIONS_MOST 64 /* most options of one command */

/* State of parsing a command's options. The caller sets the first members down to ends_at_operand,
 * and all others to zero. */
struct rlog_options {
	const struct rlog_option *table;
	const struct rlog_option_pair *pairs; /* NULL: there are none */
	const char *program;
	const char *command;
	bool ends_at_operand; /* true if another program's arguments follow the first operand */
	char why[400];        /* what is wrong; empty if nothing is */
	/* The following members are internal: the options in getopt's form. */
	size_t count;
	const struct rlog_option *rows[RLOG_OPTIONS_MOST];
	const char *given[RLOG_OPTIONS_MOST]; /* value given for each row; "" if it has no value;
	                                       * NULL if the option was not given */
	struct option longs[RLOG_OPTIONS_MOST + 1];
	char letters[2 * RLOG_OPTIONS_MOST + 4];
};

/*
 * Returns the next option, like getopt_long(3). argv[0] is the command's name. After a call optarg
 * is the option's value. After the last option argv[optind] is the first operand.
 *
 * Return: the option's row; NULL after the last one. Also NULL, with options->why filled, for an
 * unknown option, a missing or unexpected value, or two options that do not go together.
 * Context: one thread, one command line per program.
 */
const struct rlog_option *rlog_options_next(struct rlog_options *options, int argc, char **argv);

/* Returns the name of the first option in a table that has this id; NULL if none has. Borrowed from
 * the table. */
const char *rlog_options_find_name(const struct rlog_option *table, int id);

/*
 * Prints the options of a command for its --help, in 79 columns.
 *
 * @named: the line to print above the options that the help only names; NULL if the table has none.
 * Return: number of lines.
 */
size_t rlog_options_print_help(FILE *out, const struct rlog_option *table, const char *command,
                               const char *named);

/* Prints an option as --help does. Return: number of lines. */
size_t rlog_options_print_row(FILE *out, const struct rlog_option *row);

/*
 * Prints options for completions and man pages. Each line has fields separated by tabs: --NAME,
 * -LETTER, VALUE, WORDS, the help text, * if the help only names the option, VARIABLE, and the
 * options that it excludes or needs. A field without a value is empty.
 *
 * @pairs: NULL if there are none.
 */
void rlog_options_print_list(FILE *out, const struct rlog_option *table,
                             const struct rlog_option_pair *pairs, const char *command);

#endif
