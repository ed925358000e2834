/* SPDX-License-Identifier: MIT */
/* Ranges of a part by what their threads counted, in place of times. */
#ifndef RA_SUM_COUNTS_H
#define RA_SUM_COUNTS_H

#include "analyzer/names/group.h"
#include "analyzer/summary-file/sum.h"

/* What was counted in each slice; less than 0: it is not known. To be freed. */
int64_t *ra_sum_counts_find(const struct ra_model *model, enum ra_count_kind kind);

/* Puts them in place of times. Rows from the first are those of the groups. */
void ra_sum_counts_put(struct ra_sum_part *part, const struct ra_slices *slices,
                       const struct ra_group *group, const int64_t *values);

/* Removes ranges that were not counted. Nothing else may name rows. */
void ra_sum_counts_drop_empty(struct ra_sum_part *part);

#endif
