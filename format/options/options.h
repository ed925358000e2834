/* SPDX-License-Identifier: MIT */
/* Options of a program's commands from one table: parses them, prints --help, and answers
 * completions. */
#ifndef RLOG_OPTIONS_H
#define RLOG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <getopt.h>

/* An option of a command: a row. */
struct rlog_option {
	char id;           /* the command's name for it; its letter, if it has one */
	bool has_letter;   /* -ID works, too */
	const char *name;  /* without the two dashes; NULL: end of the table */
	const char *value; /* "NAME,..."; "[=BYTES]": optional; NULL: none */
	/* The commands that take the option, separated by blanks. Commands after * also take it;
	 * their help only names it, because another command's help explains it. */
	const char *commands;
	const char *text;  /* a sentence for --help; NULL: another name for the previous row */
	const char *words; /* the possible values, separated by blanks; NULL: any text */
	/* environment variable that it sets, with "=VALUE" if the option has no value; NULL:
	 * none */
	const char *variable;
};

/* A row: an option of a command that excludes another option, or needs it. */
struct rlog_option_pair {
	const char *command; /* the commands that the row is for, separated by blanks; NULL: end of
	                        the table */
	const char *options; /* names separated by blanks, without dashes; the row holds for each */
	bool is_needed;      /* false: not with the other; true: not without it */
	const char *other;   /* the other's name */
	/* The other option's values for which the row holds, separated by blanks. After !: values
	 * for which it does not hold. NULL: it holds for any value. */
	const char *values;
	const char *why; /* added to the line that refuses it; NULL: nothing */
};

#define RLOG_OPTIONS_MOST 64 /* per command */

/* State of parsing a command's options. Zero-initialise all but the first four. */
struct rlog_options {
	const struct rlog_option *table;
	const struct rlog_option_pair *pairs; /* NULL: none */
	const char *program;
	const char *command;
	bool ends_at_operand; /* another program's arguments follow the first operand */
	char why[400];        /* what is wrong; empty: nothing */
	/* Below: in getopt's form. */
	size_t count;
	const struct rlog_option *rows[RLOG_OPTIONS_MOST];
	const char *given[RLOG_OPTIONS_MOST]; /* per row: its value, "" if it has none; NULL: not
	                                         given */
	struct option longs[RLOG_OPTIONS_MOST + 1];
	char letters[2 * RLOG_OPTIONS_MOST + 4];
};

/*
 * Returns the next option, as getopt_long(3); argv[0] is the command's name. Its value is in
 * optarg; after the last one the first operand is argv[optind].
 *
 * Return: its row; NULL after the last one, or with options->why filled: unknown option, missing
 * value, an unexpected one, or two options that do not go together. Context: one thread, one
 * command line per program.
 */
const struct rlog_option *rlog_options_next(struct rlog_options *options, int argc, char **argv);

/* The name of the first option in a table that has this id. Return: borrowed; NULL: none. */
const char *rlog_options_find_name(const struct rlog_option *table, int id);

/*
 * Prints the options of a command for its --help, in 79 columns.
 *
 * @named: the line printed above the options that the help only names; NULL if the table has none.
 * Return: number of lines.
 */
size_t rlog_options_print_help(FILE *out, const struct rlog_option *table, const char *command,
                               const char *named);

/* Prints an option as --help does. Return: number of lines. */
size_t rlog_options_print_row(FILE *out, const struct rlog_option *row);

/*
 * Prints options for completions and man pages, a line each, with fields separated by tabs: --NAME,
 * -LETTER, VALUE, WORDS, the help text, * if the help only names it, VARIABLE, and which options it
 * does not go with or needs. A field without a value is empty.
 *
 * @pairs: NULL: none.
 */
void rlog_options_print_list(FILE *out, const struct rlog_option *table,
                             const struct rlog_option_pair *pairs, const char *command);

#endif
