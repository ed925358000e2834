/* SPDX-License-Identifier: MIT */
/* analyzer batch --timeline: writes one timeline of the chosen ranks. */
#ifndef RA_CMD_BATCH_TIMELINE_H
#define RA_CMD_BATCH_TIMELINE_H

#include "analyzer/commands/batch/batch-parts.h"

/* Checks words such as "slowest:3,median:1". Return: 0, RA_CMD_USAGE with a line on stderr. */
int ra_cmd_batch_timeline_check(const char *words);

/*
 * Writes the timeline or archive and prints on stdout how well the clocks are aligned.
 *
 * Return: 0, RA_CMD_UNREADABLE, RA_CMD_UNWRITTEN; with a line on stderr.
 */
int ra_cmd_batch_timeline(const struct ra_cmd_batch *batch, const struct ra_batch_inputs *inputs,
                          const struct ra_batch_result *results, const struct ra_sum_file *file,
                          bool *is_drawn);

/* Returns the name of the timeline's file in OUT. */
const char *ra_cmd_batch_timeline_name(const struct ra_cmd_batch *batch);

#endif
