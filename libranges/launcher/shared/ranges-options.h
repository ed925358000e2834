/* SPDX-License-Identifier: MIT */
/* The options of the commands of `ranges`: the table, and how a command parses its own. */
#ifndef RCAP_RANGES_OPTIONS_H
#define RCAP_RANGES_OPTIONS_H

#include "format/options/options.h"
#include "libranges/launcher/shared/ranges-command.h"

/* The options, in the order of --help. */
extern const struct rlog_option rcap_ranges_option_table[];

/* Which options do not go together. */
extern const struct rlog_option_pair rcap_ranges_option_pairs[];

/* Takes an option. optarg is its value, which is not empty. Return: 0, or the exit code if the
 * option is refused. */
typedef int rcap_ranges_take_fn(const struct rcap_ranges_command *self,
                                const struct rlog_option *row, void *context);

/*
 * Parses the options of a command. Handles --help and --version itself.
 *
 * Return: true: operands begin at argv[optind]; false: the command ends with the exit code *code.
 */
bool rcap_ranges_options_read(const struct rcap_ranges_command *self, int argc, char **argv,
                              rcap_ranges_take_fn *take, void *context, int *code);

#endif
