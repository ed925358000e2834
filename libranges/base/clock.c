/* SPDX-License-Identifier: MIT */
/* The time base of a capture: raw ticks for the hot path, and sync points that tie them to the
 * system's clocks. */
#include "libranges/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define NS_PER_S UINT64_C(1000000000)

/* Each clock is read this many times for a sync point. The first time warms caches. Some of the
 * others may be interrupted without harm. */
#define SYNC_TRIES 6

/* The rate of the counter is measured over at least this time. The clocks are read within ~40 ns at
 * either end, so the rate is wrong by at most 1 in 2,500, and by less after a longer time. */
#define MEASURE_NS UINT64_C(200000)

uint32_t rcap_clock_is_counter;

/* Written by init before other threads start. Constant afterwards. */
static bool is_ready;
static uint64_t stated_ticks_per_s; /* 0 if the hardware does not state it */
static struct rlog_clock_point first_point;

static uint64_t read_ns(clockid_t id)
{
	struct timespec now = { 0, 0 };

	clock_gettime(id, &now);
	return (uint64_t) now.tv_sec * NS_PER_S + (uint64_t) now.tv_nsec;
}

uint64_t rcap_clock_mono_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

uint64_t rcap_clock_real_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

#if defined(__x86_64__)

/* True if the kernel itself uses the TSC as its clock: then it has checked that the counters of all
 * CPUs agree. */
static bool is_kernel_on_tsc(void)
{
	char name[8] = "";
	const int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
	                    O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0) {
		return false;
	}
	length = read(fd, name, sizeof(name) - 1);
	close(fd);
	return length == 4 && memcmp(name, "tsc\n", 4) == 0;
}

/* Bit 8 of EDX of CPUID 0x80000007: the TSC has the same rate in all power states. */
static bool is_tsc_invariant(void)
{
	unsigned eax = 0;
	unsigned ebx = 0;
	unsigned ecx = 0;
	unsigned edx = 0;

	return __get_cpuid(0x80000007U, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1U << 8)) != 0;
}

static bool is_counter_good(void)
{
	return is_tsc_invariant() && is_kernel_on_tsc();
}

/* CPUID 0x15: the crystal's frequency ECX × EBX / EAX, if the CPU states that frequency. */
static uint64_t read_stated_rate(void)
{
	unsigned eax = 0;
	unsigned ebx = 0;
	unsigned ecx = 0;
	unsigned edx = 0;

	if (__get_cpuid(0x15U, &eax, &ebx, &ecx, &edx) == 0 || eax == 0 || ebx == 0 || ecx == 0) {
		return 0;
	}
	return (uint64_t) ecx * ebx / eax;
}

#elif defined(__aarch64__)

static bool is_counter_good(void)
{
	return true; /* the architecture guarantees one rate and one value on all CPUs */
}

static uint64_t read_stated_rate(void)
{
	uint64_t hertz;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
	return hertz;
}

#else

static bool is_counter_good(void)
{
	return false;
}

static uint64_t read_stated_rate(void)
{
	return 0;
}

#endif

