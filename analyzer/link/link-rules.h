/* SPDX-License-Identifier: MIT */
/* The rules of attribution that link.c tries, the longer ones in files of their own. */
#ifndef RA_LINK_RULES_H
#define RA_LINK_RULES_H

#include "analyzer/model/model.h"

/*
 * Finds the push/pop range that is open on a thread, for times that only grow. All fields but track
 * are 0 at first, and `open` RA_NONE.
 */
struct ra_link_cursor {
	const struct ra_track *track; /* borrowed */
	size_t next;                  /* slices of the track that began */
	uint32_t open; /* innermost of them that had not ended; its parents lead out */
};

static inline int64_t ra_link_rules_end(const struct ra_slices *slices, size_t slice)
{
	return slices->start_ns[slice] + slices->dur_ns[slice];
}

/* A wait is no range: what happens in it belongs to the range around. */
static inline uint32_t ra_link_rules_skip_waits(const struct ra_slices *slices, uint32_t slice)
{
	while (slice != RA_NONE && (slices->flags[slice] & RA_SLICE_WAIT) != 0) {
		slice = slices->parent[slice];
	}
	return slice;
}

/* The innermost range that is open at that time, RA_NONE for none. A range is open from its start
 * on and no more at its end; what crosses others has no place in the tree and is passed over. */
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

/* An operation that no rule so far has found a range for, by the time of its launch. */
struct ra_link_orphan {
	int64_t time_ns;
	uint32_t op;
};

/*
 * `handoff`: the range of the context that is attached to the thread of each API call.
 *
 * @slices: gets it by API call, RA_NONE for none.
 */
void ra_link_handoff_find(const struct ra_model *model, uint32_t *slices);

/*
 * `sequence`: for each range, the range on another thread that caused it or a range around it.
 *
 * @direct: causes of single ranges, NULL: names tell. @causes: gets the result by slice, RA_NONE
 * for none.
 */
void ra_link_sequence_find(const struct ra_model *model, const uint32_t *direct, uint32_t *causes);

/* Sums what the footer says of CUDA graphs: model->gpu.launched_ns and whole_ns. */
void ra_link_graphs_sum(struct ra_model *model);

/*
 * `process`: gives orphans whose launch found exactly one thread in ranges the innermost of these;
 * or, if nobody wants that, says in model->gpu.process_ns how much it would be.
 *
 * @orphans: by time.
 */
void ra_link_process_adopt(struct ra_model *model, const struct ra_link_orphan *orphans,
                           size_t count, bool is_wanted);

#endif
