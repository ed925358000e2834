/* SPDX-License-Identifier: MIT */
/* Finds from which call on ranges took longer (doc/metrics.md, section 24). */
#ifndef RA_SUM_CHANGES_H
#define RA_SUM_CHANGES_H

#include "analyzer/names/group.h"
#include "analyzer/summary-file/sum.h"

/*
 * Appends the changes of rows. These begin at `first`, must be complete, and correspond to the
 * groups of the slices. The caller sets the steps of the changes. O(n), or O(n log n) if threads
 * share a range.
 */
void ra_sum_changes_find(struct ra_sum_part *part, size_t first, const struct ra_slices *slices,
                         const struct ra_group *group);

#endif
