/* SPDX-License-Identifier: MIT */
/* Tests the time base: it advances, it agrees with the system's clocks, and it starts quickly. */
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "tests/tap.h"

/* Faults of a mode, as bits, so that a child can return them. */
enum {
	BACKWARDS = 1 << 0,
	WIDE_POINT = 1 << 1,
	WRONG_RATE = 1 << 2,
	OTHER_CLOCKS = 1 << 3,
	NOT_NS = 1 << 4,
	NOT_FINAL = 1 << 5,
	ONE_SIDED = 1 << 6,
};

static const char *const facts[] = {
	"a million readings of one thread never go back",
	"clock points are known to better than a ms",
	"the rate tells 60 ms to better than 0.1 ms",
	"real time and time since boot are there",
	"\"monotonic\" is what was asked for, in ns",
	"a second init changes nothing",
	"real time is not ahead by the time that a read takes",
};

static bool has_step_back(void)
{
	uint64_t previous = rcap_clock_now();

	for (int i = 0; i < 1000000; i++) {
		const uint64_t now = rcap_clock_now();

		if (now < previous) {
			return true;
		}
		previous = now;
	}
	return false;
}

static bool is_rate_right(const struct rlog_clock_point *first,
                          const struct rlog_clock_point *second)
{
	const double told_ns =
		(double) (second->ticks - first->ticks) * 1e9 / (double) rcap_clock_ticks_per_s();
	const double error_ns = told_ns - (double) (second->mono_ns - first->mono_ns);

	return error_ns < 100e3 && error_ns > -100e3;
}

static int64_t read_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}

/*
 * CLOCK_REALTIME's lead over CLOCK_MONOTONIC is between two limits: its lead over a later read, and
 * its lead over an earlier read. Thousands of such pairs of limits leave a few ns. The point's lead
 * may be a quarter of a pair's width off.
 */
static bool is_lead_right(const struct rlog_clock_point *point)
{
	const int64_t lead = (int64_t) (point->real_ns - point->mono_ns);
	int64_t least = INT64_MIN;
	int64_t most = INT64_MAX;
	int64_t width = INT64_MAX;
	int64_t off;

	for (int i = 0; i < 5000; i++) {
		const int64_t before = read_ns(CLOCK_MONOTONIC);
		const int64_t real = read_ns(CLOCK_REALTIME);
		const int64_t after = read_ns(CLOCK_MONOTONIC);

		least = real - after > least ? real - after : least;
		most = real - before < most ? real - before : most;
		width = after - before < width ? after - before : width;
	}
	off = lead - (least + (most - least) / 2);
	tap_diag("real time is off by %" PRId64 " ns, known to %" PRId64 ", reads take %" PRId64,
	         off, most - least, width);
	return off <= width / 4 + 1 && off >= -width / 4 - 1;
}

/* Returns the bits of what is wrong. In a process of its own: the clock is chosen once. */
static int check_mode(enum rcap_clock_mode mode)
{
	const struct timespec wait = { 0, 60000000 };
	const uint64_t before_ns = rcap_clock_mono_ns();
	struct rlog_clock_point first;
	struct rlog_clock_point second;
	uint64_t init_ns;
	uint32_t chosen;
	int wrong = 0;

	rcap_clock_init(mode);
	init_ns = rcap_clock_mono_ns() - before_ns;
	rcap_clock_sync(&first);
	wrong |= has_step_back() ? BACKWARDS : 0;
	nanosleep(&wait, NULL);
	rcap_clock_sync(&second);
	tap_diag("%s: init %" PRIu64 " ns, %" PRIu64 " ticks/s, points within %" PRIu64
	         " and %" PRIu64 " ns",
	         rcap_clock_name(), init_ns, rcap_clock_ticks_per_s(), first.err_ns, second.err_ns);
	wrong |= first.err_ns > 0 && first.err_ns + second.err_ns < 1000000 ? 0 : WIDE_POINT;
	wrong |= is_rate_right(&first, &second) ? 0 : WRONG_RATE;
	wrong |= second.real_ns > UINT64_C(1500000000000000000) &&
	                         second.boot_ns + 1000 >= second.mono_ns
	                 ? 0
	                 : OTHER_CLOCKS;
	for (int tries = 0; tries < 20 && !is_lead_right(&second); tries++) {
		rcap_clock_sync(&second); /* something came between the reads */
	}
	wrong |= is_lead_right(&second) ? 0 : ONE_SIDED;
	if (mode == RCAP_CLOCK_MONOTONIC) {
		wrong |= strcmp(rcap_clock_name(), "monotonic") == 0 &&
		                         rcap_clock_ticks_per_s() == 1000000000 &&
		                         first.ticks == first.mono_ns
		                 ? 0
		                 : NOT_NS;
	}
	chosen = rcap_clock_is_counter;
	rcap_clock_init(mode == RCAP_CLOCK_AUTO ? RCAP_CLOCK_MONOTONIC : RCAP_CLOCK_TSC);
	return wrong | (chosen == rcap_clock_is_counter ? 0 : NOT_FINAL);
}

static void test_mode(enum rcap_clock_mode mode, const char *name)
{
	int status = 0;
	const pid_t pid = fork();

	if (pid == 0) {
		_exit(check_mode(mode));
	}
	waitpid(pid, &status, 0);
	tap_ok(WIFEXITED(status), "%s: the clock works", name);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		tap_ok((WEXITSTATUS(status) & 1 << i) == 0, "%s: %s", name, facts[i]);
	}
}

int main(void)
{
	test_mode(RCAP_CLOCK_AUTO, "auto");
	test_mode(RCAP_CLOCK_TSC, "tsc");
	test_mode(RCAP_CLOCK_MONOTONIC, "monotonic");
	return tap_done();
}
