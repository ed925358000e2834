/* SPDX-License-Identifier: MIT */
/* Our own threads in the program's process. */
#ifndef RCAP_OWN_THREAD_H
#define RCAP_OWN_THREAD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Starts a detached thread with all signals blocked, so that no handler of the program runs on it.
 *
 * @main: the thread's function; its argument is NULL.
 * @stack_bytes: at least PTHREAD_STACK_MIN.
 * Return: false if the system can't start a thread.
 * Context: any thread, but no signal handler.
 */
bool rcap_own_thread_start(void *(*main)(void *), size_t stack_bytes);

#endif
