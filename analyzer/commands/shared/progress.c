/* SPDX-License-Identifier: MIT */
/* Writes messages for users at a terminal: progress of reading, and which files were written. */
#include "analyzer/commands/shared/progress.h"

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
	static const char erase[] = "\r\033[K";

	/* Writes to the terminal directly, because the stream of messages.h escapes control
	 * characters. */
	if (progress->last_ms != 0 && write(STDERR_FILENO, erase, sizeof(erase) - 1) < 0) {
		return; /* if writing fails, no one can read it */
	}
}

static void show(void *context, uint64_t rows, uint64_t total_rows)
{
	struct ra_cmd_progress *progress = context;

	if (total_rows == 0 || !ra_cmd_progress_is_due(progress)) {
		return;
	}
	if (progress->count > 1) {
		fprintf(stderr, "\rreading %zu of %zu: %3.0f %%", progress->index + 1,
		        progress->count, 100.0 * (double) rows / (double) total_rows);
	} else {
		fprintf(stderr, "\rreading: %3.0f %%", 100.0 * (double) rows / (double) total_rows);
	}
}

void ra_cmd_progress_watch(struct ra_cmd_progress *progress, struct ra_load_options *load)
{
	ra_cmd_progress_start(progress);
	if (isatty(STDERR_FILENO)) {
		load->progress = show;
		load->progress_context = progress;
	}
}

static void show_written(void *context, uint64_t bytes)
{
	if (ra_cmd_progress_is_due(context)) {
		fprintf(stderr, "\rwriting: %.1f MB", (double) bytes / 1e6);
	}
}

void ra_cmd_progress_watch_output(struct ra_cmd_progress *progress, struct ra_outbuf *out)
{
	ra_cmd_progress_start(progress);
	if (isatty(STDERR_FILENO)) {
		out->tell = show_written;
		out->tell_context = progress;
	}
}

int ra_cmd_progress_load(struct ra_model **model, const char *path,
                         const struct ra_load_options *options, struct rlog_error *err)
{
	struct ra_cmd_progress progress = { 0 };
	struct ra_load_options with_progress = *options;
	int code;

	ra_cmd_progress_watch(&progress, &with_progress);
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
