/* SPDX-License-Identifier: MIT */
/* Fills a part's ranges with counter values of their threads instead of times. */
#ifndef RA_SUM_COUNTS_H
#define RA_SUM_COUNTS_H

#include "analyzer/names/group.h"
#include "analyzer/summary-file/sum.h"

/* Finds the counter value of each slice; negative: unknown. Return: owned by the caller. */
int64_t *ra_sum_counts_find(const struct ra_model *model, enum ra_count_kind kind);

/* Replaces times by counter values. The rows of the groups must come first. */
void ra_sum_counts_put(struct ra_sum_part *part, const struct ra_slices *slices,
                       const struct ra_group *group, const int64_t *values);

/* Removes ranges that have no counter value. No index may refer to rows yet. */
void ra_sum_counts_drop_empty(struct ra_sum_part *part);

#endif
