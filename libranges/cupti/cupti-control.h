/* SPDX-License-Identifier: MIT */
/* The life of the GPU's capture: start, flush thread, fork, end. */
#ifndef RCAP_CUPTI_CONTROL_H
#define RCAP_CUPTI_CONTROL_H

#include <stdbool.h>

/*
 * Starts the GPU's capture, and the process' with it, unless RANGES_CUDA says no. Only the first
 * call does anything. On a failure a status line is written to the log, and ranges are recorded
 * without the GPU's events.
 *
 * @is_late: true if CUDA may be initialised already; false if this is called while CUDA is
 * initialised.
 * Context: any thread, not under a lock of ours; takes up to 30 ms; errno is kept.
 */
void rcap_cupti_control_start(bool is_late);

/* Starts the GPU's capture on a thread of its own. So the caller goes on even if CUPTI hangs.
 * Context: as rcap_cupti_control_start(). */
void rcap_cupti_control_start_aside(void);

/* Waits until another thread has started the GPU's capture: at most RANGES_EXIT_MS, but at least
 * one second. Context: as rcap_cupti_control_start(). */
void rcap_cupti_control_await_start(void);

/* True while the GPU's capture is starting. Context: any. */
bool rcap_cupti_control_is_starting(void);

/* True if no thread has tried to start the GPU's capture. Context: any. */
bool rcap_cupti_control_is_new(void);

/*
 * Takes everything out of CUPTI, switches CUPTI off and unsubscribes, so that another profiler can
 * use it. If the capture has not started yet, it never will. A status line reports this.
 *
 * Context: any thread, outside of CUPTI's callbacks and of locks; errno is kept.
 */
void rcap_cupti_control_release(void);

/* Returns the number of our threads that may be in CUPTI. Context: any. */
unsigned rcap_cupti_control_threads(void);

/*
 * Makes our threads empty CUPTI and end, because the program has no threads any more.
 *
 * Return: true if RANGES_EXIT_MS have passed since the first call. Context: the drain.
 */
bool rcap_cupti_control_end_threads(void);

#endif
