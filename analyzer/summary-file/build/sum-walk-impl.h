/* SPDX-License-Identifier: MIT */
/* Declarations for the passes over a log whose ranges are not held in memory. */
#ifndef RA_SUM_WALK_IMPL_H
#define RA_SUM_WALK_IMPL_H

#include "analyzer/model/few-ranges.h"
#include "analyzer/names/group-base.h"
#include "analyzer/summary-file/build/sum-build-rows.h"

/* The state that the passes over the ranges share. */
struct ra_sum_walk {
	struct ra_sum_build_job *job;
	struct ra_group_base groups; /* groups by name */
	/* owned; if some ranges may be steps: these, and all start/end ranges */
	struct ra_few_ranges few;
	struct ra_model some; /* owned; a view of these ranges; in it, job->steps finds the steps */
};

/*
 * Makes a pass that finds the ranges that may be steps, when the first range begins, and when the
 * last one ends (sum-walk-steps.c).
 *
 * Return: 0; RA_SUM_NEEDS_RANGES: too many ranges may be steps.
 */
int ra_sum_walk_find_candidates(struct ra_sum_walk *walk);

/* True if that pass is needed, because ranges with some name may be steps. */
bool ra_sum_walk_has_candidates(const struct ra_sum_walk *walk);

/* Finds the job's steps. */
void ra_sum_walk_make_steps(struct ra_sum_walk *walk);

/*
 * Finds two things for which ranges must come in the order of time: when ranges began to take
 * longer, and the roles of steps (sum-walk-times.c). Makes one pass, or two if some ranges took
 * longer. The part must have its rows of ranges; those of the groups must come first.
 */
void ra_sum_walk_find_times(struct ra_sum_walk *walk);

/*
 * Notes the single calls, thinned out at once (sum-walk-series.c). Makes one pass. Memory: for the
 * calls that are kept, and for the open ranges. The part must have its rows as for
 * ra_sum_walk_find_times().
 */
void ra_sum_walk_note_series(struct ra_sum_walk *walk);

/* The kind of a range of the walk. */
static inline uint8_t ra_sum_walk_kind(const struct ra_model *model, size_t track, uint8_t flags)
{
	return (flags & RA_SLICE_WAIT) != 0 ? RA_GROUP_WAIT : (uint8_t) model->tracks[track].kind;
}

#endif
