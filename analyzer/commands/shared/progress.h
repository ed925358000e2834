/* SPDX-License-Identifier: MIT */
/* Writes messages for users at a terminal: progress of reading, and which files were written. */
#ifndef RA_CMD_PROGRESS_H
#define RA_CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/io/outbuf.h"
#include "analyzer/load/load.h"

/* Progress for users who wait: on a terminal, after a second, ten times a second. */
struct ra_cmd_progress {
	int64_t start_ms;
	int64_t last_ms; /* 0: nothing was shown yet */
	size_t index;    /* index of the file being read … */
	size_t count;    /* … of so many; 0 and 1: the only one */
};

/* Starts the time. */
void ra_cmd_progress_start(struct ra_cmd_progress *progress);

/* True if a line is due; it then counts as shown. */
bool ra_cmd_progress_is_due(struct ra_cmd_progress *progress);

/* Removes the line, if one was shown. */
void ra_cmd_progress_end(const struct ra_cmd_progress *progress);

/* Starts, and shows the reading of files until the end, if this is a terminal. */
void ra_cmd_progress_watch(struct ra_cmd_progress *progress, struct ra_load_options *load);

/* Starts, and shows writing into a buffer likewise. */
void ra_cmd_progress_watch_output(struct ra_cmd_progress *progress, struct ra_outbuf *out);

/* ra_load_file() with progress on standard error. Return: as that. */
int ra_cmd_progress_load(struct ra_model **model, const char *path,
                         const struct ra_load_options *options, struct rlog_error *err);

/* On a terminal, says that a file was written and what opens it (may be NULL). */
void ra_cmd_progress_tell_written(const char *path, const char *how);

#endif
