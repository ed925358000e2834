/* SPDX-License-Identifier: MIT */
/* The command line of `ranges compare`. */
#ifndef RCAP_RANGES_COMPARE_OPTIONS_H
#define RCAP_RANGES_COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/launcher/shared/ranges-command.h"

/* Settings NAME=VALUE of a side, at most. */
#define RCAP_RANGES_COMPARE_SETTINGS 32

/* One of the two that are compared. Strings are borrowed from argv. */
struct rcap_ranges_compare_side {
	const char *name;                                 /* "before", "after" */
	char **command;                                   /* ends with NULL */
	char *settings[RCAP_RANGES_COMPARE_SETTINGS + 1]; /* of the environment; ends with NULL */
};

struct rcap_ranges_compare_options {
	struct rcap_ranges_compare_side sides[2];
	const char *folder;
	const char *cpus;    /* NULL: as we were started */
	const char *fail_on; /* of analyzer diff; NULL: its own */
	uint64_t runs;       /* of each side; 0: until something else ends it */
	uint64_t warmups;
	uint64_t time_ns; /* 0: without a limit */
	uint64_t seed;
	double until; /* a part of one; 0: not by the interval */
	bool has_seed;
	bool replace;
	bool add;
	bool show;
	bool quiet;
};

/*
 * Reads the command line. The words behind "--" are changed: ":::" becomes the end of the first
 * command.
 *
 * Return: false: the command ends with the exit code *code. Context: one thread.
 */
bool rcap_ranges_compare_options_parse(const struct rcap_ranges_command *self, int argc,
                                       char **argv, struct rcap_ranges_compare_options *out,
                                       int *code);

#endif
