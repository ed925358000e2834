/* SPDX-License-Identifier: MIT */
/* Tests lines on stderr: their form, and that printing them has no side effects. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libranges/base/log.h"
#include "tests/tap.h"

static int real_stderr;

/* Makes fd 2 the write end of a pipe; returns the read end. */
static int divert(void)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0 || dup2(fds[1], STDERR_FILENO) < 0) {
		tap_bail("no pipe");
	}
	close(fds[1]);
	return fds[0];
}

/* Ends divert() and returns what was written; static memory. */
static const char *collect(int fd)
{
	static char text[4096];
	ssize_t length;

	dup2(real_stderr, STDERR_FILENO);
	length = read(fd, text, sizeof(text) - 1);
	text[length < 0 ? 0 : length] = '\0';
	close(fd);
	return text;
}

static void test_formatter(void)
{
	char text[256];
	char tiny[6];
	const char *volatile nothing = NULL; /* volatile: the compiler warns of a NULL it can see */

	rcap_log_format(text, sizeof(text), "%s|%.*s|%c|%%|%d|%i", "abc", 2, "xyz", 'q', -5,
	                INT_MIN);
	tap_is_text(text, "abc|xy|q|%|-5|-2147483648", "texts, characters and ints are formatted");
	rcap_log_format(text, sizeof(text), "%u %x %lu %llu %zu %ld %lld %lx", 7U, 255U, ULONG_MAX,
	                ULLONG_MAX, (size_t) 9, LONG_MIN, LLONG_MAX, 0xabcUL);
	tap_is_text(text,
	            "7 ff 18446744073709551615 18446744073709551615 9 -9223372036854775808 "
	            "9223372036854775807 abc",
	            "all widths of numbers are formatted");
	tap_is_uint(rcap_log_format(tiny, sizeof(tiny), "%s", "123456789"), 5,
	            "what does not fit is cut");
	tap_is_text(tiny, "12345", "and ends with a NUL");
	tap_is_uint(rcap_log_format(tiny, 1, "%d", 5), 0, "a buffer of one byte holds the NUL");
	rcap_log_format(text, sizeof(text), "%s", nothing);
	tap_is_text(text, "(null)", "a NULL text is shown");
}

static void test_lines(void)
{
	char long_text[3000];
	const char *text;
	int fd = divert();

	errno = 1234;
	rcap_log_line(RCAP_LOG_WARN, "value=%d", 7);
	tap_is_int(errno, 1234, "errno is kept");
	tap_is_text(collect(fd), "ranges: value=7\n", "a line has a prefix and a newline");
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	fd = divert();
	rcap_log_line(RCAP_LOG_WARN, "%s", long_text);
	text = collect(fd);
	tap_is_uint(strlen(text), RCAP_LOG_LINE_BYTES - 1, "a long line is cut");
	tap_ok(text[strlen(text) - 1] == '\n', "and still ends with its newline");
	fd = divert();
	RCAP_LOG(RCAP_LOG_INFO, "not shown");
	rcap_log_line(RCAP_LOG_QUIET, "never shown");
	rcap_log_line(RCAP_LOG_ERROR, "shown");
	tap_is_text(collect(fd), "ranges: shown\n", "by default warnings and errors are shown");
	tap_ok(!rcap_log_is_on(RCAP_LOG_INFO), "and other levels are off");
}

static int run_child(void (*body)(void))
{
	int status = 0;
	const pid_t pid = fork();

	if (pid == 0) {
		close(real_stderr);
		body();
		_exit(errno == 99 ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	return status;
}

static void write_to_broken_pipe(void)
{
	close(divert()); /* nobody reads */
	signal(SIGPIPE, SIG_DFL);
	errno = 99;
	rcap_log_line(RCAP_LOG_ERROR, "lost");
}

static void write_to_nothing(void)
{
	close(STDERR_FILENO);
	errno = 99;
	rcap_log_line(RCAP_LOG_ERROR, "lost");
}

static void write_after_swap(void)
{
	const int fd = divert();
	int data;
	char byte;

	rcap_log_init(RCAP_LOG_WARN);
	rcap_log_line(RCAP_LOG_ERROR, "x");
	if (read(fd, &byte, 1) != 1) {
		_exit(2);
	}
	/* The program closes fd 2 and gets the number again for its own data. */
	data = divert();
	rcap_log_line(RCAP_LOG_ERROR, "would be in the program's data");
	fcntl(data, F_SETFL, O_NONBLOCK);
	if (read(data, &byte, 1) >= 0 || errno != EAGAIN) {
		_exit(3);
	}
	close(data);
	close(fd);
	errno = 99;
}

int main(void)
{
	real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
	test_formatter();
	test_lines();
	tap_is_int(run_child(write_to_broken_pipe), 0, "a closed pipe does not kill the program");
	tap_is_int(run_child(write_to_nothing), 0, "a missing fd 2 does no harm");
	tap_is_int(run_child(write_after_swap), 0,
	           "when fd 2 has become another file nothing is written into it");
	close(real_stderr);
	rcap_log_init(RCAP_LOG_DEBUG);
	tap_ok(rcap_log_is_on(RCAP_LOG_DEBUG), "the level can be raised");
	rcap_log_init(RCAP_LOG_QUIET);
	tap_ok(!rcap_log_is_on(RCAP_LOG_ERROR), "and turned off");
	return tap_done();
}
