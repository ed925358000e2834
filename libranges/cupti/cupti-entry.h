/* SPDX-License-Identifier: MIT */
/* How the GPU's capture starts if the driver does not call us: we find that the driver is there. */
#ifndef RCAP_CUPTI_ENTRY_H
#define RCAP_CUPTI_ENTRY_H

#include <stdbool.h>

/*
 * Checks whether the program has begun to use CUDA without calling us, and starts then. Only for
 * programs that we entered by NVTX alone.
 *
 * Context: a thread's first event, outside of locks.
 */
void rcap_cupti_entry_look(void);

/* As above, called now and then: for programs whose threads have had their first event. Does not
 * read the environment. Context: the drain. */
void rcap_cupti_entry_look_again(void);

/*
 * Makes the driver load us when it comes: sets CUDA_INJECTION64_PATH if it is not set, the driver
 * is not there yet and the program has one thread. If it names another library, a status line will
 * say so once the driver is there.
 *
 * @path: of libranges.so.
 * Return: true if somebody must look for the driver.
 * Context: NVTX has just loaded us.
 */
bool rcap_cupti_entry_announce(const char *path);

#endif
