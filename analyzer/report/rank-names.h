/* SPDX-License-Identifier: MIT */
/* One of several files as a report's input: its model and the labels of its names. */
#ifndef RA_RANK_NAMES_H
#define RA_RANK_NAMES_H

#include "analyzer/report/report.h"

/*
 * @index: of the file, below ra_report_file_count(input).
 * @out: the same input with the file's model and labels. It borrows from `input`, which makes each
 * file's labels on first use and keeps them: never call ra_report_fini_input() on it.
 */
void ra_rank_names_input(struct ra_report_input *out, struct ra_report_input *input, size_t index);

#endif
