/* SPDX-License-Identifier: MIT */
/* Walks over the ranges of all tracks of a model at once, in order of time. */
#ifndef RA_WALK_MERGE_H
#define RA_WALK_MERGE_H

#include "analyzer/model/model.h"

/* One range. Each field has the value that it has in a model that holds all ranges (model.h). */
struct ra_walk_range {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name;
	uint32_t track;
	uint16_t domain;
	uint8_t flags; /* enum ra_slice_flag */
};

/*
 * Takes ranges, ordered by start. Of ranges with equal starts, the range of the first track comes
 * first; ranges of one track come in the track's order.
 *
 * @until_ns: all later ranges begin at this time or later; INT64_MAX: no range follows.
 */
typedef void ra_walk_merge_take(void *context, const struct ra_walk_range *ranges, size_t count,
                                int64_t until_ns);

/*
 * Gives all ranges of a model that has a walk; the last call may give no range. Memory: one part of
 * each thread that has begun and not ended (struct ra_walk), and 32 bytes for each range in these
 * parts.
 */
void ra_walk_merge(const struct ra_model *model, ra_walk_merge_take *take, void *context);

#endif
