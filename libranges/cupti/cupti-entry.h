/* SPDX-License-Identifier: MIT */
/* How the GPU's capture begins where the driver does not call us: we find that it is there. */
#ifndef RCAP_CUPTI_ENTRY_H
#define RCAP_CUPTI_ENTRY_H

#include <stdbool.h>

/*
 * Looks whether the program has come to use CUDA without our knowing, and starts then. For programs
 * into which we came by NVTX only.
 *
 * Context: a thread's first event, outside of locks.
 */
void rcap_cupti_entry_look(void);

/* As above, from time to time: for programs whose threads have had their first event. Does not look
 * at the environment. Context: the drain. */
void rcap_cupti_entry_look_again(void);

/*
 * Has the driver load us when it comes: names us in CUDA_INJECTION64_PATH if that is not set, the
 * driver is not there yet and the program has one thread. If it names another library, a status
 * line will say so once the driver is there.
 *
 * @path: of libranges.so.
 * Return: true if somebody must look for the driver.
 * Context: NVTX has just loaded us.
 */
bool rcap_cupti_entry_announce(const char *path);

#endif
