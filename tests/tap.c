/* SPDX-License-Identifier: MIT */
/* The test points of this process, counted. */
#include "tests/tap.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned int points;
static unsigned int failed;

/* vprintf with what follows it on the same line; flushed, so that a crash hides nothing. */
__attribute__((format(printf, 2, 0))) static void print_line(const char *head, const char *format,
                                                             va_list args)
{
	printf("%s", head);
	vprintf(format, args);
	putchar('\n');
	fflush(stdout);
}

__attribute__((format(printf, 2, 0))) static bool point(bool passed, const char *format,
                                                        va_list args)
{
	char head[32];

	points++;
	failed += !passed;
	(void) snprintf(head, sizeof(head), "%s %u - ", passed ? "ok" : "not ok", points);
	print_line(head, format, args);
	return passed;
}

bool tap_ok(bool passed, const char *sentence, ...)
{
	va_list args;

	va_start(args, sentence);
	point(passed, sentence, args);
	va_end(args);
	return passed;
}

bool tap_is_int(int64_t got, int64_t wanted, const char *sentence, ...)
{
	va_list args;

	va_start(args, sentence);
	point(got == wanted, sentence, args);
	va_end(args);
	if (got != wanted) {
		tap_diag("got %" PRId64 ", wanted %" PRId64, got, wanted);
	}
	return got == wanted;
}

bool tap_is_uint(uint64_t got, uint64_t wanted, const char *sentence, ...)
{
	va_list args;

	va_start(args, sentence);
	point(got == wanted, sentence, args);
	va_end(args);
	if (got != wanted) {
		tap_diag("got %" PRIu64 ", wanted %" PRIu64, got, wanted);
	}
	return got == wanted;
}

bool tap_is_text(const char *got, const char *wanted, const char *sentence, ...)
{
	const bool same = got && wanted ? strcmp(got, wanted) == 0 : got == wanted;
	va_list args;

	va_start(args, sentence);
	point(same, sentence, args);
	va_end(args);
	if (!same) {
		tap_diag("got \"%s\", wanted \"%s\"", got ? got : "(NULL)",
		         wanted ? wanted : "(NULL)");
	}
	return same;
}

void tap_skip(const char *sentence, const char *why)
{
	points++;
	printf("ok %u - %s # SKIP %s\n", points, sentence, why);
	fflush(stdout);
}

void tap_diag(const char *remark, ...)
{
	va_list args;

	va_start(args, remark);
	print_line("# ", remark, args);
	va_end(args);
}

void tap_skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(0); /* NOLINT(concurrency-mt-unsafe): tests have one thread here */
}

void tap_bail(const char *why, ...)
{
	va_list args;

	va_start(args, why);
	print_line("Bail out! ", why, args);
	va_end(args);
	exit(1); /* NOLINT(concurrency-mt-unsafe): the same */
}

int tap_done(void)
{
	printf("1..%u\n", points);
	return failed ? 1 : 0;
}
