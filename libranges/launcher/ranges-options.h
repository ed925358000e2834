/* SPDX-License-Identifier: MIT */
/* The options of the commands of `ranges`: the table, and how a command reads its own. */
#ifndef RCAP_RANGES_OPTIONS_H
#define RCAP_RANGES_OPTIONS_H

#include "format/options/options.h"
#include "libranges/launcher/ranges-command.h"

/* Rows in the order of --help. */
extern const struct rlog_option rcap_ranges_option_table[];

/*
 * The next option of a command; its value is in optarg, which is not empty. After the last one the
 * first operand is argv[optind]. --help and --version are done here.
 *
 * @ends_at_operand: what follows the first operand is another program's.
 * Return: 1 with *row; 0: there is none left; -1: the command ends with the exit code in *code.
 */
int rcap_ranges_options_next(const struct rcap_ranges_command *self, int argc, char **argv,
                             bool ends_at_operand, const struct rlog_option **row, int *code);

#endif
