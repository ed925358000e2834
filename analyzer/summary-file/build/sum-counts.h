/* SPDX-License-Identifier: MIT */
/* Fills a part's ranges with counts of their threads instead of times. */
#ifndef RA_SUM_COUNTS_H
#define RA_SUM_COUNTS_H

#include "analyzer/names/group.h"
#include "analyzer/summary-file/sum.h"

/* The count of each slice; below 0: unknown. The caller frees it. */
int64_t *ra_sum_counts_find(const struct ra_model *model, enum ra_count_kind kind);

/* Replaces times by counts. The first rows are those of the groups. */
void ra_sum_counts_put(struct ra_sum_part *part, const struct ra_slices *slices,
                       const struct ra_group *group, const int64_t *values);

/* Removes ranges without a count. No index may refer to rows yet. */
void ra_sum_counts_drop_empty(struct ra_sum_part *part);

#endif
