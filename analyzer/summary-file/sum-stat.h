/* SPDX-License-Identifier: MIT */
/* Figures of many durations that can be merged in any order: sums, extremes, and a sketch from
 * which quantiles are estimated. */
#ifndef RA_SUM_STAT_H
#define RA_SUM_STAT_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 ra_sum_u128;

/* Durations below this have a bucket each. Above it, the durations from one power of two to the
 * next are divided into this many buckets. */
#define RA_SUM_STAT_EXACT 128u

/* A bucket, and the number of durations in it. */
struct ra_sum_stat_bucket {
	uint32_t bucket;
	uint64_t count;
};

/* The figures. All are integers, so that merging is associative and commutative.
 * Zero-initialise. */
struct ra_sum_stat {
	uint64_t count;
	uint64_t sum_ns; /* at most UINT64_MAX */
	ra_sum_u128 squares;
	int64_t min_ns;    /* 0 if there is no duration, like the three members below */
	int64_t min_at_ns; /* start of the shortest duration; of equal ones of the first */
	int64_t max_ns;
	int64_t max_at_ns;
	struct ra_sum_stat_bucket *buckets; /* owned; ordered, without counts of 0 */
	size_t bucket_count;
	size_t bucket_capacity;
};

void ra_sum_stat_fini(struct ra_sum_stat *stat);

/* Adds a duration. A negative one is added as 0. */
void ra_sum_stat_add(struct ra_sum_stat *stat, int64_t dur_ns, int64_t at_ns);

/* Adds a number of durations to a bucket. */
void ra_sum_stat_count(struct ra_sum_stat *stat, uint32_t bucket, uint64_t count);

/* The index of a bucket in `buckets`, or the index at which it would be inserted. */
size_t ra_sum_stat_place(const struct ra_sum_stat *stat, uint32_t bucket);

/* Adds the figures of another struct. */
void ra_sum_stat_merge(struct ra_sum_stat *stat, const struct ra_sum_stat *other);

/* The bucket of a duration, 0 … RA_SUM_STAT_BUCKETS - 1. The second function: the shortest duration
 * in a bucket. */
uint32_t ra_sum_stat_bucket(int64_t dur_ns);
int64_t ra_sum_stat_floor(uint32_t bucket);
#define RA_SUM_STAT_BUCKETS 7296u /* 57 doublings */

/*
 * The duration that at least `permille` thousandths do not exceed (nearest rank), to within 0.4 %.
 * It is the middle of the duration's bucket, but at least min_ns and at most max_ns.
 *
 * Return: 0 if there are no durations.
 */
int64_t ra_sum_stat_quantile(const struct ra_sum_stat *stat, unsigned permille);

/* The n-th of the durations sorted by length, from 0. The first and the last one are exact, the
 * others to within 0.4 %. Return: the longest if there are fewer. */
int64_t ra_sum_stat_nth(const struct ra_sum_stat *stat, uint64_t n);

/* The standard deviation of the durations in ns (of all durations, not estimated from a sample). */
double ra_sum_stat_deviation(const struct ra_sum_stat *stat);

#endif
