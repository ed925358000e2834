/* SPDX-License-Identifier: MIT */
/* Collects the few ranges that are needed one by one from a model without slices, and makes a model
 * that holds them. */
#ifndef RA_FEW_RANGES_H
#define RA_FEW_RANGES_H

#include "analyzer/model/slice-sink.h"
#include "analyzer/model/walk-merge.h"

/* At most this many ranges: they take 31 MB, with the model. If there are more, a model must hold
 * all ranges. */
#define RA_FEW_RANGES_MOST ((size_t) 1 << 19)

/* Zero-initialise, then set what is not set here. */
struct ra_few_ranges {
	struct ra_walk_range *rows; /* owned; by track, in its order */
	size_t count;
	size_t capacity;
	bool is_full;     /* there were more than RA_FEW_RANGES_MOST: some are missing */
	bool has_any;     /* of all ranges, not only of these: … */
	int64_t first_ns; /* … when the first one begins … */
	int64_t last_ns;  /* … and the last one ends */
	/* For those that come in stretches and runs: */
	uint32_t *open; /* owned; rows of the ranges that were open, RA_NONE: not one of the few */
	size_t open_count;
	size_t open_capacity;
	size_t track; /* … of this track */
};

void ra_few_ranges_fini(struct ra_few_ranges *few);

/* Adds a range, unless there are too many. Return: its place; RA_NONE. */
uint32_t ra_few_ranges_add(struct ra_few_ranges *few, const struct ra_walk_range *range);

/* Notes when a range is, whether or not it is one of these. */
static inline void ra_few_ranges_note_time(struct ra_few_ranges *few, int64_t start_ns,
                                           int64_t end_ns)
{
	few->first_ns = few->has_any && few->first_ns < start_ns ? few->first_ns : start_ns;
	few->last_ns = few->has_any && few->last_ns > end_ns ? few->last_ns : end_ns;
	few->has_any = true;
}

/* Tells which ranges of threads are wanted, by name and domain. All start/end ranges are wanted. */
typedef bool ra_few_ranges_wants(void *context, uint32_t name, uint16_t domain);

/* Takes what a sink takes, in one pass (slice-sink.h). */
void ra_few_ranges_take(struct ra_few_ranges *few, const struct ra_slice_stretch *stretch,
                        ra_few_ranges_wants *wants, void *context);
void ra_few_ranges_take_run(struct ra_few_ranges *few, const struct ra_slice_run *run,
                            ra_few_ranges_wants *wants, void *context);

/*
 * Makes a model that holds them, in no range's tree, and, in no track, one more that is as long as
 * all ranges together. All else it borrows.
 */
void ra_few_ranges_view(const struct ra_few_ranges *few, const struct ra_model *model,
                        struct ra_model *view);
void ra_few_ranges_view_fini(struct ra_model *view);

/*
 * Finds the slice of a view that is this range. Ask for all ranges of a track, in order. @next: by
 * track: how many of its slices were found; all 0 at first. Return: RA_NONE: the range is not one
 * of the few.
 */
static inline uint32_t ra_few_ranges_find(const struct ra_model *view, size_t *next,
                                          const struct ra_walk_range *range)
{
	const struct ra_track *track = &view->tracks[range->track];
	const struct ra_slices *s = &view->slices;
	const size_t slice = track->first_slice + next[range->track];

	/* All ranges of a name and domain are there, or none. */
	if (next[range->track] >= track->slice_count || s->start_ns[slice] != range->start_ns ||
	    s->name[slice] != range->name || s->domain[slice] != range->domain) {
		return RA_NONE;
	}
	next[range->track]++;
	return (uint32_t) slice;
}

#endif
