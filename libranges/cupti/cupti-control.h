/* SPDX-License-Identifier: MIT */
/* The life of the GPU's capture: start, flush thread, fork, end. */
#ifndef RCAP_CUPTI_CONTROL_H
#define RCAP_CUPTI_CONTROL_H

#include <stdbool.h>

/*
 * Starts the GPU's capture, and the process' with it, unless RANGES_CUDA says no. Only the first
 * call does anything. Whatever fails is a status line in the log; ranges are recorded all the same.
 *
 * @is_late: CUDA may be initialised already; else we are in the middle of that.
 * Context: any thread, not under a lock of ours; takes up to 30 ms; errno is kept.
 */
void rcap_cupti_control_start(bool is_late);

/* Starts it, by a thread of its own: whatever CUPTI does, the caller goes on. Context: as above. */
void rcap_cupti_control_start_aside(void);

/* Waits until a start by another thread is over, a second at most. Context: as above. */
void rcap_cupti_control_await_start(void);

/* True while it is being started. Context: any. */
bool rcap_cupti_control_is_starting(void);

/* True if nobody has started it, or tried to. Context: any. */
bool rcap_cupti_control_is_new(void);

/*
 * Takes out what CUPTI has, switches all off and unsubscribes: another profiler may have it. If we
 * have not begun with it, we will not. A status line says so.
 *
 * Context: any thread, outside of CUPTI's callbacks and of locks; errno is kept.
 */
void rcap_cupti_control_release(void);

/* Threads of ours that may be within CUPTI. Context: any. */
unsigned rcap_cupti_control_threads(void);

/*
 * The program has no thread any more: these must take what CUPTI has, and end.
 *
 * Return: true if they had RANGES_EXIT_MS since the first call. Context: the drain.
 */
bool rcap_cupti_control_end_threads(void);

#endif
