/* SPDX-License-Identifier: MIT */
/* The thread that asks NVML: it has the program's table of files, which the drain has left. */
#ifndef RCAP_NVML_THREAD_H
#define RCAP_NVML_THREAD_H

#include <stdbool.h>

/* Starts it, if RANGES_GPU_METRICS wants anything; it sleeps until the capture is on. Context: a
 * thread of the program, in each process anew. */
void rcap_nvml_thread_start(void);

/* Tells it when the capture has gone on or off. Context: the drain, often. */
void rcap_nvml_thread_look(void);

/* Has it take its last samples, and waits for that; where NVML does not return, no longer than
 * half of RANGES_EXIT_MS. From then on it writes nothing. Context: who ends the capture. */
void rcap_nvml_thread_end(void);

/* How many there are, and: they must end; as in struct rcap_process. Context: the drain. */
unsigned rcap_nvml_thread_count(void);
bool rcap_nvml_thread_end_soon(void);

#endif
