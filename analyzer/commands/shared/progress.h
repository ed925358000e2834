/* SPDX-License-Identifier: MIT */
/* Writes messages for users at a terminal: progress of reading, and which files were written. */
#ifndef RA_CMD_PROGRESS_H
#define RA_CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/io/outbuf.h"
#include "analyzer/load/load.h"

/* Progress for users who wait. It is shown only on a terminal: after a second, then ten times a
 * second. */
struct ra_cmd_progress {
	int64_t start_ms;
	int64_t last_ms; /* 0: nothing has been shown yet */
	size_t index;    /* index of the file being read … */
	size_t count;    /* … and the number of files; 0 or 1: there is only one */
};

/* Starts the clock. */
void ra_cmd_progress_start(struct ra_cmd_progress *progress);

/* True if a line should be shown now. The caller must then show it. */
bool ra_cmd_progress_is_due(struct ra_cmd_progress *progress);

/* Erases the line, if one was shown. */
void ra_cmd_progress_end(const struct ra_cmd_progress *progress);

/* Starts the clock, and shows progress while files are read, if stderr is a terminal. */
void ra_cmd_progress_watch(struct ra_cmd_progress *progress, struct ra_load_options *load);

/* Starts the clock, and shows progress while a buffer is written, if stderr is a terminal. */
void ra_cmd_progress_watch_output(struct ra_cmd_progress *progress, struct ra_outbuf *out);

/* Calls ra_load_file(), and shows progress on standard error. Return: as ra_load_file(). */
int ra_cmd_progress_load(struct ra_model **model, const char *path,
                         const struct ra_load_options *options, struct rlog_error *err);

/* On a terminal, says that a file was written. @how: says what opens the file; may be NULL. */
void ra_cmd_progress_tell_written(const char *path, const char *how);

#endif
