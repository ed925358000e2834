/* SPDX-License-Identifier: MIT */
/* Finds, by time, the only thread of a process that has open push/pop ranges. Sweeps over the
 * begins and ends of all threads' outermost ranges. */
#include "analyzer/link/link-sole.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"

/* A change: a thread begins to have open ranges, or no longer has any. */
struct ra_link_sole_change {
	int64_t time_ns;
	uint32_t track;
	bool is_end;
};

static int compare_changes(const void *left, const void *right)
{
	const struct ra_link_sole_change *a = left;
	const struct ra_link_sole_change *b = right;
	int order = RA_ORDER_UP(a, b, time_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, is_end));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, track));
}

/* True for a range with no range around it. A range without duration is never open. */
static bool is_outermost(const struct ra_slices *slices, size_t slice)
{
	return (slices->flags[slice] & (RA_SLICE_CROSSING | RA_SLICE_WAIT)) == 0 &&
	       slices->dur_ns[slice] > 0 &&
	       ra_link_rules_skip_waits(slices, slices->parent[slice]) == RA_NONE;
}

/* Lists the changes of all threads, by time. @changes: NULL: only count them. */
static size_t list_changes(const struct ra_model *model, struct ra_link_sole_change *changes)
{
	const struct ra_slices *slices = &model->slices;
	size_t count = 0;

	for (size_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];
		const size_t end = track->first_slice + track->slice_count;

		for (size_t i = track->first_slice; track->kind == RA_TRACK_THREAD && i < end;
		     i++) {
			if (!is_outermost(slices, i)) {
				continue;
			}
			if (changes != NULL) {
				changes[count] =
					(struct ra_link_sole_change){ slices->start_ns[i],
					                              (uint32_t) t, false };
				changes[count + 1] =
					(struct ra_link_sole_change){ ra_link_rules_end(slices, i),
					                              (uint32_t) t, true };
			}
			count += 2;
		}
	}
	if (changes != NULL) {
		RA_SORT(changes, count, compare_changes);
	}
	return count;
}

void ra_link_sole_init(struct ra_link_sole *sole, const struct ra_model *model)
{
	*sole = (struct ra_link_sole){ .model = model };
	sole->changes = ra_alloc_zeros(list_changes(model, NULL) + 1, sizeof(*sole->changes));
	sole->change_count = list_changes(model, sole->changes);
	sole->cursors = ra_alloc_zeros(model->track_count + 1, sizeof(*sole->cursors));
}

void ra_link_sole_fini(struct ra_link_sole *sole)
{
	free(sole->changes);
	free(sole->cursors);
}

uint32_t ra_link_sole_find(struct ra_link_sole *sole, int64_t time_ns, uint32_t *track)
{
	struct ra_link_cursor *cursor;

	for (; sole->next < sole->change_count && sole->changes[sole->next].time_ns <= time_ns;
	     sole->next++) {
		const struct ra_link_sole_change *change = &sole->changes[sole->next];

		sole->busy = change->is_end ? sole->busy - 1 : sole->busy + 1;
		sole->sum = change->is_end ? sole->sum - change->track : sole->sum + change->track;
	}
	if (sole->busy != 1) {
		return RA_NONE;
	}
	*track = (uint32_t) sole->sum;
	cursor = &sole->cursors[*track];
	if (cursor->track == NULL) {
		*cursor = (struct ra_link_cursor){ .track = &sole->model->tracks[*track],
			                           .open = RA_NONE };
	}
	return ra_link_rules_advance(cursor, &sole->model->slices, time_ns);
}
