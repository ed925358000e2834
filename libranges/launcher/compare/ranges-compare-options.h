/* SPDX-License-Identifier: MIT */
/* The command line of `ranges compare`. */
#ifndef RCAP_RANGES_COMPARE_OPTIONS_H
#define RCAP_RANGES_COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/launcher/shared/ranges-command.h"

/* Most settings NAME=VALUE of a side. */
#define RCAP_RANGES_COMPARE_SETTINGS 32

/* One of the two commands. Strings are borrowed from argv. */
struct rcap_ranges_compare_side {
	const char *name;                                 /* "before", "after" */
	char **command;                                   /* ends with NULL */
	char *settings[RCAP_RANGES_COMPARE_SETTINGS + 1]; /* of the environment; ends with NULL */
};

struct rcap_ranges_compare_options {
	struct rcap_ranges_compare_side sides[2];
	const char *folder;
	const char *cpus;    /* NULL: those that we were started with */
	const char *fail_on; /* for analyzer diff; NULL: its default */
	uint64_t runs;       /* per side; 0: until something else ends it */
	uint64_t warmups;
	uint64_t time_ns; /* 0: no limit */
	uint64_t seed;
	double until; /* width of the interval as a fraction; 0: does not end by it */
	bool has_seed;
	bool replace;
	bool add;
	bool show;
	bool quiet;
};

/*
 * Parses the command line. Words after "--" are changed: ":::" becomes the end of the first
 * command.
 *
 * Return: false: the command ends with the exit code *code. Context: one thread.
 */
bool rcap_ranges_compare_options_parse(const struct rcap_ranges_command *self, int argc,
                                       char **argv, struct rcap_ranges_compare_options *out,
                                       int *code);

#endif
