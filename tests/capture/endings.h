/* SPDX-License-Identifier: MIT */
/* Shared by the files of the program that ends in awkward ways. */
#ifndef ENDINGS_H
#define ENDINGS_H

#include <sys/types.h>

#include "tests/capture/pushing.h"

/* Makes that many pairs of calls, and counts them. */
void endings_emit(int pairs);

/* Waits for a child; ends the program if that did not end well. */
void endings_wait_for(pid_t pid);

/* Programs start others by every call for this. The started programs make calls, too. @self: our
 * own program; @file: counts the calls. */
void endings_exec(const char *self, const char *file);

/* Five generations, each of which makes calls before, during and after the next. */
void endings_nest(int levels);

/* A thread forks while others make calls; its child has threads of its own. */
void endings_fork_in_thread(void);

/* A daemon, which lives longer than we do. Prints its pid. */
void endings_daemonise(struct pushing *shared);

/* Handlers that leave calls in the middle, by siglongjmp(). */
void endings_jump(_Atomic uint64_t *jumps);

/* User-level threads that a handler switches between, in the middle of calls. */
void endings_switch(void);

#endif
