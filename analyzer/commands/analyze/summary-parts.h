/* SPDX-License-Identifier: MIT */
/* Makes two tables of the summary from tables of reports: a step's time by role, threads by
 * name. */
#ifndef RA_SUMMARY_PARTS_H
#define RA_SUMMARY_PARTS_H

#include "analyzer/report/report.h"

#define RA_SUMMARY_PARTS_BAR 24 /* columns of the bar for a whole step */

/*
 * Appends the number of steps, their mean length, and the slowest: "6, 177.592ms on average".
 * Appends nothing if no range is a step. Else *table gets a row for each part of the average step,
 * largest first. @has_bars: each row also has a bar, for users.
 */
void ra_summary_parts_steps(struct ra_report_input *input, bool has_bars, struct ra_util_text *text,
                            struct ra_table *table);

/* Joins threads of one name in a row. *table gets the rows. */
void ra_summary_parts_threads(struct ra_report_input *input, struct ra_table *table);

/* Sorts threads: first those that lost events, then those with the most events. Drops threads that
 * have few events and lost few. */
void ra_summary_parts_rank_threads(struct ra_table *threads);

#endif
