/* SPDX-License-Identifier: MIT */
/* Why communication is exposed: what the device's next work waits for meanwhile. */
#ifndef RA_EXPOSED_H
#define RA_EXPOSED_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/figures/rank-gpu.h"

/* Parts of the time in which collectives run and nothing hides them, by what the work does that the
 * device runs next. */
struct ra_exposed {
	int64_t late_ns; /* the CPU has not launched it yet, so there is nothing to overlap with …
	                  */
	int64_t held_ns; /* … because a call waits for the end of a collective */
	int64_t queued_ns; /* it is launched, and waits: for the collective, or for something else
	                    */
	int64_t none_ns;   /* there is none, or its launch is not known */
};

/* What is looked at: a device, and the kinds of its work, enum ra_rank_kind or'ed, that could run
 * beside collectives. */
struct ra_exposed_query {
	const struct ra_model *model;
	uint32_t device; /* CUPTI's id */
	unsigned kinds;
};

/* Adds the times in which collectives run on the device and none of these kinds, and unites. The
 * set must be empty before. O(n log n). */
void ra_exposed_find(struct ra_intervals *exposed, const struct ra_exposed_query *query);

/* Divides a united set of times in which none of these kinds runs. O(n log n). */
void ra_exposed_split(struct ra_exposed *out, const struct ra_exposed_query *query,
                      const struct ra_intervals *exposed);

#endif
