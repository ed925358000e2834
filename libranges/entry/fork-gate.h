/* SPDX-License-Identifier: MIT */
/*
 * Keeps forks out of the drain's work, only in builds with AddressSanitizer. In such builds gcc 12
 * and clang 14 copy the locks of the sanitizer's allocator into a fork child as they are. If a fork
 * happens while our thread allocates, the child waits for ever in its first allocation. glibc's
 * allocator and others in use handle forks themselves, so in other builds all of this is empty.
 *
 * One thread, the drain, works. Any number of threads may fork. Each side writes its own word
 * before it reads the other's (sequentially consistent), so at least one side sees the other.
 * Neither side waits for long, because the forking thread may hold what the drain needs.
 */
#ifndef RANGES_LIBRANGES_FORK_GATE_H
#define RANGES_LIBRANGES_FORK_GATE_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define RCAP_FORK_GATE_IS_NEEDED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define RCAP_FORK_GATE_IS_NEEDED
#endif

#ifdef RCAP_FORK_GATE_IS_NEEDED

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#define RCAP_FORK_GATE_TURNS 2500 /* waits of 0.2 ms each: half a second */

static _Atomic uint32_t rcap_fork_gate_working; /* 1 while the drain works */
static _Atomic uint32_t rcap_fork_gate_forking; /* number of forks in progress */

static inline void rcap_fork_gate_wait(const _Atomic uint32_t *word)
{
	const struct timespec pause = { .tv_nsec = 200000 };

	for (int i = 0; i < RCAP_FORK_GATE_TURNS && atomic_load(word) != 0; i++) {
		nanosleep(&pause, NULL);
	}
}

/* The drain calls this when its work is done for now. */
static inline void rcap_fork_gate_leave(void)
{
	atomic_store(&rcap_fork_gate_working, 0);
}

/* The drain calls this before it works. Waits until no fork is in progress. */
static inline void rcap_fork_gate_enter(void)
{
	atomic_store(&rcap_fork_gate_working, 1);
	if (atomic_load(&rcap_fork_gate_forking) != 0) {
		rcap_fork_gate_leave();
		rcap_fork_gate_wait(&rcap_fork_gate_forking);
		atomic_store(&rcap_fork_gate_working, 1);
	}
}

/* The drain calls this in the middle of its work, to let forks go first. */
static inline void rcap_fork_gate_pause(void)
{
	rcap_fork_gate_leave();
	rcap_fork_gate_enter();
}

/* Handlers for pthread_atfork(), like rcap_fork_gate_reset(). */
static inline void rcap_fork_gate_before(void)
{
	atomic_fetch_add(&rcap_fork_gate_forking, 1);
	rcap_fork_gate_wait(&rcap_fork_gate_working);
}

static inline void rcap_fork_gate_after(void)
{
	atomic_fetch_sub(&rcap_fork_gate_forking, 1);
}

/* Called in a fork child, which has no other thread. */
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
