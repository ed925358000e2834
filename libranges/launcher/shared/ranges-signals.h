/* SPDX-License-Identifier: MIT */
/* Signals to the launcher: passed on to a program while it runs, counted when it has ended. */
#ifndef RCAP_RANGES_SIGNALS_H
#define RCAP_RANGES_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Takes SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2, but those that the launcher was
 * started with ignored, and blocks them until rcap_ranges_signals_pass_to(). None of them ends the
 * launcher from now on. Calls nest. Context: one thread, as for all here.
 */
void rcap_ranges_signals_hold(void);

/* Undoes one hold. The last one restores the state that the first found. */
void rcap_ranges_signals_release(void);

/* In a child process: the state that the first hold found. */
void rcap_ranges_signals_restore(void);

/*
 * Lets signals come. SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are passed on to that process; a terminal
 * sends SIGINT and SIGQUIT to it as well as to us. One that came before the process was there it
 * gets now.
 *
 * @pid: 0: there is none, what comes is counted from now on.
 */
void rcap_ranges_signals_pass_to(int64_t pid);

/*
 * How many signals that ask for an end came while there was no process to pass them to. Several
 * within a tenth of a second are one: `timeout` sends two, to the launcher and to its group.
 */
unsigned rcap_ranges_signals_count(void);

/* True if SIGINT or SIGQUIT came since the first hold, whoever got it as well. */
bool rcap_ranges_signals_was_interrupted(void);

/* When such a signal ends the launcher. It is called in the handler's context. */
struct rcap_ranges_signals_end {
	unsigned presses;   /* of SIGINT or SIGQUIT; 0: any signal does, at once */
	const char *hint;   /* said at the first of them; NULL: nothing */
	const char *line;   /* said at the end; NULL: nothing */
	void (*tidy)(void); /* called before the end; NULL: nothing is to be done */
};

/* @end: borrowed; NULL: none ends the launcher. So it is after the first hold, and from the time on
 * when there is a process to pass signals to. */
void rcap_ranges_signals_end_by(const struct rcap_ranges_signals_end *end);

#endif
