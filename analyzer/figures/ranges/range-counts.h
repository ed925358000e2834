/* SPDX-License-Identifier: MIT */
/* Counter values of threads within ranges, summed by group. */
#ifndef RA_RANGE_COUNTS_H
#define RA_RANGE_COUNTS_H

#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/names/group.h"

/* Fills `counts` of the rows; row i is that of group i. */
void ra_range_counts_add(struct ra_metrics *metrics, const struct ra_model *model,
                         const struct ra_group *group);

/* The index of a kind among the model's counts; RA_COUNTS: it has none. */
size_t ra_range_counts_find(const struct ra_model *model, enum ra_count_kind kind);

#endif
