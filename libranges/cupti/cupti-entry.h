/* SPDX-License-Identifier: MIT */
/* Starts the GPU's capture if the driver does not call us: finds out whether the driver is
 * loaded. */
#ifndef RCAP_CUPTI_ENTRY_H
#define RCAP_CUPTI_ENTRY_H

#include <stdbool.h>

/*
 * Checks whether the program has begun to use CUDA without calling us. If so, starts the GPU's
 * capture. Only for programs that have called us by NVTX alone.
 *
 * Context: a thread's first event, outside of locks.
 */
void rcap_cupti_entry_look(void);

/* Does the same for programs whose threads have already had their first event. Called from time to
 * time. Does not read the environment. Context: the drain. */
void rcap_cupti_entry_look_again(void);

/*
 * Makes the driver load us later: sets CUDA_INJECTION64_PATH if it is not set, the driver is not
 * loaded yet, and the program has one thread. If the variable names another library, a status line
 * reports that as soon as the driver is loaded.
 *
 * @path: of libranges.so.
 * Return: true if the caller must find out later whether the driver is loaded.
 * Context: NVTX has just loaded us.
 */
bool rcap_cupti_entry_announce(const char *path);

#endif
