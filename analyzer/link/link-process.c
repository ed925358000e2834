/* SPDX-License-Identifier: MIT */
/* The rule `process`: the one thread of the process that has ranges open. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order.h"
#include "analyzer/link/link-rules.h"

/* A thread comes to have ranges open, or has none any more. */
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

/* A range that no other is around. Ranges of no time are open at none. */
static bool is_outermost(const struct ra_slices *slices, size_t slice)
{
	return (slices->flags[slice] & (RA_SLICE_CROSSING | RA_SLICE_WAIT)) == 0 &&
	       slices->dur_ns[slice] > 0 &&
	       ra_link_rules_skip_waits(slices, slices->parent[slice]) == RA_NONE;
}

/* The changes of all threads, by time. @changes: NULL: they are only counted. */
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

static void adopt(struct ra_model *model, const struct ra_link_orphan *orphans, size_t count,
                  const struct change *changes, size_t change_count, struct ra_link_cursor *cursors)
{
	size_t next = 0;
	size_t busy = 0;
	uint64_t sum = 0; /* of the tracks with ranges: if there is one, this is it */

	for (size_t i = 0; i < count; i++) {
		struct ra_gpu_op *op = &model->gpu.ops[orphans[i].op];
		struct ra_link_cursor *cursor;

		for (; next < change_count && changes[next].time_ns <= orphans[i].time_ns; next++) {
			busy = changes[next].is_end ? busy - 1 : busy + 1;
			sum = changes[next].is_end ? sum - changes[next].track
			                           : sum + changes[next].track;
		}
		if (busy != 1 || op->slice != RA_NONE) {
			continue;
		}
		cursor = &cursors[sum];
		if (cursor->track == NULL) {
			*cursor = (struct ra_link_cursor){ .track = &model->tracks[sum],
				                           .open = RA_NONE };
		}
		op->slice = ra_link_rules_advance(cursor, &model->slices, orphans[i].time_ns);
		if (op->slice != RA_NONE) {
			op->rule = RA_GPU_RULE_PROCESS;
		}
	}
}

void ra_link_process_adopt(struct ra_model *model, const struct ra_link_orphan *orphans,
                           size_t count)
{
	struct change *changes = ra_alloc_zeros(list_changes(model, NULL) + 1, sizeof(*changes));
	struct ra_link_cursor *cursors = ra_alloc_zeros(model->track_count + 1, sizeof(*cursors));

	adopt(model, orphans, count, changes, list_changes(model, changes), cursors);
	free(changes);
	free(cursors);
}
