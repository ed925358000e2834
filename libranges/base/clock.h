/* SPDX-License-Identifier: MIT */
/* The one time base of a capture: raw ticks for the hot path, sync points that tie them to the
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
	RCAP_CLOCK_AUTO,      /* the CPU's counter where it can be trusted */
	RCAP_CLOCK_TSC,       /* the CPU's counter, trusted on the user's word */
	RCAP_CLOCK_MONOTONIC, /* clock_gettime(CLOCK_MONOTONIC) */
};

/*
 * True: ticks are the CPU's counter. Set by init before any event, then constant. Read it through
 * rcap_clock_now().
 */
extern uint32_t rcap_clock_is_counter __attribute__((visibility("hidden")));

/*
 * Chooses the time base, and takes the first sync point. Takes a few µs. A second call changes
 * nothing.
 *
 * Context: one thread, before the first rcap_clock_now(); no allocation, no lock; errno is kept.
 */
void rcap_clock_init(enum rcap_clock_mode mode);

/* As the log's `clock` fact names it: "tsc", "cntvct", "monotonic". */
const char *rcap_clock_name(void);

/* CLOCK_MONOTONIC and CLOCK_REALTIME in ns. Context: any. */
uint64_t rcap_clock_mono_ns(void);
uint64_t rcap_clock_real_ns(void);

#if defined(__x86_64__) || defined(__aarch64__)
/* The CPU's counter, whether it can be trusted or not. */
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
 * Ticks now. No fence: it may move by some ns against the instructions around it, which costs half
 * as much.
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
 * Reads all clocks at one instant: CLOCK_MONOTONIC between two reads of the counter, the other two
 * clocks each between two reads of CLOCK_MONOTONIC. Of several tries the narrowest of each is kept;
 * err_ns is half the widest of the three. Takes about 1 µs.
 *
 * Context: any thread, after init; no allocation, no lock; errno is kept.
 */
void rcap_clock_sync(struct rlog_clock_point *out);

/*
 * Ticks per second: as the hardware states it, else measured since init. Better the later it is
 * called; called within 0.2 ms of init it sleeps for the rest of these.
 *
 * Context: any thread but the hot path; errno is kept.
 */
uint64_t rcap_clock_ticks_per_s(void);

/* True if the program has forbidden itself the instruction that reads the CPU's counter; the
 * kernel's clock uses it, too. */
bool rcap_clock_is_forbidden(void);

#endif
