/* SPDX-License-Identifier: MIT */
/* Makes a summary's part from a log whose ranges are not held in memory. */
#ifndef RA_SUM_WALK_H
#define RA_SUM_WALK_H

#include "analyzer/summary-file/build/sum-build-rows.h"

/*
 * Fills ranges, paths, changes and single calls from a model with a walk. Finds the steps and their
 * costs.
 *
 * Return: 0, RA_SUM_NEEDS_RANGES.
 */
int ra_sum_walk_build(struct ra_sum_build_job *job);

#endif
