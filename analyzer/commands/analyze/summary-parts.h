/* SPDX-License-Identifier: MIT */
/* Tables of the summary that are made of others: what a step's time went to, threads by name. */
#ifndef RA_SUMMARY_PARTS_H
#define RA_SUMMARY_PARTS_H

#include "analyzer/report/report.h"

#define RA_SUMMARY_PARTS_BAR 24 /* columns of a bar that is all of a step */

/*
 * Appends how many steps there are, how long they took, and the slowest: "6, 177.592ms on average".
 * Nothing if no range is a step; else *table gets a row for each part of the average step, the
 * largest first, with a bar for people if has_bars.
 */
void ra_summary_parts_steps(struct ra_report_input *input, bool has_bars, struct ra_util_text *text,
                            struct ra_table *table);

/* Threads of one name are one row. Return: as above. */
void ra_summary_parts_threads(struct ra_report_input *input, struct ra_table *table);

/* The threads that lost events first, then those with the most events; those with next to none of
 * either are left out. */
void ra_summary_parts_rank_threads(struct ra_table *threads);

#endif
