/* SPDX-License-Identifier: MIT */
/* One-line messages on stderr that are safe anywhere in the traced process, and their formatter. */
#ifndef RCAP_LOG_H
#define RCAP_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum rcap_log_level {
	RCAP_LOG_QUIET,
	RCAP_LOG_ERROR,
	RCAP_LOG_WARN,
	RCAP_LOG_INFO,
	RCAP_LOG_DEBUG,
};

/* Longest line, prefix and newline included; longer ones are cut. */
#define RCAP_LOG_LINE_BYTES 1024

/*
 * Sets the level, and notes which file fd 2 is: if the program puts another file there later, lines
 * are dropped, not written into it.
 *
 * Context: any thread; errno is kept. Before this call the level is WARN, and fd 2 is used as it
 * is.
 */
void rcap_log_init(enum rcap_log_level level);

/* True if a line of this level would be written. Check it before you compute costly arguments. */
bool rcap_log_is_on(enum rcap_log_level level);

/*
 * Writes "ranges: <text>\n" to fd 2 with one write(2). Silent if fd 2 is missing, the disk full, or
 * the pipe closed.
 *
 * @format: see rcap_log_format().
 * Context: any thread, also signal handlers and a fork child; no stdio, no malloc, no locale; errno
 * is kept.
 */
void rcap_log_line(enum rcap_log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Checks the level in the caller, so that arguments cost nothing if the level is off. */
#define RCAP_LOG(level, ...)                                 \
	do {                                                 \
		if (rcap_log_is_on(level)) {                 \
			rcap_log_line((level), __VA_ARGS__); \
		}                                            \
	} while (0)

/*
 * The formatter of the log lines: %s %c %d %i %u %x with l, ll, z; %%; %.*s; nothing else (other
 * conversions are copied unchanged). Always NUL-terminates; cuts what does not fit.
 *
 * @size: of out, at least 1.
 * Return: length of the text in out.
 * Context: as rcap_log_line().
 */
size_t rcap_log_format(char *out, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Lists the names of a table: "power, clocks, util".
 *
 * @rows: each begins with its name, a const char *. @row_bytes: size of one row. Return, context:
 * as above.
 */
size_t rcap_log_list(char *out, size_t size, const void *rows, size_t row_bytes, size_t count);
size_t rcap_log_vformat(char *out, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

#endif
