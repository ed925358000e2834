/* SPDX-License-Identifier: MIT */
/* The attribution rules that link.c tries. The longer rules have files of their own. */
#ifndef RA_LINK_RULES_H
#define RA_LINK_RULES_H

#include "analyzer/model/model.h"

/*
 * Finds the push/pop range open on a thread, for times that do not decrease. At the start, the
 * caller sets `track`, sets `open` to RA_NONE, and the rest to 0.
 */
struct ra_link_cursor {
	const struct ra_track *track; /* borrowed */
	size_t next;                  /* number of slices of the track that have begun */
	uint32_t open; /* innermost slice that has begun and not ended; its parents are open, too */
};

static inline int64_t ra_link_rules_end(const struct ra_slices *slices, size_t slice)
{
	return slices->start_ns[slice] + slices->dur_ns[slice];
}

/* Goes outwards from ranges that are waits: work launched inside a wait belongs to the range around
 * it. */
static inline uint32_t ra_link_rules_skip_waits(const struct ra_slices *slices, uint32_t slice)
{
	while (slice != RA_NONE && (slices->flags[slice] & RA_SLICE_WAIT) != 0) {
		slice = slices->parent[slice];
	}
	return slice;
}

/* The innermost range open at a time, RA_NONE for none. A range is open from its start until just
 * before its end. A range that crosses others is not in the tree and is skipped. */
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
 * Rule `handoff`: for each API call, finds the range from which the context attached to the call's
 * thread was captured.
 *
 * @slices: gets the range by API call; RA_NONE: there is none.
 */
void ra_link_handoff_find(const struct ra_model *model, uint32_t *slices);

/*
 * Rule `sequence`: for each range, finds the range on another thread that caused this range or a
 * range around it.
 *
 * @direct: the causes of single ranges, by slice; NULL: causes are found by names. @causes: gets
 * the result by slice; RA_NONE: none.
 */
void ra_link_sequence_find(const struct ra_model *model, const uint32_t *direct, uint32_t *causes);

/* Sums the GPU time of CUDA graphs for the footer: model->gpu.launched_ns and whole_ns. */
void ra_link_graphs_sum(struct ra_model *model);

/*
 * Finds threads that work for another thread, and stores that thread in `helped` of their tracks.
 *
 * @orphans: ordered by time.
 */
void ra_link_process_find_helpers(struct ra_model *model, const struct ra_link_orphan *orphans,
                                  size_t count);

/*
 * Rules `helper` and `process`: if exactly one thread had open ranges when an orphan was launched,
 * the orphan gets the innermost of these ranges. The rule is `helper` if the launching thread works
 * for that thread, else `process`. If `process` is not asked for, its orphans stay as they are, and
 * their GPU time is added to model->gpu.process_ns.
 *
 * @orphans: ordered by time.
 */
void ra_link_process_adopt(struct ra_model *model, const struct ra_link_orphan *orphans,
                           size_t count, bool is_wanted);

#endif
