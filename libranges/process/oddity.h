/* SPDX-License-Identifier: MIT */
/* Counts what made no sense in the program's calls. */
#ifndef RCAP_ODDITY_H
#define RCAP_ODDITY_H

#include "format/wire.h"
#include "libranges/process/process.h"

/*
 * Counts one oddity; it comes out in the footer of every report. One call, whatever is wrong with
 * several of its arguments of the same kind, counts once.
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
