/* SPDX-License-Identifier: MIT */
/* Runs a program as a child: signals passed on, exit code passed through. */
#ifndef RCAP_RANGES_CHILD_H
#define RCAP_RANGES_CHILD_H

#include <stdbool.h>
#include <stdint.h>

struct rcap_ranges_child {
	int64_t pid;    /* 0: there was none */
	int exit_code;  /* of the program; 128 + signal; 126 or 127 if it could not be started */
	int exec_errno; /* why it could not be started, 0 if it was */
	bool was_interrupted; /* SIGINT or SIGQUIT came to us while it ran */
};

/* What is done while the program runs, every few ms. */
typedef void rcap_ranges_child_turn_fn(void *context);

/*
 * Starts argv[0] (searched for in PATH) and waits for its end. Signals that come while it runs
 * are held, and passed on (ranges-signals.h). The child has the signal state the caller was started
 * with.
 *
 * @is_root: set RANGES_ROOT_PID to the child's pid in its environment, and become the reaper of
 * what it leaves. @output_fd: where it prints, errors too, while it reads nothing; -1: as we do.
 * @turn: NULL: nothing is done while it runs. Return: 0, or an errno value when no process could be
 * made. Context: a process with one thread, one child at a time.
 */
int rcap_ranges_child_run(char *const argv[], bool is_root, int output_fd,
                          rcap_ranges_child_turn_fn *turn, void *context,
                          struct rcap_ranges_child *out);

/* A child that the caller has made, and waits for: its status is kept, whoever reaps it. One at a
 * time. */
void rcap_ranges_child_await(int64_t pid);

/* True if that one has ended. @status: as waitpid() gives it. */
bool rcap_ranges_child_has_ended(int *status);

/* Takes away children that have ended: orphans of a run come to us. */
void rcap_ranges_child_reap(void);

#endif
