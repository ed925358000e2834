/* SPDX-License-Identifier: MIT */
/* A summary's part from a log whose ranges pass by and are not held. */
#ifndef RA_SUM_WALK_H
#define RA_SUM_WALK_H

#include "analyzer/summary-file/build/sum-build-rows.h"

/*
 * Fills in ranges, paths, what took longer and single calls, and finds the steps and what they
 * cost, from a model with a walk.
 *
 * Return: 0, RA_SUM_NEEDS_RANGES.
 */
int ra_sum_walk_build(struct ra_sum_build_job *job);

#endif
