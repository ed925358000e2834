/* SPDX-License-Identifier: MIT */
/* Replaces stderr by a stream that escapes characters that a terminal acts on, and folds long
 * lines. */
#include "analyzer/commands/shared/messages.h"

#include <stdio.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analyzer/table/table-wrap.h"

/* The start of a line that has not ended yet. It is global, because there is one program and one
 * terminal. */
static struct ra_util_text line;

/* Returns the columns of the terminal on stderr; 0: stderr is no terminal. */
static size_t find_width(void)
{
	struct winsize window = { 0 };

	return isatty(STDERR_FILENO) && ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0
	               ? window.ws_col
	               : 0;
}

/* Writes text to stderr. Return: false after an error. */
static bool write_all(const struct ra_util_text *text)
{
	size_t done = 0;
	ssize_t step = 1;

	while (done < text->length && step > 0) {
		step = write(STDERR_FILENO, text->bytes + done, text->length - done);
		done += step > 0 ? (size_t) step : 0;
	}
	return step > 0;
}

static bool end_line(void)
{
	struct ra_util_text text = { 0 };
	bool is_written;

	ra_table_wrap_put(&text, line.bytes, line.length, find_width());
	ra_util_text_put(&text, "\n", 1);
	is_written = write_all(&text);
	ra_util_text_free(&text);
	ra_util_text_free(&line);
	line = (struct ra_util_text){ 0 };
	return is_written;
}

/* Writes a message. Only a newline at the end of a write ends a line; any other newline is part of
 * a name. */
static ssize_t write_message(void *context, const char *bytes, size_t length)
{
	const bool is_progress = length > 0 && bytes[0] == '\r';
	const bool is_end = !is_progress && length > 0 && bytes[length - 1] == '\n';
	const size_t count = length - is_end - is_progress;
	struct ra_util_text progress = { 0 };
	struct ra_util_text *text = is_progress ? &progress : &line;
	bool is_written = true;

	(void) context;
	ra_util_text_put(text, bytes, is_progress);
	ra_util_text_put_name(text,
	                      (struct rlog_string){ bytes + is_progress, (uint32_t) count, 0 },
	                      RA_TEXT_TERMINAL);
	if (is_progress) {
		is_written = write_all(text);
	} else if (is_end) {
		is_written = end_line();
	}
	ra_util_text_free(&progress);
	return is_written ? (ssize_t) length : 0;
}

void ra_cmd_messages_begin(void)
{
	FILE *const stream =
		fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_message });

	if (stream == NULL) {
		return;
	}
	setvbuf(stream, NULL, _IONBF, 0); /* unbuffered, like stderr, because lines of progress have
	                                     no newline */
	stderr = stream;
}

void ra_cmd_messages_put_name(const char *name)
{
	const struct rlog_string all = { .bytes = name, .length = (uint32_t) strlen(name) };
	struct ra_util_text text = { 0 };

	ra_util_text_put_name(&text, all, RA_TEXT_TERMINAL);
	(void) ra_util_text_write(&text, stdout);
	ra_util_text_free(&text);
}

void ra_cmd_messages_put_lines(const struct ra_util_text *lines)
{
	size_t from = 0;

	while (from < lines->length) {
		const char *end = memchr(lines->bytes + from, '\n', lines->length - from);
		const size_t to = end == NULL ? lines->length : (size_t) (end - lines->bytes) + 1;

		fwrite(lines->bytes + from, 1, to - from, stderr);
		from = to;
	}
}
