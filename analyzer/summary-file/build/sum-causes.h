/* SPDX-License-Identifier: MIT */
/* Where the time of steps went, by path: rows of RA_SUM_CAUSES. Comparisons explain a change by
 * them.
 */
#ifndef RA_SUM_CAUSES_H
#define RA_SUM_CAUSES_H

#include "analyzer/model/walk-merge.h"
#include "analyzer/summary-file/build/sum-build-rows.h"

struct ra_sum_causes;

/* Adds the rows, of a model that holds its ranges or of what was found before; the job has its
 * steps. Does nothing for a walk without ra_sum_causes_begin(). */
void ra_sum_causes_build(struct ra_sum_build_job *job);

/* The same for ranges that pass by: begins. The job's steps are known, and stay. */
void ra_sum_causes_begin(struct ra_sum_build_job *job);

/* Takes the next range, in order of start (walk-merge.h). */
void ra_sum_causes_take(struct ra_sum_causes *causes, const struct ra_walk_range *range,
                        bool is_step);

/* For a first step that fills the GPU's queue: its time after its range, limited to the time by
 * which it exceeds the median of the others. 0: it does not fill the queue. */
int64_t ra_sum_causes_fill(const struct ra_steps *steps);

/* Frees what was found. NULL: does nothing. */
void ra_sum_causes_destroy(struct ra_sum_causes *causes);

#endif
