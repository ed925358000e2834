/* SPDX-License-Identifier: MIT */
/* Figures of many durations that can be merged in any order: sums, extremes, and a sketch of
 * quantiles. */
#ifndef RA_SUM_STAT_H
#define RA_SUM_STAT_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 ra_sum_u128;

/* Durations below this have a bucket each; above, each doubling is split into this many. */
#define RA_SUM_STAT_EXACT 128u

/* How many durations were in a bucket. */
struct ra_sum_stat_bucket {
	uint32_t bucket;
	uint64_t count;
};

/* Zero-initialise. Everything is an integer, so that merging is associative and commutative. */
struct ra_sum_stat {
	uint64_t count;
	uint64_t sum_ns; /* stops at UINT64_MAX */
	ra_sum_u128 squares;
	int64_t min_ns;    /* of no duration: 0, as the next three */
	int64_t min_at_ns; /* when the first of the shortest began */
	int64_t max_ns;
	int64_t max_at_ns;
	struct ra_sum_stat_bucket *buckets; /* owned; ordered, none with a count of 0 */
	size_t bucket_count;
	size_t bucket_capacity;
};

void ra_sum_stat_fini(struct ra_sum_stat *stat);

/* Adds a duration; one below 0 counts as 0. */
void ra_sum_stat_add(struct ra_sum_stat *stat, int64_t dur_ns, int64_t at_ns);

/* Adds to a bucket. */
void ra_sum_stat_count(struct ra_sum_stat *stat, uint32_t bucket, uint64_t count);

/* The place of a bucket among the buckets, or that before which it belongs. */
size_t ra_sum_stat_place(const struct ra_sum_stat *stat, uint32_t bucket);

/* Adds all of another one. */
void ra_sum_stat_merge(struct ra_sum_stat *stat, const struct ra_sum_stat *other);

/* The bucket of a duration, 0 … RA_SUM_STAT_BUCKETS - 1, and the shortest duration of a bucket. */
uint32_t ra_sum_stat_bucket(int64_t dur_ns);
int64_t ra_sum_stat_floor(uint32_t bucket);
#define RA_SUM_STAT_BUCKETS 7296u /* 57 doublings */

/*
 * The duration of which `permille` thousandths are not longer (nearest rank), within 0.4 % of the
 * true one: the middle of its bucket, but never outside of min and max.
 *
 * Return: 0 of no duration.
 */
int64_t ra_sum_stat_quantile(const struct ra_sum_stat *stat, unsigned permille);

/* The n-th of the durations by length, from 0: of the first and the last one exact, of others as
 * above. Return: the longest if there are not so many. */
int64_t ra_sum_stat_nth(const struct ra_sum_stat *stat, uint64_t n);

/* Standard deviation of the durations (of all, not of a sample), in ns. */
double ra_sum_stat_deviation(const struct ra_sum_stat *stat);

#endif
