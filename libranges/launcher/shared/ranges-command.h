/* SPDX-License-Identifier: MIT */
/* What a subcommand of `ranges` is, and what all of them share. */
#ifndef RCAP_RANGES_COMMAND_H
#define RCAP_RANGES_COMMAND_H

#include <stdbool.h>

/* Exit codes of our own; a program's code is passed through. As shells and env(1) do: 126, 127, 128
 * + signal. */
enum rcap_ranges_exit {
	RCAP_RANGES_EXIT_OK = 0,
	RCAP_RANGES_EXIT_USAGE = 2,
	RCAP_RANGES_EXIT_UNREADABLE = 3, /* recover: nothing could be completed */
	RCAP_RANGES_EXIT_REFUSED = 4,    /* ctl: something else decides */
	RCAP_RANGES_EXIT_PARTLY = 5,     /* recover: some logs could be completed, others not */
	RCAP_RANGES_EXIT_FAILED = 7,     /* compare: one of the commands failed */
	RCAP_RANGES_EXIT_NOT_EXECUTABLE = 126,
	RCAP_RANGES_EXIT_NOT_FOUND = 127,
	RCAP_RANGES_EXIT_SIGNAL = 128,
};

struct rcap_ranges_command {
	const char *name;
	const char *arguments; /* behind "ranges NAME " in the usage line */
	const char *summary;   /* half a line */
	const char *operands;  /* above the options in --help: lines; NULL: none */
	const char *notes;     /* below them */
	bool runs_another;     /* what follows its first operand is another program's */
	bool has_variables;    /* --help has those of the environment; of others it is one screen */
	/* argv[0] is the subcommand's name. Return: exit code. */
	int (*run)(const struct rcap_ranges_command *self, int argc, char **argv);
};

extern const struct rcap_ranges_command rcap_ranges_run_command;
extern const struct rcap_ranges_command rcap_ranges_recover_command;
extern const struct rcap_ranges_command rcap_ranges_compare_command;
extern const struct rcap_ranges_command rcap_ranges_ctl_command;
extern const struct rcap_ranges_command rcap_ranges_top_command;

#endif
