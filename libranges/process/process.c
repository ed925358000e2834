/* SPDX-License-Identifier: MIT */
/* State of the capture in this process: whether it records, its lock, and waking its drain. */
#include "libranges/process/process.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/base/futex.h"
#include "libranges/base/signals.h"
#include "libranges/base/tsan.h"

/* A drain outside the program is taken for gone if it has not stored the time for this long. */
#define DRAIN_GONE_NS (UINT64_C(10) * 1000 * 1000 * 1000)

/* A wait for room takes 0.2 ms. While the drain makes no room, a process waits 10 s at most. If
 * events may be dropped instead, it waits 0.1 s at most. */
#define ROOM_WAIT_NS    200000
#define ROOM_WAITS      50000u
#define ROOM_WAITS_DROP 500u

struct rcap_process rcap_process __attribute__((visibility("hidden")));
_Atomic uint32_t *_Atomic rcap_process_alive __attribute__((visibility("hidden")));

static _Atomic uint32_t lock_word;
static uint64_t lock_mask; /* the signal mask before the lock; protected by the lock */

void rcap_process_lock(void)
{
	/* Signals are blocked while the lock is held. A handler would wait for the lock that its
	 * own thread holds, and a longjmp out of the handler would leave the lock held. */
	const uint64_t mask = rcap_signals_block();

	/* Acquire pairs with the release in unlock: this thread sees what earlier owners of the
	 * lock wrote. */
	while (atomic_exchange_explicit(&lock_word, 1, memory_order_acquire) != 0) {
		sched_yield();
	}
	lock_mask = mask;
	rcap_tsan_hide_writes();
}

void rcap_process_unlock(void)
{
	const uint64_t mask = lock_mask;

	rcap_tsan_show_writes();
	atomic_store_explicit(&lock_word, 0, memory_order_release);
	rcap_signals_restore(mask);
}

void rcap_process_wake_drain(void)
{
	_Atomic uint32_t *const wake = &rcap_process.spool.header->control.wake;
	const int saved = errno;

	atomic_fetch_add_explicit(wake, 1, memory_order_release);
	/* If the drain is just going to sleep, it finds the word changed and stays awake. */
	if (atomic_load_explicit(&rcap_process.drain_sleeps, memory_order_acquire) != 0) {
		rcap_futex_wake_shared(wake);
	}
	errno = saved;
}

bool rcap_process_is_drained(void)
{
	const struct rcap_spool_header *header = rcap_process.spool.header;

	/* Relaxed: the time may be slightly old. */
	return rcap_process.has_drain ||
	       (header->drained == RCAP_DRAINED_OUTSIDE &&
	        rcap_clock_mono_ns() -
	                        atomic_load_explicit(&header->drained_ns, memory_order_relaxed) <
	                DRAIN_GONE_NS);
}

/* Returns how many times to wait for the drain to extend the spool; 0 if the drain will not do
 * it. */
static uint32_t count_waits(void)
{
	const struct rcap_spool *spool = &rcap_process.spool;

	if (!rcap_spool_is_grown_outside(spool)) {
		return 0;
	}
	if (rcap_process.config.on_full == RCAP_ON_FULL_BLOCK) {
		return rcap_process_is_drained() ? ROOM_WAITS : 0;
	}
	/* Our thread extends the spool within ms after it is woken, up to the size of the
	 * buffer. */
	return rcap_process.has_drain &&
	                       atomic_load_explicit(&spool->header->ready, memory_order_relaxed) <
	                               rcap_spool_limit_now(spool)
	               ? ROOM_WAITS_DROP
	               : 0;
}

bool rcap_process_await_room(void)
{
	static _Atomic uint32_t waits;
	static _Atomic uint32_t seen; /* number of ready blocks at the last wait */
	const struct timespec wait = { .tv_nsec = ROOM_WAIT_NS };
	const uint32_t most = count_waits();
	const int saved = errno;
	uint32_t ready;

	if (most == 0) {
		return false;
	}
	/* Relaxed: if threads race, they only wait a little more or less. */
	ready = atomic_load_explicit(&rcap_process.spool.header->ready, memory_order_relaxed);
	if (atomic_exchange_explicit(&seen, ready, memory_order_relaxed) != ready) {
		atomic_store_explicit(&waits, 0, memory_order_relaxed);
	}
	if (atomic_fetch_add_explicit(&waits, 1, memory_order_relaxed) >= most) {
		return false;
	}
	rcap_process_wake_drain();
	/* Uses a raw system call, because that is no cancellation point. */
	syscall(SYS_nanosleep, &wait, NULL);
	errno = saved;
	return true;
}

bool rcap_process_start(void)
{
	_Atomic uint32_t *const word = rcap_process_alive;
	uint32_t alive;

	if (!word) {
		return false;
	}
	for (;;) {
		/* Acquire pairs with the release below: the whole state of the process is set. */
		alive = atomic_load_explicit(word, memory_order_acquire);
		if (alive == RCAP_ALIVE_YES) {
			return true;
		}
		if (alive == RCAP_ALIVE_OFF) {
			return false;
		}
		if (alive == RCAP_ALIVE_NO && atomic_compare_exchange_strong_explicit(
						      word, &alive, RCAP_ALIVE_STARTING,
						      memory_order_acq_rel, memory_order_acquire)) {
			break;
		}
		sched_yield();
	}
	/* In a fork child these words have the values that the parent's threads left. */
	atomic_store_explicit(&lock_word, 0, memory_order_relaxed);
	atomic_store_explicit(&rcap_process.drain_sleeps, 0, memory_order_relaxed);
	alive = rcap_process.start() ? RCAP_ALIVE_YES : RCAP_ALIVE_OFF;
	atomic_store_explicit(word, alive, memory_order_release);
	return alive == RCAP_ALIVE_YES;
}
