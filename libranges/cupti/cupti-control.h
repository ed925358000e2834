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

/*
 * Looks whether the program has come to use CUDA without our knowing, and starts then. For programs
 * into which we came by NVTX only.
 *
 * Context: a thread's first event, outside of locks.
 */
void rcap_cupti_control_look(void);

/* As above, from time to time: for programs whose threads have had their first event. Does not look
 * at the environment. Context: the drain. */
void rcap_cupti_control_look_again(void);

/*
 * Has the driver load us when it comes: names us in CUDA_INJECTION64_PATH if that is not set, the
 * driver is not there yet and the program has one thread.
 *
 * @path: of libranges.so.
 * Return: true if that can't be done, and somebody must look for the driver.
 * Context: NVTX has just loaded us.
 */
bool rcap_cupti_control_announce(const char *path);

/*
 * Takes out what CUPTI has, switches all off and unsubscribes: another profiler may have it. If we
 * have not begun with it, we will not. A status line says so.
 *
 * Context: any thread, outside of CUPTI's callbacks and of locks; errno is kept.
 */
void rcap_cupti_control_release(void);

#endif
