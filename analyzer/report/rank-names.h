/* SPDX-License-Identifier: MIT */
/* Makes the input of one of several files: its model and the labels of its names. */
#ifndef RA_RANK_NAMES_H
#define RA_RANK_NAMES_H

#include "analyzer/report/report.h"

/*
 * @index: index of the file, less than ra_report_file_count(input).
 * @out: the same input with the file's model and labels. It borrows from `input`, which makes the
 * labels of each file when they are first needed, and keeps them. So never call
 * ra_report_fini_input() for it.
 */
void ra_rank_names_input(struct ra_report_input *out, struct ra_report_input *input, size_t index);

#endif
