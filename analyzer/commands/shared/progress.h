/* SPDX-License-Identifier: MIT */
/* What people at a terminal are told: how far reading has come, what was written. */
#ifndef RA_CMD_PROGRESS_H
#define RA_CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/io/outbuf.h"
#include "analyzer/load/load.h"

/* For people who wait: on a terminal, after a second, ten times a second. */
struct ra_cmd_progress {
	int64_t start_ms;
	int64_t last_ms; /* 0: nothing was shown yet */
	size_t index;    /* of the file that is read … */
	size_t count;    /* … among these; 0 and 1: the only one */
};

/* It begins now. */
void ra_cmd_progress_start(struct ra_cmd_progress *progress);

/* True if a line is due, which is then taken for shown. */
bool ra_cmd_progress_is_due(struct ra_cmd_progress *progress);

/* Removes the line, if one was shown. */
void ra_cmd_progress_end(const struct ra_cmd_progress *progress);

/* Begins, and has the reading of files told from now on if this is a terminal, till the end. */
void ra_cmd_progress_watch(struct ra_cmd_progress *progress, struct ra_load_options *load);

/* Begins, and has what is written into a buffer told likewise. */
void ra_cmd_progress_watch_output(struct ra_cmd_progress *progress, struct ra_outbuf *out);

/* ra_load_file() with a line on standard error while it lasts. Return: as that. */
int ra_cmd_progress_load(struct ra_model **model, const char *path,
                         const struct ra_load_options *options, struct rlog_error *err);

/* Says on a terminal that a file is there, and what opens it (may be NULL). */
void ra_cmd_progress_tell_written(const char *path, const char *how);

#endif
