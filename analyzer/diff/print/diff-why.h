/* SPDX-License-Identifier: MIT */
/* Writes the causes of a step's change, and which kernels were swapped. */
#ifndef RA_DIFF_WHY_H
#define RA_DIFF_WHY_H

#include "analyzer/diff/print/diff-print.h"

/* Appends the section for users: the largest causes and the rest, so that they add up, then a line
 * for each swap. Return: false if no cause is beyond the limits. */
bool ra_diff_why_put(struct ra_util_text *text, const struct ra_diff *diff,
                     const struct ra_diff_print *options);

/* Appends the JSON members "causes" and "swaps", with all causes and swaps. A comma follows each
 * member. */
void ra_diff_why_put_json(struct ra_util_text *text, const struct ra_diff *diff);

#endif
