/* SPDX-License-Identifier: MIT */
/* `analyzer why` of several ranks that no collective connects: their ranges are compared. */
#ifndef RA_WHY_ALONE_H
#define RA_WHY_ALONE_H

#include "analyzer/commands/stats/stats-parts.h"

/*
 * Prints which rank is slower than the others in which range, since when, and the table of ranges
 * that differ most, for people. The files are read once more, as `stats` reads several.
 *
 * @is_of_sums: they are summaries, which may have collectives. Return: an exit code, as
 * ra_cmd_stats_answer_sums().
 */
int ra_why_alone(const struct ra_cmd_stats *options, bool is_of_sums);

#endif
