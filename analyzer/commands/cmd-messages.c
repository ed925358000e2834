/* SPDX-License-Identifier: MIT */
/* A stream before stderr that escapes what a terminal would act on. */
#include "analyzer/commands/cmd-messages.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/util-text.h"

/* Bytes up to the next end of a line or return to its start. */
static size_t find_end(const char *bytes, size_t length)
{
	size_t count = 0;

	while (count < length && bytes[count] != '\n' && bytes[count] != '\r') {
		count++;
	}
	return count;
}

static void put_lines(struct ra_util_text *text, const char *bytes, size_t length)
{
	while (length > 0) {
		const size_t count = find_end(bytes, length);
		const size_t step = count < length ? count + 1 : count;
		const struct rlog_string part = { .bytes = bytes, .length = (uint32_t) count };

		ra_util_text_put_name(text, part, RA_TEXT_TERMINAL);
		ra_util_text_put(text, bytes + count, step - count);
		bytes += step;
		length -= step;
	}
}

static ssize_t write_message(void *context, const char *bytes, size_t length)
{
	struct ra_util_text text = { 0 };
	size_t done = 0;
	ssize_t step = 1;

	(void) context;
	put_lines(&text, bytes, length);
	while (done < text.length && step > 0) {
		step = write(STDERR_FILENO, text.bytes + done, text.length - done);
		done += step > 0 ? (size_t) step : 0;
	}
	ra_util_text_free(&text);
	return step > 0 ? (ssize_t) length : 0;
}

void ra_cmd_messages_begin(void)
{
	FILE *const stream =
		fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_message });

	if (stream == NULL) {
		return;
	}
	setvbuf(stream, NULL, _IONBF, 0); /* as stderr is: progress has no end of a line */
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
