/* SPDX-License-Identifier: MIT */
/* Signals to the launcher: passes them on to a running program, counts them after its end. */
#ifndef RCAP_RANGES_SIGNALS_H
#define RCAP_RANGES_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Takes over SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2, and blocks them until
 * rcap_ranges_signals_pass_to(). Leaves out signals that were ignored when the launcher started.
 * From now on none of these signals ends the launcher. Calls nest. Context of all functions here:
 * one thread.
 */
void rcap_ranges_signals_hold(void);

/* Undoes one hold. Undoing the first hold restores the state from before it. */
void rcap_ranges_signals_release(void);

/* Restores the state from before the first hold, in a child process. */
void rcap_ranges_signals_restore(void);

/*
 * Unblocks the signals. Passes SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 on to that process, also those
 * that came before it existed. SIGINT and SIGQUIT are not passed on, because a terminal sends them
 * to that process, too.
 *
 * @pid: 0: there is no process; signals are counted from now on.
 */
void rcap_ranges_signals_pass_to(int64_t pid);

/*
 * Returns how many signals asked for an end while there was no process to pass them to. Several
 * within a tenth of a second are counted as one: `timeout` sends two, one to the launcher and one
 * to its group.
 */
unsigned rcap_ranges_signals_count(void);

/* True if SIGINT or SIGQUIT came since the first hold, whatever other process got it, too. */
bool rcap_ranges_signals_was_interrupted(void);

/* Describes how signals that ask for an end can end the launcher. The handler calls `tidy`. */
struct rcap_ranges_signals_end {
	/* ends after so many SIGINT or SIGQUIT; 0: any signal ends it at once */
	unsigned presses;
	const char *hint;   /* printed at the first of these signals; NULL: nothing */
	const char *line;   /* printed at the end; NULL: nothing */
	void (*tidy)(void); /* called before the end; may be NULL */
};

/* Chooses how signals end the launcher. @end: borrowed; NULL: no signal ends it. NULL is also the
 * state after the first hold, and while there is a process to pass signals to. */
void rcap_ranges_signals_end_by(const struct rcap_ranges_signals_end *end);

#endif
