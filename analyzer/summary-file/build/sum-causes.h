/* SPDX-License-Identifier: MIT */
/* Finds where the time of steps went, by path: rows of RA_SUM_CAUSES. Comparisons explain a change
 * by them. */
#ifndef RA_SUM_CAUSES_H
#define RA_SUM_CAUSES_H

#include "analyzer/model/walk-merge.h"
#include "analyzer/summary-file/build/sum-build-rows.h"

struct ra_sum_causes;

/* Adds the rows, from a model that holds its ranges, or from what ra_sum_causes_take() has found.
 * The job must have its steps. For a walk without ra_sum_causes_begin(), does nothing. */
void ra_sum_causes_build(struct ra_sum_build_job *job);

/* Begins the same for ranges that come one by one. The job must have its steps, which must not
 * change. */
void ra_sum_causes_begin(struct ra_sum_build_job *job);

/* Takes the next range, in order of start (walk-merge.h). */
void ra_sum_causes_take(struct ra_sum_causes *causes, const struct ra_walk_range *range,
                        bool is_step);

/* For a first step that fills the GPU's queue: its time after its range, but not more than its
 * excess over the median of the other steps. 0: the step does not fill the queue. */
int64_t ra_sum_causes_fill(const struct ra_steps *steps);

/* Frees what was found. NULL is allowed. */
void ra_sum_causes_destroy(struct ra_sum_causes *causes);

#endif
