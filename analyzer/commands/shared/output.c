/* SPDX-License-Identifier: MIT */
/* Replaces standard output by a stream that remembers the first error. */
#include "analyzer/commands/shared/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#define OUTPUT_BYTES (1u << 16)

static int output_errno;

static ssize_t write_output(void *context, const char *bytes, size_t length)
{
	size_t done = 0;

	(void) context;
	while (done < length) {
		const ssize_t step = write(STDOUT_FILENO, bytes + done, length - done);

		if (step < 0 && errno == EINTR) {
			continue;
		}
		if (step <= 0) {
			output_errno = output_errno != 0 ? output_errno : step < 0 ? errno : EIO;
			break;
		}
		done += (size_t) step;
	}
	return (ssize_t) done;
}

static int close_output(void *context)
{
	(void) context;
	if (close(STDOUT_FILENO) != 0) {
		output_errno = output_errno != 0 ? output_errno : errno;
		return -1;
	}
	return 0;
}

void ra_cmd_output_begin(void)
{
	FILE *const stream = fopencookie(
		NULL, "w", (cookie_io_functions_t){ .write = write_output, .close = close_output });

	if (stream == NULL) {
		return;
	}
	setvbuf(stream, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, OUTPUT_BYTES);
	stdout = stream;
}

int ra_cmd_output_end(void)
{
	const bool is_broken = ferror(stdout) != 0;
	const bool is_closed = fclose(stdout) == 0;

	return output_errno != 0 ? output_errno : is_broken || !is_closed ? EIO : 0;
}
