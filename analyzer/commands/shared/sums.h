/* SPDX-License-Identifier: MIT */
/* What the commands on summaries share: options, reading, writing, printing. */
#ifndef RA_CMD_SUMS_H
#define RA_CMD_SUMS_H

#include "analyzer/batch/batch-one.h"
#include "analyzer/commands/shared/names.h"
#include "analyzer/summary-file/report/sum-report.h"

/* How inputs are summarised, as options of a command. Zero-initialise. */
struct ra_cmd_sums {
	struct ra_cmd_names names;
	struct ra_batch_options batch;
	size_t workers;            /* processes that read at once; 0: one for each processor */
	const char *option;        /* the first that was given but --steps; NULL: none */
	struct ra_util_text words; /* NUL-terminated by ra_cmd_sums_finish() */
};

#define RA_CMD_SUMS_MOST_JOBS 1024u

/* Takes one of the options that `batch` shares with `stats`: how inputs are read. Return: 0,
 * RA_CMD_USAGE with a line on stderr; -1: it is none. */
int ra_cmd_sums_take(struct ra_cmd_sums *sums, int option, const char *value);

/* Takes how many processes read inputs, and how many threads one input. Return: 0, RA_CMD_USAGE
 * with a line on stderr. */
int ra_cmd_sums_take_jobs(size_t *workers, const char *value);

/* Refuses these options where all inputs are summaries: they are about how others are read. Return:
 * 0, RA_CMD_USAGE with a line on stderr. */
int ra_cmd_sums_check(const struct ra_cmd_sums *sums, const struct ra_batch_inputs *inputs);

/* Has what --graph-capture did not do named on stderr when traces are read, for those whose reports
 * tell the rest. */
void ra_cmd_sums_tell_captures(struct ra_cmd_sums *sums);

/* Has what logs and traces lack named on stderr when they are read. */
void ra_cmd_sums_tell_lacks(struct ra_cmd_sums *sums);

/* Puts all together, once the options are read. Return: 0, RA_CMD_UNREADABLE with a line on stderr.
 */
void ra_cmd_sums_finish(struct ra_cmd_sums *sums);
void ra_cmd_sums_fini(struct ra_cmd_sums *sums);

/*
 * Summarises inputs, side by side; those that cannot be read are named on stderr.
 *
 * Return: 0, RA_CMD_PARTLY, RA_CMD_UNREADABLE (none could be read).
 */
int ra_cmd_sums_read(struct ra_sum_file *file, const struct ra_batch_inputs *inputs,
                     const struct ra_cmd_sums *sums);

/* Collects inputs by their names and orders them. Return: 0, RA_CMD_USAGE, RA_CMD_UNREADABLE; with
 * a line on stderr. */
int ra_cmd_sums_collect(struct ra_batch_inputs *inputs, char *const *names, size_t count,
                        const char *leave_out);

/* The same for commands that go by one file after the other: files in the order given, - is
 * standard input. */
int ra_cmd_sums_list(struct ra_batch_inputs *inputs, char *const *names, size_t count);

/*
 * Opens a log, to be closed. Of a summary or a trace, which are none, *reader is NULL, and the set
 * has its figures by the usual options.
 *
 * Return: 0, or as ra_load_log(), ra_batch_one(), ra_sum_file_unpack(); fini the set in any case.
 */
int ra_cmd_sums_open(struct rlog_reader **reader, struct ra_sum_set *set, const char *path,
                     struct rlog_error *err);

/* Orders the parts of inputs, and says on stderr how many of them were there before. */
void ra_cmd_sums_order(struct ra_sum_file *file);

/* Orders a summary, says how many inputs were dropped as known already, and writes it. Return: 0,
 * RA_CMD_UNWRITTEN with a line on stderr. */
int ra_cmd_sums_merge(struct ra_sum_file *file, const char *path);

/* Writes a summary that is in order. Return: as above. */
int ra_cmd_sums_write(const struct ra_sum_file *file, const char *path);

#endif
