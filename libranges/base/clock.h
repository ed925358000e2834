/* SPDX-License-Identifier: MIT */
/* The time base of a capture: raw ticks for the hot path, and sync points that tie them to the
 * system's clocks. */
#ifndef RCAP_CLOCK_H
#define RCAP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "format/tables.h"

enum rcap_clock_mode {
	RCAP_CLOCK_AUTO,      /* the CPU's counter if it can be trusted */
	RCAP_CLOCK_TSC,       /* the CPU's counter, because the user trusts it */
	RCAP_CLOCK_MONOTONIC, /* clock_gettime(CLOCK_MONOTONIC) */
};

/*
 * True if ticks are the CPU's counter. Init sets it before any event, and it is constant
 * afterwards. Read the counter through rcap_clock_now().
 */
extern uint32_t rcap_clock_is_counter __attribute__((visibility("hidden")));

/*
 * Chooses the time base, and makes the first sync point. Takes a few µs. A second call changes
 * nothing.
 *
 * Context: one thread, before the first rcap_clock_now(); no allocation, no lock; errno is kept.
 */
void rcap_clock_init(enum rcap_clock_mode mode);

/* Returns the name for the fact `clock` in the log: "tsc", "cntvct" or "monotonic". */
const char *rcap_clock_name(void);

/* Return CLOCK_MONOTONIC and CLOCK_REALTIME in ns. Context: any. */
uint64_t rcap_clock_mono_ns(void);
uint64_t rcap_clock_real_ns(void);

#if defined(__x86_64__) || defined(__aarch64__)
/* Returns the CPU's counter, whether or not it can be trusted. */
static inline uint64_t rcap_clock_counter(void)
{
#if defined(__x86_64__)
	return __rdtsc();
#else
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#endif
}
#endif

/*
 * Returns the present ticks. There is no fence, because it would double the cost. So the CPU may
 * move the read by some ns relative to the instructions around it.
 *
 * Context: any thread, also signal handlers.
 */
static inline uint64_t rcap_clock_now(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	if (__builtin_expect(rcap_clock_is_counter, 1)) {
		return rcap_clock_counter();
	}
#endif
	return rcap_clock_mono_ns();
}

/*
 * Reads all clocks as if at one instant. Reads CLOCK_MONOTONIC between two reads of the counter,
 * and each of the other two clocks between two reads of CLOCK_MONOTONIC. Does this several times,
 * and keeps for each clock the reading that took the least time. err_ns is half the longest of
 * these three times. Takes about 1 µs.
 *
 * Context: any thread, after init; no allocation, no lock; errno is kept.
 */
void rcap_clock_sync(struct rlog_clock_point *out);

/*
 * Returns ticks per second: as the hardware states, or else as measured since init. The later the
 * call, the more exact the measured rate is. If init was less than 0.2 ms ago, sleeps until 0.2 ms
 * have passed.
 *
 * Context: any thread, but not the record path; errno is kept.
 */
uint64_t rcap_clock_ticks_per_s(void);

/* True if the program has forbidden itself the instruction that reads the CPU's counter. The
 * kernel's clock uses this instruction, too. */
bool rcap_clock_is_forbidden(void);

#endif
