/* SPDX-License-Identifier: MIT */
/* Whether all names of a machine changed by the same factor, as another machine changes them
 * (doc/metrics.md, section 25). */
#ifndef RA_DIFF_FACTORS_H
#define RA_DIFF_FACTORS_H

#include "analyzer/diff/diff.h"

/*
 * Finds the factors of the names of a machine: how much longer a typical call of each takes after.
 *
 * @common: RA_DIFF_COMMON_CPU: ranges that are half or more their own time, and calls of CUDA.
 * RA_DIFF_COMMON_GPU: kernels and copies, but no collectives. All have 5 calls or more on both
 * sides, and a time above the limit.
 */
struct ra_diff_factors ra_diff_factors_find(const struct ra_diff *diff, unsigned common,
                                            const struct ra_diff_limits *limits);

#endif
