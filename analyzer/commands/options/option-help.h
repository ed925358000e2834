/* SPDX-License-Identifier: MIT */
/* Help on an option: `analyzer help graph-capture`. */
#ifndef RA_OPTION_HELP_H
#define RA_OPTION_HELP_H

#include <stdbool.h>

/*
 * Prints what the commands' help says of an option, and which commands have it.
 *
 * @word: its long name, with or without dashes.
 * Return: false if no command has it; nothing is printed.
 */
bool ra_option_help_print(const char *word);

#endif
