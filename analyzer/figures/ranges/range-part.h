/* SPDX-License-Identifier: MIT */
/* Private to the files of range streams: the groups of one kind, with their sums. */
#ifndef RA_RANGE_PART_H
#define RA_RANGE_PART_H

#include "analyzer/base/order/middle.h"
#include "analyzer/figures/ranges/range-sums.h"
#include "analyzer/names/group-base.h"

/* Most groups whose medians are found in the first pass: each takes up to 16 KB. */
#define RA_RANGE_PART_WATCHED 512

/* For a watched middle: the fields that counting a value needs. */
struct ra_range_near {
	uint64_t watch_low;
	uint16_t *counts; /* borrowed; NULL: none is watched yet */
};

struct ra_range_part {
	bool is_wanted;
	bool has_medians;
	struct ra_group_base groups;
	struct ra_range_sum *sums; /* owned; by group, as the next */
	size_t sum_count;
	size_t plain_count; /* groups without medians, or with watched ones: they come first */
	size_t sum_capacity;
	struct ra_middle *middles; /* owned */
	size_t middle_capacity;
	uint64_t entered; /* 1 + the thread that covered_ns of all groups belongs to; 0: none */
	struct ra_range_near near[RA_RANGE_PART_WATCHED]; /* of the first groups */
};

/* Adds the group that was found last, the newest. */
void ra_range_part_add_group(struct ra_range_part *part);

/* Makes room for `count` more groups, and for the names of the model. */
void ra_range_part_reserve(struct ra_range_part *part, const struct ra_model *model, size_t count);

/* Adds a duration to the median of a group. */
void ra_range_part_add_middle(struct ra_range_part *part, uint32_t group, uint64_t dur_ns);

void ra_range_part_fini(struct ra_range_part *part);

/* The group of a range; a new one gets its sums. */
static inline uint32_t ra_range_part_find(struct ra_range_part *part, uint32_t name,
                                          uint16_t domain, uint8_t kind)
{
	const uint32_t group = ra_group_base_find(&part->groups, name, domain, kind);

	if (__builtin_expect(group == part->sum_count, 0)) {
		ra_range_part_add_group(part);
	}
	return group;
}

#endif
