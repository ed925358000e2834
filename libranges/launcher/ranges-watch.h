/* SPDX-License-Identifier: MIT */
/* Drains the spools of living programs of a run that have no thread of ours. */
#ifndef RCAP_RANGES_WATCH_H
#define RCAP_RANGES_WATCH_H

#include <stdint.h>

#include "libranges/settings/config.h"

struct rcap_ranges_watched;

struct rcap_ranges_watch {
	const char *run_dir; /* borrowed */
	uint64_t flush_ns;
	uint64_t next_look_ns; /* time of the next search for spools */
	struct rcap_ranges_watched *first;
};

/* Begins to watch. @run_dir: the folder of the programs' spools. It and config must live as long as
 * the watch. */
void rcap_ranges_watch_begin(struct rcap_ranges_watch *watch, const char *run_dir,
                             const struct rcap_config *config);

/*
 * Writes what is due to the logs, extends the spools before they are full, and searches for new
 * spools.
 *
 * @context: a struct rcap_ranges_watch. Context: every few ms; one thread.
 */
void rcap_ranges_watch_turn(void *context);

/* Closes all spools, so that their logs can be completed. */
void rcap_ranges_watch_end(struct rcap_ranges_watch *watch);

#endif
