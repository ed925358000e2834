/* SPDX-License-Identifier: MIT */
/* What people at a terminal are told: how far reading has come, what was written. */
#include "analyzer/commands/cmd-progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define AFTER_MS 1000
#define EVERY_MS 100

static int64_t read_clock_ms(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void ra_cmd_progress_start(struct ra_cmd_progress *progress)
{
	progress->start_ms = read_clock_ms();
	progress->last_ms = 0;
}

bool ra_cmd_progress_is_due(struct ra_cmd_progress *progress)
{
	const int64_t now_ms = read_clock_ms();

	if (now_ms - progress->start_ms < AFTER_MS || now_ms - progress->last_ms < EVERY_MS) {
		return false;
	}
	progress->last_ms = now_ms;
	return true;
}

void ra_cmd_progress_end(const struct ra_cmd_progress *progress)
{
	if (progress->last_ms != 0) {
		fputs("\r\033[K", stderr);
	}
}

static void show(void *context, uint64_t rows, uint64_t total_rows)
{
	struct ra_cmd_progress *progress = context;
	if (total_rows > 0 && ra_cmd_progress_is_due(progress)) {
		fprintf(stderr, "\rreading: %3.0f %%", 100.0 * (double) rows / (double) total_rows);
	}
}

int ra_cmd_progress_load(struct ra_model **model, const char *path,
                         const struct ra_load_options *options, struct rlog_error *err)
{
	struct ra_cmd_progress progress;
	struct ra_load_options with_progress = *options;
	int code;

	ra_cmd_progress_start(&progress);
	with_progress.progress = isatty(STDERR_FILENO) ? show : NULL;
	with_progress.progress_context = &progress;
	code = ra_load_file(model, path, &with_progress, err);
	ra_cmd_progress_end(&progress);
	return code;
}

void ra_cmd_progress_tell_written(const char *path, const char *how)
{
	if (isatty(STDERR_FILENO) && strcmp(path, "-") != 0) {
		fprintf(stderr, "analyzer: wrote %s%s%s\n", path, how == NULL ? "" : "; ",
		        how == NULL ? "" : how);
	}
}
