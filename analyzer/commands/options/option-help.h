/* SPDX-License-Identifier: MIT */
/* What an option means: `analyzer help graph-capture`. */
#ifndef RA_OPTION_HELP_H
#define RA_OPTION_HELP_H

#include <stdbool.h>

/*
 * Prints what the commands' help says of an option, and which commands take it.
 *
 * @word: its long name, with the dashes or without.
 * Return: false if no command has it; nothing is printed.
 */
bool ra_option_help_print(const char *word);

#endif
