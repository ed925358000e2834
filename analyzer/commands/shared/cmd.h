/* SPDX-License-Identifier: MIT */
/* Defines a subcommand. Prints the output that all subcommands share: errors, damage, usage. */
#ifndef RA_CMD_H
#define RA_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "format/error.h"
#include "format/read/reader.h"

struct ra_table_form;
struct ra_util_text;

/* The exit codes; doc/analyzer.1 lists them. */
enum ra_cmd_exit {
	RA_CMD_OK = 0,
	RA_CMD_FINDING = 1, /* a check found something */
	RA_CMD_USAGE = 2,
	RA_CMD_UNREADABLE = 3, /* the input could not be read */
	RA_CMD_INCOMPLETE = 4, /* events are missing in the input; only with --strict */
	RA_CMD_PARTLY = 5,     /* some of several inputs could not be read */
	RA_CMD_UNWRITTEN = 6,  /* the output could not be written */
};

/* A subcommand. Each has one const entry, in a file with the command's name; list.c lists them. */
struct ra_cmd {
	const char *name;
	const char *synopsis; /* follows "analyzer "; one form per line */
	const char *summary;  /* for the list in `analyzer --help`, without a full stop */
	const char *notes;    /* further advice, printed below the options in its help; may be
	                         NULL */
	void (*put_notes)(struct ra_util_text *text); /* appends more advice, printed before
	                                                 `notes`; may be NULL */
	/*
	 * Runs the command and returns its exit code.
	 *
	 * @argv: begins with the command's name. --help has been handled before.
	 */
	int (*run)(int argc, char **argv);
};

/* Returns the path for a FILE argument; "-" means standard input. */
const char *ra_cmd_find_path(const char *word);

/* The command whose help has the options that were given; "" before it is known, and for analyze,
 * whose name is not typed. */
extern const char *ra_cmd_running;

/* Prints on stderr how to get help. Return: RA_CMD_USAGE. */
int ra_cmd_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads a number of rows or columns. Return: 0, RA_CMD_USAGE. */
int ra_cmd_take_size(const char *option, const char *value, size_t *size);

/* Reads the name of a form of tables. Return: 0, RA_CMD_USAGE. */
int ra_cmd_take_form(const char *word, const struct ra_table_form **form);

/* Reads the value of -o, which may be given only once. Return: 0, RA_CMD_USAGE. */
int ra_cmd_take_output(const char **output, const char *value);

/* Prints one line on stderr: "analyzer: FILE: offset N: message". Return: RA_CMD_UNREADABLE. */
int ra_cmd_print_error(const char *path, const struct rlog_error *err);

/*
 * Reports on stderr what a log lacks: a line for each stretch that could not be read (the first
 * ten, then their number), and one if the log was not closed.
 *
 * Return: true if there was nothing to report.
 */
bool ra_cmd_print_damages(const char *path, const struct rlog_reader *reader);

struct ra_model;

/* Reports the same for a loaded model, from a log or a JSON trace. Return: true if there was
 * nothing to report. */
bool ra_cmd_print_lacks(const char *path, const struct ra_model *model);

/* Prints a line on stderr if --graph-capture changed nothing. For commands that print no footer,
 * which would say it. */
void ra_cmd_print_unmatched(const char *path, const struct ra_model *model);

/* Prints the lines of ra_cmd_print_lacks() about --graph-capture, and those of
 * ra_cmd_print_unmatched(). For commands whose reports already say what else the inputs lack. */
void ra_cmd_print_captures(const char *path, const struct ra_model *model);

/* True if events of the log are missing: lost in capture, damaged, or after its end. */
bool ra_cmd_is_incomplete(const struct rlog_reader *reader);

/*
 * Checks a text option against a list of words.
 *
 * @words: ends with NULL.
 * Return: the index in words, or -1 with a line on stderr.
 */
int ra_cmd_choose(const char *option, const char *value, const char *const words[]);

/* Checks one word of a list in the same way: the first `length` bytes of `value`. */
int ra_cmd_choose_part(const char *option, const char *value, size_t length,
                       const char *const words[]);

/* Writes the text of an errno, in the C locale, to `buffer`. Return: buffer. */
const char *ra_cmd_errno_text(int sys_errno, char *buffer, size_t size);

/*
 * Reports on stderr that an output could not be written. Prints nothing for EPIPE, because then the
 * reader has seen enough. ENOMEM means that there was no memory to make the output.
 *
 * Return: RA_CMD_UNWRITTEN; for ENOMEM RA_CMD_UNREADABLE, as for an input that does not fit into
 * memory.
 */
int ra_cmd_print_unwritten(const char *path, int sys_errno);

/* Joins the exit codes of several inputs. Return: the worse one of `sum`, that of the inputs so
 * far, and `next`. */
int ra_cmd_join_exits(int sum, int next, bool is_first);

#endif
