/* SPDX-License-Identifier: MIT */
/* Writes what the change of a step is made of, and which kernels were swapped. */
#ifndef RA_DIFF_WHY_H
#define RA_DIFF_WHY_H

#include "analyzer/diff/print/diff-print.h"

/* Appends the section for people: the largest causes and what is left, so that they add up, then a
 * line for each swap. Return: false if no cause is beyond the limits. */
bool ra_diff_why_put(struct ra_util_text *text, const struct ra_diff *diff,
                     const struct ra_diff_print *options);

/* Appends the keys "causes" and "swaps" with all of them, each with a comma behind it. */
void ra_diff_why_put_json(struct ra_util_text *text, const struct ra_diff *diff);

#endif
