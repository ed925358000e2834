/* SPDX-License-Identifier: MIT */
/* Sleeping on a word of memory until another thread wakes us. */
#ifndef RCAP_FUTEX_H
#define RCAP_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps for at most `ns` while the word equals `value`, until another thread wakes us. May also
 * return early for no reason. */
static inline void rcap_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t ns)
{
	const struct timespec timeout = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &timeout, NULL, 0);
}

/* Wakes one thread that sleeps on the word. The caller has changed the word before. */
static inline void rcap_futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Does the same as rcap_futex_wait() for a word that other processes have mapped, too. @ns: if
 * negative, there is no limit. */
static inline void rcap_futex_wait_shared(_Atomic uint32_t *word, uint32_t value, int64_t ns)
{
	const struct timespec timeout = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	syscall(SYS_futex, word, FUTEX_WAIT, value, ns < 0 ? NULL : &timeout, NULL, 0);
}

static inline void rcap_futex_wake_shared(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static inline void rcap_futex_wake_all_shared(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

#endif
