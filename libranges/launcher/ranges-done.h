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
	const char *command;                  /* of --on-done, borrowed; NULL: none */
	const char *run_dir;                  /* borrowed */
	struct rcap_ranges_done_spool *first; /* owned */
	/* Queue of logs whose commands have not ended yet; owned. If `pid` is not 0, the command of
	 * the first log is running. */
	struct rcap_ranges_done_log *waiting;
	int64_t pid;
	uint64_t next_ns;
	uint64_t missed; /* logs whose names were overwritten before we read them */
};

/* Checks now and then for completed logs of cycles, and starts the next command if the last has
 * ended. Never blocks. */
void rcap_ranges_done_turn(struct rcap_ranges_done *done);

/* After the program's end, while its spools still exist: queues the logs that they name. */
void rcap_ranges_done_look(struct rcap_ranges_done *done);

/*
 * Runs the remaining commands, also for logs that were completed at the program's end or later.
 * Waits until all have ended, or until a signal asks us to end (ranges-signals.h). In the second
 * case the running command and all that it has started get SIGTERM, and no other command starts.
 * Frees what the struct owns.
 */
void rcap_ranges_done_end(struct rcap_ranges_done *done, const struct rcap_ranges_logs *logs);

#endif
