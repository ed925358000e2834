/* SPDX-License-Identifier: MIT */
/* Which options of a command go together, out of a table: what is refused, and what is said of it.
 */
#ifndef RLOG_PAIRS_H
#define RLOG_PAIRS_H

#include <stdbool.h>
#include <stdio.h>

#include "format/options/options.h"

/*
 * Holds the options that were given against options->pairs.
 *
 * Return: false, with options->why filled, if there are two that do not go together, or one without
 * another that it needs.
 */
bool rlog_pairs_check(struct rlog_options *options);

/* Prints what holds for an option of a command, "not with --by, --output; only with --keep". */
void rlog_pairs_print(FILE *out, const struct rlog_option_pair *pairs, const char *command,
                      const char *option);

#endif
