/* SPDX-License-Identifier: MIT */
/* Finds which ranges contain the calls that launched GPU work, as nsys projects ranges
 * (doc/metrics.md, section 32). */
#ifndef RA_LAUNCH_RANGES_H
#define RA_LAUNCH_RANGES_H

#include "analyzer/model/model.h"

/*
 * A range of one thread. The work of the range is launched by calls that the thread began and ended
 * within the range. Unlike for ra_gpu_op.slice, the range need not be innermost, may cross others,
 * and may be push/pop or start/end.
 */
struct ra_launch_range {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t slice;
	uint32_t track; /* the track of its thread */
	bool is_start_end;
	/* For push/pop ranges; for others RA_NONE and 0: */
	uint32_t parent;   /* the innermost range around it on its thread: a smaller index */
	uint32_t level;    /* number of ranges around it */
	uint32_t children; /* number of ranges whose parent it is */
	/* Operations that its calls launched: */
	uint64_t ops;
	int64_t first_ns; /* start of the first … */
	int64_t last_ns;  /* … and latest end; undefined without ops */
};

struct ra_launch_ranges {
	/* Owned; sorted by track, start, longer first, slice. Empty if no call launched
	 * anything. */
	struct ra_launch_range *rows;
	size_t count;
};

/* Called for each operation of each range, in the order of calls. */
typedef void ra_launch_ranges_visit(void *context, const struct ra_launch_range *range,
                                    uint32_t op);

/*
 * Finds the ranges. @visit: may be NULL. Time: O(n log n + pairs of a range and a call in it).
 */
void ra_launch_ranges_init(struct ra_launch_ranges *ranges, const struct ra_model *model,
                           ra_launch_ranges_visit *visit, void *context);
void ra_launch_ranges_fini(struct ra_launch_ranges *ranges);

#endif
