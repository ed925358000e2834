/* SPDX-License-Identifier: MIT */
/* One-line messages on stderr that are safe anywhere in the traced process, and their formatter. */
#include "libranges/base/log.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "ranges: "

/* Written by init, read by any thread. Relaxed: it is one word, and no other data depends on it. */
static unsigned current_level = RCAP_LOG_WARN;

/* The file that fd 2 had open at init. `known` is stored last (release) and read first
 * (acquire). */
static struct {
	dev_t dev;
	ino_t ino;
	dev_t rdev;
	int known;
} stderr_file;

struct cursor {
	char *at;
	char *end; /* address of the buffer's last byte, which is for the NUL */
};

void rcap_log_init(enum rcap_log_level level)
{
	const int saved_errno = errno;
	struct stat st;

	__atomic_store_n(&current_level, (unsigned) level, __ATOMIC_RELAXED);
	if (__atomic_load_n(&stderr_file.known, __ATOMIC_ACQUIRE) == 0 &&
	    fstat(STDERR_FILENO, &st) == 0) {
		stderr_file.dev = st.st_dev;
		stderr_file.ino = st.st_ino;
		stderr_file.rdev = st.st_rdev;
		__atomic_store_n(&stderr_file.known, 1, __ATOMIC_RELEASE);
	}
	errno = saved_errno;
}

bool rcap_log_is_on(enum rcap_log_level level)
{
	return (unsigned) level <= __atomic_load_n(&current_level, __ATOMIC_RELAXED);
}

/* False if fd 2 has another file open than at init. Our line would be written into the program's
 * data. */
static bool is_stderr_ours(void)
{
	struct stat st;

	if (__atomic_load_n(&stderr_file.known, __ATOMIC_ACQUIRE) == 0) {
		return true;
	}
	return fstat(STDERR_FILENO, &st) == 0 && st.st_dev == stderr_file.dev &&
	       st.st_ino == stderr_file.ino && st.st_rdev == stderr_file.rdev;
}

/* Writes a line by one call. If nobody reads the pipe any more, SIGPIPE does not kill the
 * program. */
static void write_unharmed(const char *line, size_t length)
{
	static const struct timespec no_wait = { 0, 0 };
	sigset_t pipe_set;
	sigset_t old_set;
	sigset_t pending;
	bool was_pending;
	ssize_t written;

	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	sigemptyset(&pending);
	sigpending(&pending);
	was_pending = sigismember(&pending, SIGPIPE) == 1;
	if (pthread_sigmask(SIG_BLOCK, &pipe_set, &old_set) != 0) {
		return;
	}
	written = write(STDERR_FILENO, line, length);
	if (written < 0 && errno == EPIPE && !was_pending) {
		while (sigtimedwait(&pipe_set, NULL, &no_wait) < 0 && errno == EINTR) {
		}
	}
	pthread_sigmask(SIG_SETMASK, &old_set, NULL);
}

/* Replaces control characters in file names (C0, DEL, C1 in UTF-8), because a terminal would act on
 * them. */
static void hide_controls(char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const unsigned char byte = (unsigned char) text[i];

		if (byte < ' ' || byte == 0x7F ||
		    (byte == 0xC2 && i + 1 < length &&
		     ((unsigned char) text[i + 1] & 0xE0) == 0x80)) {
			text[i] = '?';
		}
	}
}

void rcap_log_line(enum rcap_log_level level, const char *format, ...)
{
	const int saved_errno = errno;
	char line[RCAP_LOG_LINE_BYTES];
	const size_t prefix = sizeof(PREFIX) - 1;
	size_t length;
	va_list args;

	if (!rcap_log_is_on(level) || level == RCAP_LOG_QUIET) {
		return;
	}
	memcpy(line, PREFIX, prefix);
	va_start(args, format);
	length = prefix + rcap_log_vformat(line + prefix, sizeof(line) - prefix - 1, format, args);
	va_end(args);
	hide_controls(line + prefix, length - prefix);
	line[length++] = '\n';
	if (is_stderr_ours()) {
		write_unharmed(line, length);
	}
	errno = saved_errno;
}

