/* SPDX-License-Identifier: MIT */
/* Compares the order of the steps of one run on either side: how likely chance makes the steps of
 * one side as short beside those of the other (doc/metrics.md, section 25). */
#ifndef RA_DIFF_STEPS_H
#define RA_DIFF_STEPS_H

#include "analyzer/diff/diff-side.h"
#include "analyzer/diff/diff-verdict.h"

/*
 * Compares a part of the steps of two runs: the rank test of Mann and Whitney, exactly, of all
 * steps or of all but the first of either side, whichever is clearer; the estimate of Hodges and
 * Lehmann with its interval. So few steps that their order can't be clear must lie apart, and
 * Student's t decides.
 *
 * @role: enum ra_role.
 * @parts: number of parts that are looked at.
 *
 * Return: has is false if a side has fewer than 3 or more than 20 steps, or a step lacks the part.
 */
struct ra_diff_evidence ra_diff_steps_compare(const struct ra_diff_run *before,
                                              const struct ra_diff_run *after, size_t role,
                                              size_t parts);

#endif
