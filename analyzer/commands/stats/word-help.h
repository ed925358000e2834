/* SPDX-License-Identifier: MIT */
/* Explains a word in a table: a column's key, the rule of a finding, a word of diff. */
#ifndef RA_WORD_HELP_H
#define RA_WORD_HELP_H

#include <stdbool.h>

/*
 * Prints what a column means in the reports that have it, and the condition of a finding's rule, as
 * in doc/metrics.md. The ending of a key may be left out: "exposed" finds exposed_ns.
 *
 * Return: false if the word is neither; then nothing is printed.
 */
bool ra_word_help_print(const char *word);

/* Finds the column or rule most similar to a word. Return: NULL if none is similar. */
const char *ra_word_help_guess(const char *word);

#endif
