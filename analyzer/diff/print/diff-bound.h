/* SPDX-License-Identifier: MIT */
/* Which part of a step is the GPU's work, before and after: parts of the CPU show only what that
 * does not hide. */
#ifndef RA_DIFF_BOUND_H
#define RA_DIFF_BOUND_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/diff.h"

/* The GPU's work as a part of the mean step; NaN: a side has none. */
double ra_diff_bound_find(const struct ra_diff *diff, size_t side);

/* Appends a line if the step was mostly the CPU's on one side and is mostly the GPU's on the
 * other. @mark: stands before it. */
void ra_diff_bound_put(struct ra_util_text *text, const struct ra_diff *diff, const char *mark);

#endif
