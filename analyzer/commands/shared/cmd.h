/* SPDX-License-Identifier: MIT */
/* What a subcommand is, and the words all of them share: errors, damage, the end of stdout. */
#ifndef RA_CMD_H
#define RA_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "format/error.h"
#include "format/read/reader.h"

struct ra_table_form;

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

/* One const entry per subcommand, in a file named like it, listed in list.c. */
struct ra_cmd {
	const char *name;
	const char *synopsis; /* behind "analyzer "; one form per line */
	const char *summary;  /* for the list in `analyzer --help`, without a full stop */
	const char *notes;    /* below the options in its help: what else a user must know; NULL */
	/*
	 * Runs the command and returns its exit code.
	 *
	 * @argv: behind the name of the command; --help is dealt with before.
	 */
	int (*run)(int argc, char **argv);
};

/* The path of a FILE as it was given: - is standard input. */
const char *ra_cmd_find_path(const char *word);

/* Says on stderr how to get help. Return: RA_CMD_USAGE. */
int ra_cmd_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes a number of rows or columns. Return: 0, RA_CMD_USAGE. */
int ra_cmd_take_size(const char *option, const char *value, size_t *size);

/* Takes the name of a form of tables. Return: 0, RA_CMD_USAGE. */
int ra_cmd_take_form(const char *word, const struct ra_table_form **form);

/* Takes the value of -o, which is given once. Return: 0, RA_CMD_USAGE. */
int ra_cmd_take_output(const char **output, const char *value);

/* One line on stderr: "analyzer: FILE: offset N: message". Return: RA_CMD_UNREADABLE. */
int ra_cmd_print_error(const char *path, const struct rlog_error *err);

/*
 * Says what a log lacks: one line on stderr per stretch that could not be read (the first ten, then
 * their number), and one if it was not closed.
 *
 * Return: true if there was nothing to say.
 */
bool ra_cmd_print_damages(const char *path, const struct rlog_reader *reader);

struct ra_model;

/* The same of what was loaded, a log or a trace in JSON. */
bool ra_cmd_print_lacks(const char *path, const struct ra_model *model);

/* A line on stderr if --graph-capture changed nothing; for those who print no footer, which says
 * it. */
void ra_cmd_print_unmatched(const char *path, const struct ra_model *model);

/* Of ra_cmd_print_lacks() what is about --graph-capture, and ra_cmd_print_unmatched(); for those
 * who leave what inputs lack to the reports that they write. */
void ra_cmd_print_captures(const char *path, const struct ra_model *model);

/* True if events are missing in the log: lost while capturing, damaged, or behind its end. */
bool ra_cmd_is_incomplete(const struct rlog_reader *reader);

/*
 * Checks a text option against a list of words.
 *
 * @words: ends with NULL.
 * Return: the index in words, or -1 (and a line on stderr).
 */
int ra_cmd_choose(const char *option, const char *value, const char *const words[]);

/* The same for a list: the word is the first `length` bytes of `value`. */
int ra_cmd_choose_part(const char *option, const char *value, size_t length,
                       const char *const words[]);

/* Text of an errno, in the C locale. Return: buffer. */
const char *ra_cmd_errno_text(int sys_errno, char *buffer, size_t size);

/*
 * Says on stderr that an output could not be written; nothing for EPIPE: whoever reads has seen
 * enough. ENOMEM: it could not be made.
 *
 * Return: RA_CMD_UNWRITTEN; of ENOMEM RA_CMD_UNREADABLE, as if the memory had not even held the
 * input.
 */
int ra_cmd_print_unwritten(const char *path, int sys_errno);

/* The worse of two exit codes of several inputs. */
int ra_cmd_join_exits(int sum, int next, bool is_first);

#endif
