/* SPDX-License-Identifier: MIT */
/* Compares the order by length of the steps of one run on either side: how likely it is by chance
 * that one side's steps are shorter than the other's to this extent (doc/metrics.md, section
 * 25). */
#ifndef RA_DIFF_STEPS_H
#define RA_DIFF_STEPS_H

#include "analyzer/diff/diff-side.h"
#include "analyzer/diff/diff-verdict.h"

/*
 * Compares a part of the steps of two runs. Does the exact rank test of Mann and Whitney, with all
 * steps and without the first step of each side, and takes the clearer result. The estimate and its
 * interval are those of Hodges and Lehmann. If there are so few steps that their order can't be
 * clear, the steps of one side must all be longer than those of the other, and Student's t decides.
 *
 * @role: enum ra_role.
 * @parts: number of parts that are tested.
 *
 * Return: `has` is false if a side has fewer than 3 or more than 20 steps, or if a step lacks the
 * part.
 */
struct ra_diff_evidence ra_diff_steps_compare(const struct ra_diff_run *before,
                                              const struct ra_diff_run *after, size_t role,
                                              size_t parts);

#endif
