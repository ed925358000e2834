/* SPDX-License-Identifier: MIT */
/* Signals to the launcher: passes them on to a running program, counts them after its end. */
#ifndef RCAP_RANGES_SIGNALS_H
#define RCAP_RANGES_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Takes over SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2, except those that were ignored
 * when the launcher started, and blocks them until rcap_ranges_signals_pass_to(). From now on none
 * of them ends the launcher. Calls nest. Context: one thread, as for all here.
 */
void rcap_ranges_signals_hold(void);

/* Undoes one hold. The last one restores the state from before the first. */
void rcap_ranges_signals_release(void);

/* In a child process: restores the state from before the first hold. */
void rcap_ranges_signals_restore(void);

/*
 * Unblocks the signals. Passes SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 on to that process; a terminal
 * sends SIGINT and SIGQUIT to it as well as to us. Also passes on those that came before the
 * process existed.
 *
 * @pid: 0: there is none; signals are counted from now on.
 */
void rcap_ranges_signals_pass_to(int64_t pid);

/*
 * Counts the signals that asked for an end while there was no process to pass them to. Several
 * within a tenth of a second count as one: `timeout` sends two, to the launcher and to its
 * group.
 */
unsigned rcap_ranges_signals_count(void);

/* True if SIGINT or SIGQUIT came since the first hold, whoever else got it. */
bool rcap_ranges_signals_was_interrupted(void);

/* Describes when a signal that asks for an end ends the launcher. The handler calls tidy. */
struct rcap_ranges_signals_end {
	/* ends after this many SIGINT or SIGQUIT; 0: any signal ends it, at once */
	unsigned presses;
	const char *hint;   /* printed at the first of them; NULL: nothing */
	const char *line;   /* printed at the end; NULL: nothing */
	void (*tidy)(void); /* called before the end; may be NULL */
};

/* Chooses when signals end the launcher. @end: borrowed; NULL: no signal does. That is also the
 * state after the first hold, and while there is a process to pass signals to. */
void rcap_ranges_signals_end_by(const struct rcap_ranges_signals_end *end);

#endif
