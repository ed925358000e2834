/* SPDX-License-Identifier: MIT */
/* Blocks the program's signal handlers in the few places where no handler may run, and no longjmp
 * out of a handler may happen. */
#ifndef RCAP_SIGNALS_H
#define RCAP_SIGNALS_H

#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Blocks all signals, also those of glibc itself, so that no thread is cancelled meanwhile. Return:
 * the previous mask. */
static inline uint64_t rcap_signals_block(void)
{
	const uint64_t all = UINT64_MAX;
	uint64_t old = 0;

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof(all));
	return old;
}

static inline void rcap_signals_restore(uint64_t mask)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
}

#endif
