/* SPDX-License-Identifier: MIT */
/* Finds which ranges contain the calls that launched GPU work, as nsys projects ranges
 * (doc/metrics.md, section 32). */
#ifndef RA_LAUNCH_RANGES_H
#define RA_LAUNCH_RANGES_H

#include "analyzer/model/model.h"

/*
 * A range of one thread. Its work is launched by calls that its thread began and ended within it.
 * Unlike for ra_gpu_op.slice, it does not matter which range is innermost, whether ranges cross, or
 * whether they are push/pop or start/end ranges.
 */
struct ra_launch_range {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t slice;
	uint32_t track; /* of its thread */
	bool is_start_end;
	/* For push/pop ranges; else RA_NONE and 0. */
	uint32_t parent;   /* the innermost range around it on its thread: a smaller index */
	uint32_t level;    /* number of ranges around it */
	uint32_t children; /* number of ranges whose parent it is */
	/* Its work. */
	uint64_t ops;
	int64_t first_ns; /* the first start … */
	int64_t last_ns;  /* … and the last end; undefined without ops */
};

struct ra_launch_ranges {
	/* Owned; by track, start, longer first, slice. Empty if no call launched anything. */
	struct ra_launch_range *rows;
	size_t count;
};

/* Called for each operation of each range, in order of calls. */
typedef void ra_launch_ranges_visit(void *context, const struct ra_launch_range *range,
                                    uint32_t op);

/*
 * @visit: may be NULL.
 * Time: O(n log n + pairs of ranges and calls that are open at once).
 */
void ra_launch_ranges_init(struct ra_launch_ranges *ranges, const struct ra_model *model,
                           ra_launch_ranges_visit *visit, void *context);
void ra_launch_ranges_fini(struct ra_launch_ranges *ranges);

#endif
