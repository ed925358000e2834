/* SPDX-License-Identifier: MIT */
/* Checks which options of a command go together, by a table of pairs, and words the refusal. */
#ifndef RLOG_PAIRS_H
#define RLOG_PAIRS_H

#include <stdbool.h>
#include <stdio.h>

#include "format/options/options.h"

/*
 * Checks the given options against options->pairs.
 *
 * Return: false, with options->why filled, if two of them do not go together, or if one needs
 * another that is not given.
 */
bool rlog_pairs_check(struct rlog_options *options);

/* Prints which other options an option excludes and needs, like "not with --by, --output; only with
 * --keep". */
void rlog_pairs_print(FILE *out, const struct rlog_option_pair *pairs, const char *command,
                      const char *option);

#endif
