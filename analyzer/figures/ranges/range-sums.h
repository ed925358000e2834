/* SPDX-License-Identifier: MIT */
/* Sums a group of ranges, which are added one by one. */
#ifndef RA_RANGE_SUMS_H
#define RA_RANGE_SUMS_H

#include "analyzer/base/util.h"
#include "analyzer/figures/ranges/metrics.h"

/* Sums of one group, in one cache line. Start with zeros and min_ns = INT64_MAX. */
struct ra_range_sum {
	uint64_t calls;
	int64_t total_ns;
	uint64_t self_ns; /* modulo 2^64 until all ranges are added; in a stream it is minus the
	                     inner time until the end */
	int64_t min_ns;
	int64_t max_ns;
	uint64_t rest_ns;   /* see ra_range_sum_durations() */
	int64_t covered_ns; /* end of the time on the current thread that total_ns includes */
	uint64_t track;     /* that thread + 1 */
};

/* Returns the sum of the durations of all calls; it wraps after 584 years. Most ranges are in no
 * other range of their group, and add the same time to this sum and to total_ns. So only the
 * difference is stored. */
static inline uint64_t ra_range_sum_durations(const struct ra_range_sum *sum)
{
	return (uint64_t) sum->total_ns + sum->rest_ns;
}

/* Limits a total that has become too large and so looks negative. Not inline, because that never
 * happens in practice. */
void ra_range_sums_saturate(struct ra_range_sum *sum);

/* Adds a time, which is not negative, to the total, not to the sum of durations. */
static inline void ra_range_sum_add_total(struct ra_range_sum *sum, int64_t ns)
{
	sum->rest_ns -= (uint64_t) ns;
	sum->total_ns = ra_util_add_wrapped(sum->total_ns, ns);
	if (__builtin_expect(sum->total_ns < 0, 0)) {
		ra_range_sums_saturate(sum);
	}
}

static inline void ra_range_sum_limit(struct ra_range_sum *sum, int64_t dur_ns)
{
	/* After the first ranges, both cases are rare. */
	if (__builtin_expect(dur_ns < sum->min_ns, 0)) {
		sum->min_ns = dur_ns;
	}
	if (__builtin_expect(dur_ns > sum->max_ns, 0)) {
		sum->max_ns = dur_ns;
	}
}

/* Adds a call to all sums except the total. */
static inline void ra_range_sum_add_call(struct ra_range_sum *sum, int64_t dur_ns)
{
	sum->calls++;
	sum->rest_ns += (uint64_t) dur_ns;
	ra_range_sum_limit(sum, dur_ns);
}

/*
 * Adds the part of [start, end) that the group has not covered on this thread yet. Ranges come in
 * order of start. A range may come again with a later end, if no other range ended later before.
 * Only a range inside another range of its group begins before covered_ns, which is this thread's,
 * or INT64_MIN.
 */
static inline void ra_range_sum_cover(struct ra_range_sum *sum, int64_t start_ns, int64_t end_ns)
{
	const int64_t covered_ns = sum->covered_ns;
	const int64_t from_ns = start_ns >= covered_ns ? start_ns : covered_ns;

	if (start_ns >= covered_ns || end_ns > covered_ns) {
		sum->covered_ns = end_ns;
		ra_range_sum_add_total(sum, end_ns - from_ns);
	}
}

/* Adds a call to all sums except the number of calls. This saves a memory access if the caller
 * counts calls anyway. */
static inline void ra_range_sum_add_uncounted(struct ra_range_sum *sum, int64_t start_ns,
                                              int64_t end_ns)
{
	if (__builtin_expect(start_ns >= sum->covered_ns, 1)) {
		sum->covered_ns = end_ns;
		sum->total_ns = ra_util_add_wrapped(sum->total_ns, end_ns - start_ns);
		if (__builtin_expect(sum->total_ns < 0, 0)) {
			ra_range_sums_saturate(sum);
		}
	} else {
		ra_range_sum_cover(sum, start_ns, end_ns);
		sum->rest_ns += (uint64_t) (end_ns - start_ns);
	}
	ra_range_sum_limit(sum, end_ns - start_ns);
}

/* Adds the covered time of a range on any thread. */
static inline void ra_range_sum_add_coverage(struct ra_range_sum *sum, size_t track,
                                             int64_t start_ns, int64_t end_ns)
{
	sum->covered_ns = sum->track == track + 1 ? sum->covered_ns : start_ns;
	sum->track = track + 1;
	ra_range_sum_cover(sum, start_ns, end_ns);
}

/* Makes the rows of metrics, one for each key; does not set medians. */
void ra_range_sums_make_rows(struct ra_metrics *metrics, const struct ra_range_sum *sums,
                             const struct ra_group_key *keys, size_t count);

#endif
