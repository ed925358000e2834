/* SPDX-License-Identifier: MIT */
/* The life of the GPU's capture: start, flush thread, fork, end. */
#ifndef RCAP_CUPTI_CONTROL_H
#define RCAP_CUPTI_CONTROL_H

#include <stdbool.h>

/*
 * Starts the GPU's capture, and the process' with it, unless RANGES_CUDA says no. Only the first
 * call does anything. A failure becomes a status line in the log; ranges are recorded all the same.
 *
 * @is_late: CUDA may be initialised already; else this runs while it is initialised.
 * Context: any thread, not under a lock of ours; takes up to 30 ms; errno is kept.
 */
void rcap_cupti_control_start(bool is_late);

/* Starts the GPU's capture on a thread of its own, so that the caller goes on whatever CUPTI does.
 * Context: as above. */
void rcap_cupti_control_start_aside(void);

/* Waits until a start by another thread is over, for at most one second. Context: as above. */
void rcap_cupti_control_await_start(void);

/* True while the GPU's capture is starting. Context: any. */
bool rcap_cupti_control_is_starting(void);

/* True if no thread has tried to start the GPU's capture. Context: any. */
bool rcap_cupti_control_is_new(void);

/*
 * Takes everything out of CUPTI, switches it off and unsubscribes, so that another profiler can use
 * it. If the capture was not started yet, it never will be. A status line reports this.
 *
 * Context: any thread, outside of CUPTI's callbacks and of locks; errno is kept.
 */
void rcap_cupti_control_release(void);

/* Number of our threads that may be in CUPTI. Context: any. */
unsigned rcap_cupti_control_threads(void);

/*
 * Ends our threads, because the program has no threads any more: they must empty CUPTI and end.
 *
 * Return: true if they had RANGES_EXIT_MS since the first call. Context: the drain.
 */
bool rcap_cupti_control_end_threads(void);

#endif
