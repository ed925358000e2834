/* SPDX-License-Identifier: MIT */
/* Keeps the groups of one kind for a range stream, with their sums. */
#include "analyzer/figures/ranges/range-part.h"

#include <stdlib.h>

/* Least room to reserve for new sums. The memory is touched only when sums are added. */
#define LEAST_ROOM 4096

void ra_range_part_add_group(struct ra_range_part *part)
{
	RA_UTIL_APPEND(part->sums, part->sum_count, part->sum_capacity,
	               (struct ra_range_sum){ .min_ns = INT64_MAX });
	if (!part->has_medians || part->sum_count <= RA_RANGE_PART_WATCHED) {
		part->plain_count = part->sum_count;
	}
	if (part->has_medians) {
		ra_util_grow(&part->middles, &part->middle_capacity, part->sum_count,
		             sizeof(*part->middles));
		part->middles[part->sum_count - 1] = (struct ra_middle){
			.is_watched = part->sum_count <= RA_RANGE_PART_WATCHED,
		};
	}
}

void ra_range_part_reserve(struct ra_range_part *part, const struct ra_model *model, size_t count)
{
	ra_group_base_reserve(&part->groups, model);
	ra_util_grow(&part->sums, &part->sum_capacity,
	             part->sum_count + (count < LEAST_ROOM ? LEAST_ROOM : count),
	             sizeof(*part->sums));
}

void ra_range_part_add_middle(struct ra_range_part *part, uint32_t group, uint64_t dur_ns)
{
	struct ra_middle *middle = &part->middles[group];

	if (ra_middle_try_store(middle, dur_ns)) {
		return;
	}
	ra_middle_add(middle, dur_ns);
	if (group < RA_RANGE_PART_WATCHED && middle->counts != NULL) {
		part->near[group] = (struct ra_range_near){
			.watch_low = middle->watch_low,
			.counts = middle->counts,
		};
	}
}

void ra_range_part_fini(struct ra_range_part *part)
{
	for (size_t g = 0; part->has_medians && g < part->sum_count; g++) {
		ra_middle_fini(&part->middles[g]);
	}
	free(part->middles);
	free(part->sums);
	ra_group_base_fini(&part->groups);
	*part = (struct ra_range_part){ .is_wanted = part->is_wanted,
		                        .has_medians = part->has_medians };
}
