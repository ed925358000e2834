/* SPDX-License-Identifier: MIT */
/* One of several files as the input of a report: its model, and the labels of its names. */
#ifndef RA_RANK_NAMES_H
#define RA_RANK_NAMES_H

#include "analyzer/report/report.h"

/*
 * @index: of the file, below ra_report_file_count(input).
 * @out: the same input, but for its model and labels; borrows from `input`, which makes labels for
 * each file when they are first asked for and keeps them: never ra_report_fini_input() it.
 */
void ra_rank_names_input(struct ra_report_input *out, struct ra_report_input *input, size_t index);

#endif
