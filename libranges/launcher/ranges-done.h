/* SPDX-License-Identifier: MIT */
/* Runs a command for each log that is complete, while the program goes on and after its end. */
#ifndef RCAP_RANGES_DONE_H
#define RCAP_RANGES_DONE_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/launcher/logs/ranges-logs.h"

struct rcap_ranges_done_spool;
struct rcap_ranges_done_log;

struct rcap_ranges_done {
	const char *command;                  /* of --on-done, borrowed; NULL: none */
	const char *run_dir;                  /* borrowed */
	struct rcap_ranges_done_spool *first; /* owned */
	/* Logs whose commands have not ended yet, in order; owned. That of the first is at work if
	 * `pid` is not 0. */
	struct rcap_ranges_done_log *waiting;
	int64_t pid;
	uint64_t next_ns;
	uint64_t missed; /* logs whose names were not known any more */
};

/* Looks for logs of cycles that were completed, now and then, and begins the command for the next
 * one where that for the last has ended. Waits for nothing. */
void rcap_ranges_done_turn(struct rcap_ranges_done *done);

/* The program has ended, its spools are there still: remembers the logs they name. */
void rcap_ranges_done_look(struct rcap_ranges_done *done);

/*
 * Runs what is left, and the command for the logs that were completed at the end or after it; waits
 * until all have ended, or until a signal asks us to end (ranges-signals.h): then the command at
 * work gets SIGTERM with all it has started, and there is no other. Frees what the struct owns.
 */
void rcap_ranges_done_end(struct rcap_ranges_done *done, const struct rcap_ranges_logs *logs);

#endif
