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
};

/* What is done while the program runs, every few ms. */
typedef void rcap_ranges_child_turn_fn(void *context);

/*
 * Starts argv[0] (searched for in PATH) and waits for its end. While it runs, the caller ignores
 * SIGINT and SIGQUIT (a terminal sends them to both) and passes SIGTERM, SIGHUP, SIGUSR1 and
 * SIGUSR2 on, unless it was started with them ignored. The child has the signal state the caller
 * was started with.
 *
 * @is_root: set RANGES_ROOT_PID to the child's pid in its environment, and become the reaper of
 * what it leaves. @output_fd: where it prints, errors too, while it reads nothing; -1: as we do.
 * @turn: NULL: nothing is done while it runs. Return: 0, or an errno value when no process could be
 * made. Context: a process with one thread, one child at a time.
 */
int rcap_ranges_child_run(char *const argv[], bool is_root, int output_fd,
                          rcap_ranges_child_turn_fn *turn, void *context,
                          struct rcap_ranges_child *out);

#endif
