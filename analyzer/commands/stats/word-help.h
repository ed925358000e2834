/* SPDX-License-Identifier: MIT */
/* What a word in a table means: a column's key, or the rule of a finding. */
#ifndef RA_WORD_HELP_H
#define RA_WORD_HELP_H

#include <stdbool.h>

/*
 * Prints what a column means in the reports that have it, and when a finding's rule holds, as
 * doc/metrics.md says it. The ending of a key may be left out: exposed for exposed_ns.
 *
 * Return: false if it is neither; nothing is then printed.
 */
bool ra_word_help_print(const char *word);

/* The column or rule that is most like a word. Return: NULL if none is. */
const char *ra_word_help_guess(const char *word);

#endif
