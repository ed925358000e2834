/* SPDX-License-Identifier: MIT */
/* The command line of `ranges compare`. */
#ifndef RCAP_RANGES_COMPARE_OPTIONS_H
#define RCAP_RANGES_COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/launcher/shared/ranges-command.h"

/* A side has at most this many settings NAME=VALUE. */
#define RCAP_RANGES_COMPARE_SETTINGS 32

/* One of the two commands. Strings are borrowed from argv. */
struct rcap_ranges_compare_side {
	const char *name;                                 /* "before", "after" */
	char **command;                                   /* ends with NULL */
	char *settings[RCAP_RANGES_COMPARE_SETTINGS + 1]; /* settings of the environment; the list
	                                                   * ends with NULL */
};

struct rcap_ranges_compare_options {
	struct rcap_ranges_compare_side sides[2];
	const char *folder;
	const char *cpus;    /* CPUs to run on; NULL: those that we were started on */
	const char *fail_on; /* value of --fail-on, for analyzer diff; NULL: its default */
	uint64_t runs;       /* runs of each side; 0: no limit */
	uint64_t warmups;
	uint64_t time_ns; /* 0: no limit */
	uint64_t seed;
	double until; /* ends when all intervals are at most this wide, as a fraction; 0: not
	               * used */
	bool has_seed;
	bool replace;
	bool add;
	bool show;
	bool quiet;
};

/*
 * Parses the command line. Changes the words after "--": ":::" becomes NULL, the end of the first
 * command.
 *
 * Return: false: the command ends with the exit code *code. Context: one thread.
 */
bool rcap_ranges_compare_options_parse(const struct rcap_ranges_command *self, int argc,
                                       char **argv, struct rcap_ranges_compare_options *out,
                                       int *code);

#endif
