/* SPDX-License-Identifier: MIT */
/* Runs a program as a child: passes signals on and its exit code through. */
#ifndef RCAP_RANGES_CHILD_H
#define RCAP_RANGES_CHILD_H

#include <stdbool.h>
#include <stdint.h>

struct rcap_ranges_child {
	int64_t pid;          /* 0: no process was made */
	int exit_code;        /* the program's code; 128 + signal; 126 or 127 if it could not be
	                       * started */
	int exec_errno;       /* errno if the program could not be started, else 0 */
	bool was_interrupted; /* we got SIGINT or SIGQUIT while the program ran */
};

/* Called every few ms while the program runs. */
typedef void rcap_ranges_child_turn_fn(void *context);

/*
 * Starts argv[0], searched for in PATH, and waits for its end. Signals that come meanwhile are held
 * and passed on (ranges-signals.h). The child starts with the signal state that we were started
 * with.
 *
 * @is_root: sets RANGES_ROOT_PID to the child's pid in the child's environment, and makes us the
 * reaper of its orphans.
 * @output_fd: gets the child's output and errors; its input is then empty. -1: the child uses ours.
 * @turn: may be NULL.
 * Return: 0, or an errno value if no process could be made.
 * Context: a process with one thread, one child at a time.
 */
int rcap_ranges_child_run(char *const argv[], bool is_root, int output_fd,
                          rcap_ranges_child_turn_fn *turn, void *context,
                          struct rcap_ranges_child *out);

/* Announces a child that the caller has made and waits for. Its status is kept, whichever function
 * reaps it. One child at a time. */
void rcap_ranges_child_await(int64_t pid);

/* True if the announced child has ended. @status: as from waitpid(). */
bool rcap_ranges_child_has_ended(int *status);

/* Reaps children that have ended. Orphans of a run become our children. */
void rcap_ranges_child_reap(void);

#endif
