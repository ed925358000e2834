/* SPDX-License-Identifier: MIT */
/* Sums of a group of ranges, to which ranges are added one by one. */
#ifndef RA_RANGE_SUMS_H
#define RA_RANGE_SUMS_H

#include "analyzer/base/util.h"
#include "analyzer/figures/ranges/metrics.h"

/* Less than a cache line. Zero but for min_ns, which begins as INT64_MAX. */
struct ra_range_sum {
	uint64_t calls;
	int64_t total_ns;
	uint64_t self_ns; /* modulo 2^64 on the way */
	int64_t min_ns;
	int64_t max_ns;
	uint64_t durations_ns; /* of all calls, below as well as above; wraps after 584 years */
	int64_t covered_ns;    /* until here the current thread's time is in total_ns */
	uint64_t track;        /* that thread + 1 */
};

static inline void ra_range_sum_add_call(struct ra_range_sum *sum, int64_t dur_ns)
{
	sum->calls++;
	sum->durations_ns += (uint64_t) dur_ns;
	sum->min_ns = dur_ns < sum->min_ns ? dur_ns : sum->min_ns;
	sum->max_ns = dur_ns > sum->max_ns ? dur_ns : sum->max_ns;
}

/*
 * Adds what of [start, end) the group has not covered on this thread yet; ranges come by start, or
 * again with a later end if the one before was no later than that of any range. Without branches,
 * because the answers are as good as random.
 */
static inline void ra_range_sum_add_coverage(struct ra_range_sum *sum, size_t track,
                                             int64_t start_ns, int64_t end_ns)
{
	const int64_t covered_ns = sum->track == track + 1 ? sum->covered_ns : start_ns;
	const int64_t from_ns = start_ns > covered_ns ? start_ns : covered_ns;
	const int64_t more_ns = end_ns > from_ns ? end_ns - from_ns : 0;

	sum->track = track + 1;
	sum->covered_ns = end_ns > from_ns ? end_ns : from_ns;
	sum->total_ns = ra_util_add_time(sum->total_ns, more_ns);
}

/* Makes the rows of metrics, one for each key; medians are not set. */
void ra_range_sums_make_rows(struct ra_metrics *metrics, const struct ra_range_sum *sums,
                             const struct ra_group_key *keys, size_t count);

#endif
