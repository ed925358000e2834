/* SPDX-License-Identifier: MIT */
/* The options --attribute and --graph-capture, which several commands take. */
#ifndef RA_CMD_RULES_H
#define RA_CMD_RULES_H

#include "analyzer/link/link.h"

/* The line of a command's help. */
#define RA_CMD_RULES_HELP                                                                          \
	"      --attribute RULE,... also give GPU work to ranges by these rules: sequence (of\n"   \
	"                         a backward pass to the operator that made it), process (the\n"   \
	"                         only thread with ranges open), backward-rows (sequence,\n"       \
	"                         in rows of its own: backward of X), origin (of CUDA graphs to\n" \
	"                         the range in which the node was made, not launched)\n"           \
	"      --graph-capture FILE|FOLDER\n"                                                      \
	"                         of a trace in JSON: the trace, or a folder of such, in which\n"  \
	"                         its CUDA graphs were captured: what they run belongs to the\n"   \
	"                         ranges that were open there, below the launching one\n"

/*
 * Takes the value of --attribute, "sequence,process".
 *
 * Return: 0, RA_CMD_USAGE (and a line on stderr).
 */
int ra_cmd_rules_take(struct ra_link_options *options, const char *value);

/* Takes the value of --graph-capture. Return: likewise. */
int ra_cmd_rules_take_captures(const char **captures, const char *value);

#endif