static bool has_counter(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

void rcap_clock_init(enum rcap_clock_mode mode)
{
	const int saved_errno = errno;

	if (is_ready) {
		return;
	}
	if (mode == RCAP_CLOCK_TSC) {
		rcap_clock_is_counter = has_counter();
	} else if (mode == RCAP_CLOCK_AUTO) {
		rcap_clock_is_counter = is_counter_good();
	}
	stated_ticks_per_s = rcap_clock_is_counter ? read_stated_rate() : NS_PER_S;
	rcap_clock_sync(&first_point);
	is_ready = true;
	errno = saved_errno;
}

const char *rcap_clock_name(void)
{
	if (!rcap_clock_is_counter) {
		return "monotonic";
	}
#if defined(__aarch64__)
	return "cntvct";
#else
	return "tsc";
#endif
}

/*
 * Converts ticks to ns by the stated rate, or else by the rate measured since init. In the first
 * moments there is neither, and 1 GHz is assumed. The result is then too large for a faster
 * counter, never too small.
 */
static uint64_t ticks_to_ns(uint64_t ticks, const struct rlog_clock_point *now)
{
	const double elapsed_ns = (double) (now->mono_ns - first_point.mono_ns);
	double ns_per_tick = 1.0;

	if (stated_ticks_per_s != 0) {
		ns_per_tick = (double) NS_PER_S / (double) stated_ticks_per_s;
	} else if (is_ready && elapsed_ns >= 200e3 && now->ticks > first_point.ticks) {
		ns_per_tick = elapsed_ns / (double) (now->ticks - first_point.ticks);
	}
	return (uint64_t) ((double) ticks * ns_per_tick);
}

/* How far a clock is ahead of CLOCK_MONOTONIC, and how long it took to measure that. */
struct lead {
	uint64_t ns; /* modulo 2^64 */
	uint64_t width_ns;
};

/*
 * Reads a clock between two reads of CLOCK_MONOTONIC. Keeps the result if it took less time than
 * the best one so far. The clock is compared with the middle of the two reads. Compared with the
 * first read alone, it would seem ahead by the time of one read, 25 ns. That is longer than from
 * nvtxRangePush() to the next call. A call that CUPTI times by CLOCK_REALTIME would then lie before
 * its range.
 */
static void read_lead(struct lead *best, clockid_t id)
{
	const uint64_t before = read_ns(CLOCK_MONOTONIC);
	const uint64_t ns = read_ns(id);
	const uint64_t width = read_ns(CLOCK_MONOTONIC) - before;

	if (width < best->width_ns) {
		best->ns = ns - (before + width / 2);
		best->width_ns = width;
	}
}

void rcap_clock_sync(struct rlog_clock_point *out)
{
	struct lead real = { 0, UINT64_MAX };
	struct lead boot = { 0, UINT64_MAX };
	uint64_t best = UINT64_MAX;
	uint64_t widest_ns;

	for (int i = 0; i < SYNC_TRIES; i++) {
		const uint64_t before = rcap_clock_now();
		const uint64_t mono_ns = read_ns(CLOCK_MONOTONIC);
		const uint64_t after = rcap_clock_now();
		const uint64_t width = after >= before ? after - before : UINT64_MAX;

		if (i == 0 || width < best) {
			best = width;
			out->ticks = before + width / 2;
			out->mono_ns = mono_ns;
		}
		read_lead(&real, CLOCK_REALTIME);
		read_lead(&boot, CLOCK_BOOTTIME);
	}
	if (!rcap_clock_is_counter) {
		out->ticks = out->mono_ns; /* without a counter, CLOCK_MONOTONIC gives the ticks */
	}
	out->real_ns = out->mono_ns + real.ns;
	out->boot_ns = out->mono_ns + boot.ns;
	widest_ns = ticks_to_ns(best, out);
	widest_ns = real.width_ns > widest_ns ? real.width_ns : widest_ns;
	widest_ns = boot.width_ns > widest_ns ? boot.width_ns : widest_ns;
	out->err_ns = widest_ns / 2 + 1;
}

uint64_t rcap_clock_ticks_per_s(void)
{
	const int saved_errno = errno;
	struct rlog_clock_point now;
	uint64_t elapsed_ns;

	if (stated_ticks_per_s != 0) {
		return stated_ticks_per_s;
	}
	elapsed_ns = rcap_clock_mono_ns() - first_point.mono_ns;
	if (elapsed_ns < MEASURE_NS) {
		const struct timespec rest = { 0, (long) (MEASURE_NS - elapsed_ns) };

		nanosleep(&rest, NULL);
	}
	rcap_clock_sync(&now);
	errno = saved_errno;
	elapsed_ns = now.mono_ns - first_point.mono_ns;
	if (elapsed_ns == 0 || now.ticks <= first_point.ticks) {
		return 0;
	}
#if defined(__SIZEOF_INT128__)
	__extension__ typedef unsigned __int128 wide_t;
	return (uint64_t) ((wide_t) (now.ticks - first_point.ticks) * NS_PER_S / elapsed_ns);
#else
	return (now.ticks - first_point.ticks) / (elapsed_ns / 1000) * 1000000;
#endif
}

bool rcap_clock_is_forbidden(void)
{
#if defined(__x86_64__)
	int mode = PR_TSC_ENABLE;

	return prctl(PR_GET_TSC, &mode) == 0 && mode == PR_TSC_SIGSEGV;
#else
	return false;
#endif
}
