/* SPDX-License-Identifier: MIT */
/* Does what the commands on summaries share: options, reading, writing, printing. */
#ifndef RA_CMD_SUMS_H
#define RA_CMD_SUMS_H

#include "analyzer/batch/batch-one.h"
#include "analyzer/commands/shared/names.h"
#include "analyzer/summary-file/report/sum-report.h"

/* Options on how inputs are summarised. Zero-initialise. */
struct ra_cmd_sums {
	struct ra_cmd_names names;
	struct ra_batch_options batch;
	size_t workers;            /* processes that read in parallel; 0: one for each processor */
	const char *option;        /* the first option given, except --steps; NULL: none */
	struct ra_util_text words; /* the options as text; NUL-terminated by ra_cmd_sums_finish() */
};

#define RA_CMD_SUMS_MOST_JOBS 1024u

/* Handles an option on reading inputs that `batch` shares with `stats`. Return: 0; RA_CMD_USAGE
 * with a line on stderr; -1: it is another option. */
int ra_cmd_sums_take(struct ra_cmd_sums *sums, int option, const char *value);

/* Reads the value of -j: how many processes read several inputs, or how many threads read one
 * input. Return: 0, RA_CMD_USAGE with a line on stderr. */
int ra_cmd_sums_take_jobs(size_t *workers, const char *value);

/* Refuses these options if all inputs are summaries, because the options only affect how other
 * files are read. Return: 0, RA_CMD_USAGE with a line on stderr. */
int ra_cmd_sums_check(const struct ra_cmd_sums *sums, const struct ra_batch_inputs *inputs);

/* Sets the options so that when a trace is read, stderr gets a report on what --graph-capture could
 * not do. For commands whose own reports say what else is missing. */
void ra_cmd_sums_tell_captures(struct ra_cmd_sums *sums);

/* Sets the options so that when a log or trace is read, stderr gets a report on what it lacks. */
void ra_cmd_sums_tell_lacks(struct ra_cmd_sums *sums);

/* Completes the options, after all have been read. */
void ra_cmd_sums_finish(struct ra_cmd_sums *sums);
void ra_cmd_sums_fini(struct ra_cmd_sums *sums);

/*
 * Summarises inputs in parallel. Names those that can't be read on stderr.
 *
 * Return: 0, RA_CMD_PARTLY, RA_CMD_UNREADABLE (none could be read).
 */
int ra_cmd_sums_read(struct ra_sum_file *file, const struct ra_batch_inputs *inputs,
                     const struct ra_cmd_sums *sums);

/* Collects inputs by their names and sorts them. Return: 0, RA_CMD_USAGE, RA_CMD_UNREADABLE;
 * with a line on stderr. */
int ra_cmd_sums_collect(struct ra_batch_inputs *inputs, char *const *names, size_t count,
                        const char *leave_out);

/* Lists inputs for commands that read one file after another, in the given order; "-" is standard
 * input. */
int ra_cmd_sums_list(struct ra_batch_inputs *inputs, char *const *names, size_t count);

/*
 * Opens a log, which the caller closes. For a summary or a trace, *reader becomes NULL, and the set
 * gets its figures, computed with default options.
 *
 * Return: 0, or an error of ra_load_log(), ra_batch_one() or ra_sum_file_unpack(). Call the set's
 * fini in any case.
 */
int ra_cmd_sums_open(struct rlog_reader **reader, struct ra_sum_set *set, const char *path,
                     struct rlog_error *err);

/* Collects the inputs that have no range with the name of --step-range. Zero-initialise, then set
 * `range`. */
struct ra_cmd_sums_whole {
	const char *range; /* the value of --step-range; borrowed. NULL: nothing is collected */
	size_t seen;       /* number of parts seen */
	size_t whole;      /* number of inputs without a step: all of each counts as one step */
	struct ra_util_text lines;
};

/* Looks at a part of an input that was read with --step-range. */
void ra_cmd_sums_whole_see(struct ra_cmd_sums_whole *whole, const struct ra_sum_file_part *from);

/* Prints on stderr which inputs have no such range; one line if none of several has one. Frees the
 * collected data. */
void ra_cmd_sums_whole_tell(struct ra_cmd_sums_whole *whole);

/* Sorts the parts of inputs, and reports duplicates on stderr. */
void ra_cmd_sums_order(struct ra_sum_file *file);

/* Sorts a summary, reports how many inputs were dropped as duplicates, and writes it. Return: 0,
 * RA_CMD_UNWRITTEN with a line on stderr. */
int ra_cmd_sums_merge(struct ra_sum_file *file, const char *path);

/* Writes a sorted summary. Return: 0, RA_CMD_UNWRITTEN with a line on stderr. */
int ra_cmd_sums_write(const struct ra_sum_file *file, const char *path);

#endif
