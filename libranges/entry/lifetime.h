/* SPDX-License-Identifier: MIT */
/* Starts the library: makes everything ready that NVTX's functions need before they are installed.
 */
#ifndef RCAP_LIFETIME_H
#define RCAP_LIFETIME_H

#include <stdbool.h>

/*
 * Prepares the library for the first event. Captures nothing, and starts no thread.
 *
 * Return: false if this process must not be captured (setuid), or if there is no memory.
 * Context: library constructor or NVTX's initialisation, any thread; < 20 µs.
 */
bool rcap_lifetime_load(void);

#endif
