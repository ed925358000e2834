/* SPDX-License-Identifier: MIT */
/* The attribution rules that link.c tries. The longer ones have files of their own. */
#ifndef RA_LINK_RULES_H
#define RA_LINK_RULES_H

#include "analyzer/model/model.h"

/*
 * Finds the push/pop range open on a thread, for times that do not decrease. At the start set only
 * track, and `open` to RA_NONE; all else is 0.
 */
struct ra_link_cursor {
	const struct ra_track *track; /* borrowed */
	size_t next;                  /* slices of the track that have begun */
	uint32_t open; /* innermost of these that has not ended; follow its parents outwards */
};

static inline int64_t ra_link_rules_end(const struct ra_slices *slices, size_t slice)
{
	return slices->start_ns[slice] + slices->dur_ns[slice];
}

/* Steps out of waits: work inside a wait belongs to the range around it. */
static inline uint32_t ra_link_rules_skip_waits(const struct ra_slices *slices, uint32_t slice)
{
	while (slice != RA_NONE && (slices->flags[slice] & RA_SLICE_WAIT) != 0) {
		slice = slices->parent[slice];
	}
	return slice;
}

/* The innermost range open at a time, RA_NONE for none. A range is open from its start, and no
 * longer at its end. A crossing range is not in the tree and is skipped. */
static inline uint32_t ra_link_rules_advance(struct ra_link_cursor *cursor,
                                             const struct ra_slices *slices, int64_t time_ns)
{
	const struct ra_track *track = cursor->track;

	while (cursor->next < track->slice_count &&
	       slices->start_ns[track->first_slice + cursor->next] <= time_ns) {
		const size_t slice = track->first_slice + cursor->next++;

		if ((slices->flags[slice] & RA_SLICE_CROSSING) == 0) {
			cursor->open = (uint32_t) slice;
		}
	}
	while (cursor->open != RA_NONE && ra_link_rules_end(slices, cursor->open) <= time_ns) {
		cursor->open = slices->parent[cursor->open];
	}
	return ra_link_rules_skip_waits(slices, cursor->open);
}

/* An operation for which no rule has found a range yet, with the time of its launch. */
struct ra_link_orphan {
	int64_t time_ns;
	uint32_t op;
};

/*
 * Rule `handoff`: finds the range of the context attached to the thread of each API call.
 *
 * @slices: gets the range by API call, RA_NONE for none.
 */
void ra_link_handoff_find(const struct ra_model *model, uint32_t *slices);

/*
 * Rule `sequence`: for each range, finds the range on another thread that caused it or a range
 * around it.
 *
 * @direct: causes of single ranges; NULL: find them by names. @causes: gets the result by slice,
 * RA_NONE for none.
 */
void ra_link_sequence_find(const struct ra_model *model, const uint32_t *direct, uint32_t *causes);

/* Sums the footer's times of CUDA graphs: model->gpu.launched_ns and whole_ns. */
void ra_link_graphs_sum(struct ra_model *model);

/*
 * Finds threads that work for another one: `helped` of their tracks.
 *
 * @orphans: by time.
 */
void ra_link_process_find_helpers(struct ra_model *model, const struct ra_link_orphan *orphans,
                                  size_t count);

/*
 * Rules `helper` and `process`: if exactly one thread had open ranges when an orphan was launched,
 * the orphan gets the innermost of these: by `helper` if its thread works for that one. If
 * `process` is not asked for, this only sums the others' time in model->gpu.process_ns.
 *
 * @orphans: by time.
 */
void ra_link_process_adopt(struct ra_model *model, const struct ra_link_orphan *orphans,
                           size_t count, bool is_wanted);

#endif
