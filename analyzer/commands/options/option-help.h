/* SPDX-License-Identifier: MIT */
/* Prints help on an option: `analyzer help graph-capture`. */
#ifndef RA_OPTION_HELP_H
#define RA_OPTION_HELP_H

#include <stdbool.h>

/*
 * Prints what the commands' help says about an option, and which commands have the option.
 *
 * @word: the option's long name, with or without dashes.
 * Return: false if no command has it; then nothing is printed.
 */
bool ra_option_help_print(const char *word);

#endif
