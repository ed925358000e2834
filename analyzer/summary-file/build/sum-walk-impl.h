/* SPDX-License-Identifier: MIT */
/* Shared by the passes over a log whose ranges are not held. */
#ifndef RA_SUM_WALK_IMPL_H
#define RA_SUM_WALK_IMPL_H

#include "analyzer/model/few-ranges.h"
#include "analyzer/names/group-base.h"
#include "analyzer/summary-file/build/sum-build-rows.h"

/* State that the passes over the ranges share. */
struct ra_sum_walk {
	struct ra_sum_build_job *job;
	struct ra_group_base groups; /* by name */
	struct ra_few_ranges few;    /* owned; if some ranges may be steps: these, and all start/end
	                                ranges */
	struct ra_model some; /* owned; a view of them, of which job->steps tells the steps */
};

/*
 * Finds ranges that may be steps, and when the first range begins and the last ends, in a pass of
 * its own (sum-walk-steps.c).
 *
 * Return: 0, RA_SUM_NEEDS_RANGES: there are too many.
 */
int ra_sum_walk_find_candidates(struct ra_sum_walk *walk);

/* True if some name makes that pass worth while. */
bool ra_sum_walk_has_candidates(const struct ra_sum_walk *walk);

/* Finds the job's steps. */
void ra_sum_walk_make_steps(struct ra_sum_walk *walk);

/*
 * Finds what needs ranges in the order of time: from when on they took longer, and the roles of
 * steps (sum-walk-times.c). One pass, two if some took longer. The part has its rows of ranges, the
 * groups' first.
 */
void ra_sum_walk_find_times(struct ra_sum_walk *walk);

/*
 * Notes the single calls, thinned out at once (sum-walk-series.c). One pass; memory: that of the
 * calls that are kept, and of the ranges that are open. The part has its rows as above.
 */
void ra_sum_walk_note_series(struct ra_sum_walk *walk);

/* The kind of a range of the walk. */
static inline uint8_t ra_sum_walk_kind(const struct ra_model *model, size_t track, uint8_t flags)
{
	return (flags & RA_SLICE_WAIT) != 0 ? RA_GROUP_WAIT : (uint8_t) model->tracks[track].kind;
}

#endif
