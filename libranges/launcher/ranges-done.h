/* SPDX-License-Identifier: MIT */
/* Runs a command for each log that is complete, while the program goes on and after its end. */
#ifndef RCAP_RANGES_DONE_H
#define RCAP_RANGES_DONE_H

#include <stddef.h>
#include <stdint.h>

#include "libranges/launcher/ranges-logs.h"

struct rcap_ranges_done_spool;

struct rcap_ranges_done {
	const char *command;                  /* of --on-done, borrowed; NULL: none */
	const char *run_dir;                  /* borrowed */
	struct rcap_ranges_done_spool *first; /* owned */
	uint64_t next_ns;
	uint64_t missed; /* logs whose names were not known any more */
};

/* Looks for logs of cycles that were completed, and runs the command for each, now and then. */
void rcap_ranges_done_turn(struct rcap_ranges_done *done);

/* The program has ended, its spools are there still: the same at once. */
void rcap_ranges_done_look(struct rcap_ranges_done *done);

/* For the logs that were completed at the end, or after it; frees what the struct owns. */
void rcap_ranges_done_end(struct rcap_ranges_done *done, const struct rcap_ranges_logs *logs);

#endif
