/* SPDX-License-Identifier: MIT */
/* One run of one of the two commands of `ranges compare`. */
#ifndef RCAP_RANGES_TURN_H
#define RCAP_RANGES_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/launcher/shared/ranges-child.h"
#include "libranges/launcher/compare/ranges-compare-options.h"

struct rcap_ranges_turn {
	const struct rcap_ranges_compare_options *options;
	const struct rcap_ranges_compare_side *side;
	uint64_t number; /* number of the run on its side; 0: a warm-up */
	/* Called while the command runs; may be NULL. */
	rcap_ranges_child_turn_fn *meanwhile;
	void *context;
	/* Results. */
	int exit_code;
	bool was_interrupted; /* we got SIGINT or SIGQUIT, whether or not the command got it */
	uint64_t took_ns;
	size_t logs; /* number of logs of the run: one for each process that made NVTX calls */
};

/* Makes the folders for the logs of both sides. Return: 0; an exit code after a line on stderr. */
int rcap_ranges_turn_prepare(const struct rcap_ranges_compare_options *options);

/* Returns the number of the last run that a side already has; 0 if there is none. */
uint64_t rcap_ranges_turn_last(const struct rcap_ranges_compare_options *options,
                               const struct rcap_ranges_compare_side *side);

/*
 * Runs the command as `ranges run` does. Its output goes to a file next to the log. After a good
 * run that file is removed, unless the options ask to show it.
 *
 * Return: 0; an errno value if there was no run. Context: one thread.
 */
int rcap_ranges_turn_run(struct rcap_ranges_turn *turn);

/* Removes the logs of a run. Also removes its output, unless only_logs. */
void rcap_ranges_turn_remove(const struct rcap_ranges_compare_options *options,
                             const struct rcap_ranges_compare_side *side, uint64_t number,
                             bool only_logs);

/* Makes the name of the file with a run's output. @size: of out, at least
 * RCAP_CONFIG_PATH_BYTES. */
void rcap_ranges_turn_name_output(char *out, size_t size, const struct rcap_ranges_turn *turn);

#endif
