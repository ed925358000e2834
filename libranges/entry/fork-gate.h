/* SPDX-License-Identifier: MIT */
/*
 * Keeps forks out of the drain's work, in builds with AddressSanitizer only: gcc 12's copies its
 * allocator's locks into a fork child as they are, and a child that is born while our thread
 * allocates waits for ever in its first allocation. glibc's allocator, and the others in use, see
 * to that themselves; elsewhere all of this is empty.
 *
 * One thread, the drain, works; any number fork. Both sides write their own word before they read
 * the other's (sequentially consistent), so at least one sees the other. Neither waits for long:
 * the forking thread may hold what the drain needs.
 */
#ifndef RANGES_LIBRANGES_FORK_GATE_H
#define RANGES_LIBRANGES_FORK_GATE_H

#ifdef __SANITIZE_ADDRESS__

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#define RCAP_FORK_GATE_TURNS 2500 /* of 0.2 ms: half a second */

static _Atomic uint32_t rcap_fork_gate_working; /* by the drain */
static _Atomic uint32_t rcap_fork_gate_forking; /* forks under way */

static inline void rcap_fork_gate_wait(const _Atomic uint32_t *word)
{
	const struct timespec pause = { .tv_nsec = 200000 };

	for (int i = 0; i < RCAP_FORK_GATE_TURNS && atomic_load(word) != 0; i++) {
		nanosleep(&pause, NULL);
	}
}

/* Drain: done for now. */
static inline void rcap_fork_gate_leave(void)
{
	atomic_store(&rcap_fork_gate_working, 0);
}

/* Drain: back to work, once no fork is under way. */
static inline void rcap_fork_gate_enter(void)
{
	atomic_store(&rcap_fork_gate_working, 1);
	if (atomic_load(&rcap_fork_gate_forking) != 0) {
		rcap_fork_gate_leave();
		rcap_fork_gate_wait(&rcap_fork_gate_forking);
		atomic_store(&rcap_fork_gate_working, 1);
	}
}

/* Drain: lets forks go first, in the middle of its work. */
static inline void rcap_fork_gate_pause(void)
{
	rcap_fork_gate_leave();
	rcap_fork_gate_enter();
}

/* The handlers of pthread_atfork(), with rcap_fork_gate_reset(). */
static inline void rcap_fork_gate_before(void)
{
	atomic_fetch_add(&rcap_fork_gate_forking, 1);
	rcap_fork_gate_wait(&rcap_fork_gate_working);
}

static inline void rcap_fork_gate_after(void)
{
	atomic_fetch_sub(&rcap_fork_gate_forking, 1);
}

/* In a child: nobody else is there. */
static inline void rcap_fork_gate_reset(void)
{
	atomic_store(&rcap_fork_gate_working, 0);
	atomic_store(&rcap_fork_gate_forking, 0);
}

#define RCAP_FORK_GATE_BEFORE rcap_fork_gate_before
#define RCAP_FORK_GATE_AFTER  rcap_fork_gate_after

#else

static inline void rcap_fork_gate_leave(void)
{
}

static inline void rcap_fork_gate_enter(void)
{
}

static inline void rcap_fork_gate_pause(void)
{
}

static inline void rcap_fork_gate_reset(void)
{
}

#define RCAP_FORK_GATE_BEFORE NULL
#define RCAP_FORK_GATE_AFTER  NULL

#endif

#endif
