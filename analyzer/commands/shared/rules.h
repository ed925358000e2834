/* SPDX-License-Identifier: MIT */
/* Reads the options --attribute and --graph-capture, which several commands take. */
#ifndef RA_CMD_RULES_H
#define RA_CMD_RULES_H

#include "analyzer/link/link.h"

/*
 * Reads the value of --attribute, such as "sequence,process".
 *
 * Return: 0, RA_CMD_USAGE with a line on stderr.
 */
int ra_cmd_rules_take(struct ra_link_options *options, const char *value);

/* Reads the value of --graph-capture. Return: 0, RA_CMD_USAGE with a line on stderr. */
int ra_cmd_rules_take_captures(const char **captures, const char *value);

#endif
