/* SPDX-License-Identifier: MIT */
/* Prints --help on stdout, and the line about wrong usage on stderr. */
#ifndef RCAP_RANGES_HELP_H
#define RCAP_RANGES_HELP_H

#include "libranges/launcher/shared/ranges-command.h"

/* Prints usage, options, and the environment variables of the table in config.c. */
void rcap_ranges_help_print(const struct rcap_ranges_command *command);

/*
 * Reports what is wrong with the command line.
 *
 * @detail: the wrong argument, may be "".
 * Return: RCAP_RANGES_EXIT_USAGE.
 */
int rcap_ranges_help_refuse(const struct rcap_ranges_command *command, const char *what,
                            const char *detail);

/* Prints the version on stdout. Return: RCAP_RANGES_EXIT_OK. */
int rcap_ranges_help_version(void);

/* Returns the text of an errno value. Context: the launcher only (one thread). */
const char *rcap_ranges_help_errno(int number);

#endif
