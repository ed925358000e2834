/* SPDX-License-Identifier: MIT */
/* Writes which single calls and steps make up a change. */
#ifndef RA_DIFF_OUTLIERS_H
#define RA_DIFF_OUTLIERS_H

#include "analyzer/base/text/util-text.h"
#include "analyzer/diff/causes/diff-causes.h"

/* Returns the name of the step in which most of a call was; borrowed. Empty: it is not known. */
struct rlog_string ra_diff_outliers_find_step(const struct ra_diff *diff, size_t side,
                                              const struct ra_diff_longest *longest);

/* Appends a line for each of the first causes in which one call makes up half or more. */
void ra_diff_outliers_put_calls(struct ra_util_text *text, const struct ra_diff *diff,
                                const struct ra_diff_causes *causes, size_t count,
                                enum ra_util_text_target target);

/* True if each side is one run, and the mean step of a side differs from the median step by more
 * than a tenth. Steps that warm up, or single slow ones, shift the mean. */
bool ra_diff_outliers_move_mean(const struct ra_diff *diff);

/* Appends the median and range of the steps of both sides, and which steps are far from the others,
 * with newlines. Appends nothing if a side has fewer than three steps, or several runs. @is_brief:
 * only medians and far steps. */
void ra_diff_outliers_put_steps(struct ra_util_text *text, const struct ra_diff *diff,
                                enum ra_util_text_target target, bool is_brief);

#endif
