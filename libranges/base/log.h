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

/* Bytes of the longest line, with prefix and newline. Longer lines are cut. */
#define RCAP_LOG_LINE_BYTES 1024

/*
 * Sets the level, and notes which file fd 2 has open. If the program opens another file there
 * later, lines are dropped, so that they are not written into that file.
 *
 * Context: any thread; errno is kept. Before this call the level is WARN, and fd 2 is used whatever
 * file it is.
 */
void rcap_log_init(enum rcap_log_level level);

/* True if a line of this level would be written. Call it before you compute costly arguments. */
bool rcap_log_is_on(enum rcap_log_level level);

/*
 * Writes "ranges: <text>\n" to fd 2 by one write(2). Writes nothing if fd 2 is closed, the
 * disk is full, or nobody reads the pipe.
 *
 * @format: see rcap_log_format().
 * Context: any thread, also signal handlers and a fork child; no stdio, no malloc, no locale; errno
 * is kept.
 */
void rcap_log_line(enum rcap_log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Checks the level before it evaluates the arguments, so they cost nothing if the level is off. */
#define RCAP_LOG(level, ...)                                 \
	do {                                                 \
		if (rcap_log_is_on(level)) {                 \
			rcap_log_line((level), __VA_ARGS__); \
		}                                            \
	} while (0)

/*
 * Formats a text. Knows only %s %c %d %i %u %x with l, ll, z; %%; %.*s. Of any other conversion
 * only the letter is copied. Always ends the text with a NUL. Cuts what does not fit.
 *
 * @size: of out, at least 1.
 * Return: length of the text in out.
 * Context: as rcap_log_line().
 */
size_t rcap_log_format(char *out, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Lists the names of a table's rows, as in "power, clocks, util".
 *
 * @rows: each begins with its name, a const char *. @row_bytes: size of one row. Return, context:
 * as rcap_log_format().
 */
size_t rcap_log_list(char *out, size_t size, const void *rows, size_t row_bytes, size_t count);
size_t rcap_log_vformat(char *out, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

#endif
