/* SPDX-License-Identifier: MIT */
/* Runs a command for each complete log, while the program runs and after its end. */
#ifndef RCAP_RANGES_DONE_H
#define RCAP_RANGES_DONE_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/launcher/logs/ranges-logs.h"

struct rcap_ranges_done_spool;
struct rcap_ranges_done_log;

struct rcap_ranges_done {
	const char *command;                  /* command of --on-done, borrowed; NULL if there is
	                                       * none */
	const char *run_dir;                  /* borrowed */
	struct rcap_ranges_done_spool *first; /* owned */
	/* Owned: the logs whose commands have not ended yet, in order. If `pid` is not 0, the
	 * command of the first log is running. */
	struct rcap_ranges_done_log *waiting;
	int64_t pid;
	uint64_t next_ns;
	uint64_t missed; /* number of logs whose names were overwritten before we read them */
};

/* From time to time checks for completed logs of cycles. Starts the next command if the last one
 * has ended. Never blocks. */
void rcap_ranges_done_turn(struct rcap_ranges_done *done);

/* Adds the logs that the spools name to the queue. Call it after the program's end, while its
 * spools still exist. */
void rcap_ranges_done_look(struct rcap_ranges_done *done);

/*
 * Runs the remaining commands, also for logs that were completed at the program's end or later.
 * Waits until all commands have ended, or until a signal asks us to end (ranges-signals.h). After
 * such a signal the running command and everything that it has started get SIGTERM, and no other
 * command is started. Frees what the struct owns.
 */
void rcap_ranges_done_end(struct rcap_ranges_done *done, const struct rcap_ranges_logs *logs);

#endif
