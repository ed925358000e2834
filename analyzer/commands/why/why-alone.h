/* SPDX-License-Identifier: MIT */
/* `analyzer why` of several ranks that no collective connects: their ranges are compared. */
#ifndef RA_WHY_ALONE_H
#define RA_WHY_ALONE_H

#include "analyzer/commands/stats/stats-parts.h"

/*
 * Prints which rank is slower than the others in which range, since when, and the table of ranges
 * that differ most, for people. The files are read once more, as `stats` reads several.
 *
 * Return: an exit code, after a line on stderr where files can't be read.
 */
int ra_why_alone(const struct ra_cmd_stats *options);

#endif
