/* SPDX-License-Identifier: MIT */
/* Counts calls of the program that made no sense. */
#ifndef RCAP_ODDITY_H
#define RCAP_ODDITY_H

#include "format/wire.h"
#include "libranges/process/process.h"

/*
 * Adds 1 to the count of an oddity. The footer of every report shows the sum. A call is counted
 * once for each kind of oddity, however many of its arguments are wrong.
 *
 * Context: any thread, signal handlers; between rcap_thread_enter() and leave, or at least after
 * the capture has started (else nothing is counted). Only slow paths, because threads share the
 * counter.
 */
static inline void rcap_oddity_count(enum rlog_oddity oddity)
{
	_Atomic uint32_t *alive = rcap_process_alive;

	/* The capture has not started, or this is a fork child that still has its parent's spool
	 * mapped. */
	if (alive && atomic_load_explicit(alive, memory_order_acquire) == RCAP_ALIVE_YES) {
		/* Relaxed: a statistic, which the drain reads at the end. */
		atomic_fetch_add_explicit(&rcap_process.spool.header->oddities[oddity], 1,
		                          memory_order_relaxed);
	}
}

#endif
