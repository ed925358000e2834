/* SPDX-License-Identifier: MIT */
/* analyzer diff --compat=TOOL: compares two traces as another tool does. */
#ifndef RA_CMD_DIFF_COMPAT_H
#define RA_CMD_DIFF_COMPAT_H

#include "analyzer/diff/print/diff-print.h"
#include "analyzer/report/compat.h"

struct ra_cmd_diff_compat {
	enum ra_compat compat; /* NONE, HTA or TB */
	const char *steps;     /* the chosen steps, as in struct ra_steps_options; NULL: the tool's
	                          default */
};

/* Reads the value of --compat. Return: 0, RA_CMD_USAGE with a line on stderr. */
int ra_cmd_diff_compat_take(struct ra_cmd_diff_compat *compat, const char *value);

/* Compares the traces print->names. Return: 0, RA_CMD_USAGE, RA_CMD_UNREADABLE,
 * RA_CMD_UNWRITTEN, with a line on stderr. */
int ra_cmd_diff_compat_run(const struct ra_cmd_diff_compat *compat,
                           const struct ra_diff_print *print);

#endif
