/* SPDX-License-Identifier: MIT */
/* From which call on ranges took longer (doc/metrics.md, section 24). */
#ifndef RA_SUM_CHANGES_H
#define RA_SUM_CHANGES_H

#include "analyzer/names/group.h"
#include "analyzer/summary-file/sum.h"

/*
 * Appends the changes of a part's rows, which begin at `first` and are complete, one for each key
 * of a group of these slices. Their steps are left to the caller.
 * O(n), O(n log n) where threads share a range.
 */
void ra_sum_changes_find(struct ra_sum_part *part, size_t first, const struct ra_slices *slices,
                         const struct ra_group *group);

#endif
