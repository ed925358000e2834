/* SPDX-License-Identifier: MIT */
/* The description of a subcommand of `ranges`, and what all of them share. */
#ifndef RCAP_RANGES_COMMAND_H
#define RCAP_RANGES_COMMAND_H

#include <stdbool.h>

/* Our own exit codes. A program's code is returned unchanged. 126, 127 and 128 + signal mean the
 * same as in shells and env(1). */
enum rcap_ranges_exit {
	RCAP_RANGES_EXIT_OK = 0,
	RCAP_RANGES_EXIT_USAGE = 2,
	RCAP_RANGES_EXIT_UNREADABLE = 3, /* recover: nothing could be completed */
	RCAP_RANGES_EXIT_REFUSED = 4,    /* ctl: something else switches the capture */
	RCAP_RANGES_EXIT_PARTLY = 5,     /* recover: some logs were completed, others not */
	RCAP_RANGES_EXIT_FAILED = 7,     /* compare: one of the commands failed */
	RCAP_RANGES_EXIT_NOT_EXECUTABLE = 126,
	RCAP_RANGES_EXIT_NOT_FOUND = 127,
	RCAP_RANGES_EXIT_SIGNAL = 128,
};

struct rcap_ranges_command {
	const char *name;
	const char *arguments; /* what follows "ranges NAME " in the usage line */
	const char *summary;   /* a short sentence without its full stop */
	const char *operands;  /* lines above the options in --help; NULL if there are none */
	const char *notes;     /* lines below the options */
	bool runs_another;     /* another program's arguments follow the first operand */
	/* --help lists the environment variables. Without them the help of a command fits one
	 * screen. */
	bool has_variables;
	/* argv[0] is the subcommand's name. Return: exit code. */
	int (*run)(const struct rcap_ranges_command *self, int argc, char **argv);
};

extern const struct rcap_ranges_command rcap_ranges_run_command;
extern const struct rcap_ranges_command rcap_ranges_recover_command;
extern const struct rcap_ranges_command rcap_ranges_compare_command;
extern const struct rcap_ranges_command rcap_ranges_ctl_command;
extern const struct rcap_ranges_command rcap_ranges_top_command;

#endif
