/* SPDX-License-Identifier: MIT */
/* Sums counter values of threads within ranges by group. */
#ifndef RA_RANGE_COUNTS_H
#define RA_RANGE_COUNTS_H

#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/names/group.h"

/* Fills `counts` of the rows; row i is for group i. */
void ra_range_counts_add(struct ra_metrics *metrics, const struct ra_model *model,
                         const struct ra_group *group);

/* Finds a kind among the model's counts. Return: its index; RA_COUNTS: the model has none of the
 * kind. */
size_t ra_range_counts_find(const struct ra_model *model, enum ra_count_kind kind);

#endif
