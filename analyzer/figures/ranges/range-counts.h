/* SPDX-License-Identifier: MIT */
/* What threads counted in ranges, by group. */
#ifndef RA_RANGE_COUNTS_H
#define RA_RANGE_COUNTS_H

#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/names/group.h"

/* Fills `counts` of the rows, which are those of the groups. */
void ra_range_counts_add(struct ra_metrics *metrics, const struct ra_model *model,
                         const struct ra_group *group);

/* Which of the model's counts is of a kind; RA_COUNTS: none. */
size_t ra_range_counts_find(const struct ra_model *model, enum ra_count_kind kind);

#endif
