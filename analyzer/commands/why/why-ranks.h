/* SPDX-License-Identifier: MIT */
/* analyzer why FILE...: says which ranks of a run delay the others, and why. */
#ifndef RA_CMD_WHY_RANKS_H
#define RA_CMD_WHY_RANKS_H

#include "analyzer/commands/stats/stats-parts.h"

/*
 * Prints which ranks are slow or only late, and the tables that prove it. The files must be loaded.
 *
 * Return: an exit code.
 */
int ra_why_ranks(struct ra_cmd_stats *options, const struct ra_cmd_inputs *inputs);

#endif
