/* SPDX-License-Identifier: MIT */
/* Keeps the groups of one kind for a range stream, with their sums. Private to the files of range
 * streams. */
#ifndef RA_RANGE_PART_H
#define RA_RANGE_PART_H

#include "analyzer/base/order/middle.h"
#include "analyzer/figures/ranges/range-sums.h"
#include "analyzer/names/group-base.h"

/* The medians of at most this many groups are found in the first pass: each takes up to 16 KB. */
#define RA_RANGE_PART_WATCHED 512

/* The fields of a watched middle that are needed to count a value. */
struct ra_range_near {
	uint64_t watch_low;
	uint16_t *counts; /* borrowed; NULL: the middle is not watched yet */
};

struct ra_range_part {
	bool is_wanted;
	bool has_medians;
	struct ra_group_base groups;
	struct ra_range_sum *sums; /* owned; for each group */
	size_t sum_count;
	size_t plain_count; /* the first groups, without medians or with watched ones */
	size_t sum_capacity;
	struct ra_middle *middles; /* owned */
	size_t middle_capacity;
	uint64_t entered; /* 1 + the thread to which covered_ns of all groups belongs; 0: none */
	struct ra_range_near near[RA_RANGE_PART_WATCHED]; /* for the first groups */
};

/* Adds the group that was found last; it must be the newest. */
void ra_range_part_add_group(struct ra_range_part *part);

/* Makes room for `count` more groups, and for the names of the model. */
void ra_range_part_reserve(struct ra_range_part *part, const struct ra_model *model, size_t count);

/* Adds a duration to the median of a group. */
void ra_range_part_add_middle(struct ra_range_part *part, uint32_t group, uint64_t dur_ns);

void ra_range_part_fini(struct ra_range_part *part);

/* Finds the group of a range; gives a new group its sums. */
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
