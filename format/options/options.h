/* SPDX-License-Identifier: MIT */
/* Options of a program's commands out of one table: what is taken, what --help says, and what
 * completions ask for. */
#ifndef RLOG_OPTIONS_H
#define RLOG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <getopt.h>

/* An option of a command: a row. */
struct rlog_option {
	char id;           /* by which the command knows it; its letter, if it has one */
	bool has_letter;   /* -ID is the same */
	const char *name;  /* without its two dashes; NULL: the row behind the last */
	const char *value; /* "NAME,..."; "[=BYTES]": it may be left out; NULL: there is none */
	/* Names of the commands that take it, with a blank between. Behind * the command's help
	 * names the option only, as one that another command's help explains. */
	const char *commands;
	const char *text;  /* a sentence for --help; NULL: it is another name of the row before */
	const char *words; /* the values there are, with a blank between; NULL: any text */
	const char *variable; /* of the environment that it sets, with "=VALUE" where it has none of
	                         its own; NULL: none */
};

/* Options of commands that do not go together, or do so only: a row. */
struct rlog_option_pair {
	const char *command; /* names of those it is for, as below; NULL: the row behind the last */
	const char *options; /* names with a blank between, without dashes: it holds for each */
	bool is_needed;      /* false: not with the other; true: not without it */
	const char *other;   /* the other's name */
	/* The other's values for which it is so, with a blank between; behind !: for all but these;
	 * NULL: whatever its value is. */
	const char *values;
	const char *why; /* goes on with the line that refuses it; NULL: that says enough */
};

#define RLOG_OPTIONS_MOST 64 /* of a command */

/* Options of a command while they are read. Zero-initialise, but for the first four. */
struct rlog_options {
	const struct rlog_option *table;
	const struct rlog_option_pair *pairs; /* NULL: none */
	const char *program;
	const char *command;
	bool ends_at_operand; /* what follows the first operand is another program's */
	char why[400];        /* what is wrong; empty: nothing is */
	/* Below: as getopt wants it. */
	size_t count;
	const struct rlog_option *rows[RLOG_OPTIONS_MOST];
	const char *given[RLOG_OPTIONS_MOST]; /* of a row: its value, "" without; NULL: not yet */
	struct option longs[RLOG_OPTIONS_MOST + 1];
	char letters[2 * RLOG_OPTIONS_MOST + 4];
};

/*
 * As getopt_long(3): the next option of the arguments, argv[0] being the command's name. Its value
 * is in optarg; after the last one the first operand is argv[optind].
 *
 * Return: its row; NULL after the last one, or with options->why filled: there is no such option,
 * it lacks its value, has one too many, or does not go with another one. Context: one thread, one
 * command line a program.
 */
const struct rlog_option *rlog_options_next(struct rlog_options *options, int argc, char **argv);

/* The name of the first option in a table that has this id. Return: borrowed; NULL: none. */
const char *rlog_options_find_name(const struct rlog_option *table, int id);

/*
 * Prints the options of a command for its --help, in 79 columns.
 *
 * @named: a line above those that are only named; NULL if the table has none.
 * Return: how many lines it took.
 */
size_t rlog_options_print_help(FILE *out, const struct rlog_option *table, const char *command,
                               const char *named);

/* Prints an option as --help does. Return: how many lines it took. */
size_t rlog_options_print_row(FILE *out, const struct rlog_option *row);

/*
 * Prints them for completions and man pages, a line for each, of fields separated by tabs: --NAME,
 * -LETTER, VALUE, WORDS, what help says, * where the help only names it, VARIABLE, and what it does
 * not go with, or only goes with. A field that there is not is empty.
 *
 * @pairs: NULL: none.
 */
void rlog_options_print_list(FILE *out, const struct rlog_option *table,
                             const struct rlog_option_pair *pairs, const char *command);

#endif
