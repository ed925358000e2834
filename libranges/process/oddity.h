/* SPDX-License-Identifier: MIT */
/* Counts calls of the program that made no sense. */
#ifndef RCAP_ODDITY_H
#define RCAP_ODDITY_H

#include "format/wire.h"
#include "libranges/process/process.h"

/*
 * Counts one oddity; every report's footer shows the sum. A call counts once for each kind of
 * oddity, however many of its arguments are wrong.
 *
 * Context: any thread, signal handlers; between rcap_thread_enter() and leave, or at least after
 * the capture has started (else nothing is counted). Slow paths only: threads share the counter.
 */
static inline void rcap_oddity_count(enum rlog_oddity oddity)
{
	_Atomic uint32_t *alive = rcap_process_alive;

	/* Not yet started, or a fork child that still has its parent's spool mapped. */
	if (alive && atomic_load_explicit(alive, memory_order_acquire) == RCAP_ALIVE_YES) {
		/* Relaxed: a statistic. The drain reads it at the end. */
		atomic_fetch_add_explicit(&rcap_process.spool.header->oddities[oddity], 1,
		                          memory_order_relaxed);
	}
}

#endif
