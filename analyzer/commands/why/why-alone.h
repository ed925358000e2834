/* SPDX-License-Identifier: MIT */
/* `analyzer why` for several ranks that no collective connects: compares their ranges. */
#ifndef RA_WHY_ALONE_H
#define RA_WHY_ALONE_H

#include "analyzer/commands/stats/stats-parts.h"

/*
 * Prints for users which rank is slower than the others, in which range and since when, and the
 * table of ranges that differ most. Reads the files once more, as `stats` reads several files.
 *
 * @is_of_sums: the files are summaries, which may have collectives. Return: an exit code, as
 * ra_cmd_stats_answer_sums().
 */
int ra_why_alone(const struct ra_cmd_stats *options, bool is_of_sums);

#endif
