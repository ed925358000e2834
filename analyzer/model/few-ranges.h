/* SPDX-License-Identifier: MIT */
/* Collects from a model without slices the few ranges that a report needs one by one, and makes a
 * model that holds them. */
#ifndef RA_FEW_RANGES_H
#define RA_FEW_RANGES_H

#include "analyzer/model/slice-sink.h"
#include "analyzer/model/walk-merge.h"

/* The most ranges that are collected: with the model, they take 31 MB. If there are more, a model
 * must hold all ranges of the log. */
#define RA_FEW_RANGES_MOST ((size_t) 1 << 19)

/* The ranges collected so far. Zero-initialise, then set the members without a comment. */
struct ra_few_ranges {
	struct ra_walk_range *rows; /* owned; ordered by track, then as in the track */
	size_t count;
	size_t capacity;
	bool is_full; /* there were more than RA_FEW_RANGES_MOST wanted ranges: some are missing */
	bool has_any; /* true if the log has ranges, wanted or not … */
	int64_t first_ns; /* … when the first of all these begins … */
	int64_t last_ns;  /* … and when the last of them ends */
	/* For ranges that come in stretches and runs (slice-sink.h): */
	uint32_t *open; /* owned; rows of the open ranges; RA_NONE: the range was not collected */
	size_t open_count;
	size_t open_capacity;
	size_t track; /* the track to which `open` belongs */
};

void ra_few_ranges_fini(struct ra_few_ranges *few);

/* Adds a range, unless there are too many. Return: its row; RA_NONE: there are too many. */
uint32_t ra_few_ranges_add(struct ra_few_ranges *few, const struct ra_walk_range *range);

/* Updates the times of the first begin and last end by a range, whether it is wanted or not. */
static inline void ra_few_ranges_note_time(struct ra_few_ranges *few, int64_t start_ns,
                                           int64_t end_ns)
{
	few->first_ns = few->has_any && few->first_ns < start_ns ? few->first_ns : start_ns;
	few->last_ns = few->has_any && few->last_ns > end_ns ? few->last_ns : end_ns;
	few->has_any = true;
}

/* True if the ranges of threads with this name and domain are wanted. All start/end ranges are
 * wanted. */
typedef bool ra_few_ranges_wants(void *context, uint32_t name, uint16_t domain);

/* Takes what a sink gets, in one pass (slice-sink.h). */
void ra_few_ranges_take(struct ra_few_ranges *few, const struct ra_slice_stretch *stretch,
                        ra_few_ranges_wants *wants, void *context);
void ra_few_ranges_take_run(struct ra_few_ranges *few, const struct ra_slice_run *run,
                            ra_few_ranges_wants *wants, void *context);

/*
 * Makes a model that holds these ranges as ranges without parents and children. One more slice, in
 * no track, lasts as long as all ranges together. The model borrows everything else.
 */
void ra_few_ranges_view(const struct ra_few_ranges *few, const struct ra_model *model,
                        struct ra_model *view);
void ra_few_ranges_view_fini(struct ra_model *view);

/*
 * Finds the slice of a view that is this range. Ask for all ranges of a track in order. @next: by
 * track, the number of slices found so far; all 0 at first. Return: RA_NONE: the range is not in
 * the view.
 */
static inline uint32_t ra_few_ranges_find(const struct ra_model *view, size_t *next,
                                          const struct ra_walk_range *range)
{
	const struct ra_track *track = &view->tracks[range->track];
	const struct ra_slices *s = &view->slices;
	const size_t slice = track->first_slice + next[range->track];

	/* A view has all ranges of a name and domain, or none of them. */
	if (next[range->track] >= track->slice_count || s->start_ns[slice] != range->start_ns ||
	    s->name[slice] != range->name || s->domain[slice] != range->domain) {
		return RA_NONE;
	}
	next[range->track]++;
	return (uint32_t) slice;
}

#endif
