/* SPDX-License-Identifier: MIT */
/* Figures of many durations that can be merged in any order: sums, extremes, and a sketch of
 * quantiles. */
#ifndef RA_SUM_STAT_H
#define RA_SUM_STAT_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 ra_sum_u128;

/* Durations below this have a bucket each. Above, each doubling is divided into this many
 * buckets. */
#define RA_SUM_STAT_EXACT 128u

/* The number of durations in a bucket. */
struct ra_sum_stat_bucket {
	uint32_t bucket;
	uint64_t count;
};

/* Zero-initialise. Everything is an integer, so that merging is associative and commutative. */
struct ra_sum_stat {
	uint64_t count;
	uint64_t sum_ns; /* at most UINT64_MAX */
	ra_sum_u128 squares;
	int64_t min_ns;    /* 0 if there is no duration, as the next three */
	int64_t min_at_ns; /* start of the first of the shortest */
	int64_t max_ns;
	int64_t max_at_ns;
	struct ra_sum_stat_bucket *buckets; /* owned; ordered, without counts of 0 */
	size_t bucket_count;
	size_t bucket_capacity;
};

void ra_sum_stat_fini(struct ra_sum_stat *stat);

/* Adds a duration. One below 0 counts as 0. */
void ra_sum_stat_add(struct ra_sum_stat *stat, int64_t dur_ns, int64_t at_ns);

/* Adds to a bucket. */
void ra_sum_stat_count(struct ra_sum_stat *stat, uint32_t bucket, uint64_t count);

/* The index of a bucket, or the index where it would be inserted. */
size_t ra_sum_stat_place(const struct ra_sum_stat *stat, uint32_t bucket);

/* Adds all of another one. */
void ra_sum_stat_merge(struct ra_sum_stat *stat, const struct ra_sum_stat *other);

/* The bucket of a duration, 0 … RA_SUM_STAT_BUCKETS - 1; and the shortest duration in a bucket. */
uint32_t ra_sum_stat_bucket(int64_t dur_ns);
int64_t ra_sum_stat_floor(uint32_t bucket);
#define RA_SUM_STAT_BUCKETS 7296u /* 57 doublings */

/*
 * The duration that at least `permille` thousandths do not exceed (nearest rank), to within 0.4 %:
 * the middle of its bucket, but never outside min … max.
 *
 * Return: 0 if there are no durations.
 */
int64_t ra_sum_stat_quantile(const struct ra_sum_stat *stat, unsigned permille);

/* The n-th of the durations sorted by length, from 0. The first and the last one are exact, others
 * as above. Return: the longest if there are fewer. */
int64_t ra_sum_stat_nth(const struct ra_sum_stat *stat, uint64_t n);

/* Standard deviation of the durations (of all, not of a sample), in ns. */
double ra_sum_stat_deviation(const struct ra_sum_stat *stat);

#endif
