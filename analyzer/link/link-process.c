/* SPDX-License-Identifier: MIT */
/* The rule `process`: if only one thread of the process has open ranges, it owns the work. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/link/link-rules.h"
#include "analyzer/base/util.h"

/* A thread begins to have open ranges, or no longer has any. */
struct change {
	int64_t time_ns;
	uint32_t track;
	bool is_end;
};

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left;
	const struct change *b = right;
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
static size_t list_changes(const struct ra_model *model, struct change *changes)
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
					(struct change){ slices->start_ns[i], (uint32_t) t, false };
				changes[count + 1] = (struct change){ ra_link_rules_end(slices, i),
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

/* State of a sweep over the launches of orphans. */
struct sweep {
	struct ra_model *model;
	struct change *changes; /* owned */
	size_t change_count;
	struct ra_link_cursor *cursors; /* by track, owned */
	size_t next;                    /* of the changes */
	size_t busy;                    /* tracks that have open ranges now */
	uint64_t sum; /* sum of these tracks' indices; if there is only one, this is its index */
};

/* The innermost open range of the only thread that has one at a time; else RA_NONE. Times must not
 * decrease. */
static uint32_t find_range(struct sweep *sweep, int64_t time_ns)
{
	struct ra_link_cursor *cursor;

	for (; sweep->next < sweep->change_count && sweep->changes[sweep->next].time_ns <= time_ns;
	     sweep->next++) {
		const struct change *change = &sweep->changes[sweep->next];

		sweep->busy = change->is_end ? sweep->busy - 1 : sweep->busy + 1;
		sweep->sum =
			change->is_end ? sweep->sum - change->track : sweep->sum + change->track;
	}
	if (sweep->busy != 1) {
		return RA_NONE;
	}
	cursor = &sweep->cursors[sweep->sum];
	if (cursor->track == NULL) {
		*cursor = (struct ra_link_cursor){ .track = &sweep->model->tracks[sweep->sum],
			                           .open = RA_NONE };
	}
	return ra_link_rules_advance(cursor, &sweep->model->slices, time_ns);
}

void ra_link_process_adopt(struct ra_model *model, const struct ra_link_orphan *orphans,
                           size_t count, bool is_wanted)
{
	struct sweep sweep = {
		.model = model,
		.changes = ra_alloc_zeros(list_changes(model, NULL) + 1, sizeof(*sweep.changes)),
		.cursors = ra_alloc_zeros(model->track_count + 1, sizeof(*sweep.cursors)),
	};

	sweep.change_count = list_changes(model, sweep.changes);
	for (size_t i = 0; i < count; i++) {
		struct ra_gpu_op *op = &model->gpu.ops[orphans[i].op];
		const uint32_t slice =
			op->slice != RA_NONE ? RA_NONE : find_range(&sweep, orphans[i].time_ns);

		if (slice != RA_NONE && is_wanted) {
			op->slice = slice;
			op->rule = RA_GPU_RULE_PROCESS;
		} else if (slice != RA_NONE) {
			model->gpu.process_ns = ra_util_add_time(model->gpu.process_ns, op->dur_ns);
		}
	}
	free(sweep.changes);
	free(sweep.cursors);
}