static void put_char(struct cursor *out, char c)
{
	if (out->at < out->end) {
		*out->at++ = c;
	}
}

static void put_text(struct cursor *out, const char *text, size_t limit)
{
	if (text == NULL) {
		text = "(null)";
	}
	for (size_t i = 0; i < limit && text[i] != '\0'; i++) {
		put_char(out, text[i]);
	}
}

static void put_number(struct cursor *out, unsigned long long value, unsigned base)
{
	char digits[24];
	size_t count = 0;

	do {
		digits[count++] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value != 0);
	while (count > 0) {
		put_char(out, digits[--count]);
	}
}

/* The part of a conversion after the %. */
struct spec {
	int longs;    /* number of letters l; a z is the same as one l */
	size_t limit; /* precision of %.*s */
	char letter;
};

static unsigned long long take_unsigned(const struct spec *spec, va_list *args)
{
	switch (spec->longs) {
	case 0:
		return va_arg(*args, unsigned);
	case 1:
		return va_arg(*args, unsigned long);
	default:
		return va_arg(*args, unsigned long long);
	}
}

static void put_signed(struct cursor *out, const struct spec *spec, va_list *args)
{
	long long value;

	switch (spec->longs) {
	case 0:
		value = va_arg(*args, int);
		break;
	case 1:
		value = va_arg(*args, long);
		break;
	default:
		value = va_arg(*args, long long);
		break;
	}
	if (value < 0) {
		put_char(out, '-');
		put_number(out, 0 - (unsigned long long) value, 10);
	} else {
		put_number(out, (unsigned long long) value, 10);
	}
}

/* Parses precision and length after a %. Return: the place of the conversion letter. */
static const char *parse_spec(const char *at, struct spec *spec, va_list *args)
{
	spec->longs = 0;
	spec->limit = SIZE_MAX;
	if (at[0] == '.' && at[1] == '*') {
		const int precision = va_arg(*args, int);

		spec->limit = precision < 0 ? SIZE_MAX : (size_t) precision;
		at += 2;
	}
	while (*at == 'l' || *at == 'z') {
		spec->longs++;
		at++;
	}
	spec->letter = *at;
	return at;
}

size_t rcap_log_vformat(char *out, size_t size, const char *format, va_list args)
{
	struct cursor cursor = { out, out + size - 1 };
	va_list rest;

	va_copy(rest, args);
	for (const char *at = format; *at != '\0'; at++) {
		struct spec spec;

		if (*at != '%') {
			put_char(&cursor, *at);
			continue;
		}
		at = parse_spec(at + 1, &spec, &rest);
		switch (spec.letter) {
		case 's':
			put_text(&cursor, va_arg(rest, const char *), spec.limit);
			break;
		case 'c':
			put_char(&cursor, (char) va_arg(rest, int));
			break;
		case 'd':
		case 'i':
			put_signed(&cursor, &spec, &rest);
			break;
		case 'u':
			put_number(&cursor, take_unsigned(&spec, &rest), 10);
			break;
		case 'x':
			put_number(&cursor, take_unsigned(&spec, &rest), 16);
			break;
		case '\0':
			at--; /* the text ends with a single %: go back, so that the loop sees the
			       * NUL */
			break;
		default:
			put_char(&cursor, spec.letter);
			break;
		}
	}
	va_end(rest);
	*cursor.at = '\0';
	return (size_t) (cursor.at - out);
}

size_t rcap_log_format(char *out, size_t size, const char *format, ...)
{
	va_list args;
	size_t length;

	va_start(args, format);
	length = rcap_log_vformat(out, size, format, args);
	va_end(args);
	return length;
}

size_t rcap_log_list(char *out, size_t size, const void *rows, size_t row_bytes, size_t count)
{
	size_t length = 0;

	out[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		const char *name;

		memcpy(&name, (const char *) rows + i * row_bytes, sizeof(name));
		length += rcap_log_format(out + length, size - length, "%s%s", i > 0 ? ", " : "",
		                          name);
	}
	return length;
}
