/* SPDX-License-Identifier: MIT */
/* Figures of many durations that can be merged in any order. */
#include "analyzer/summary-file/sum-stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

#define EXACT_BITS 7 /* 2^7 = RA_SUM_STAT_EXACT */

void ra_sum_stat_fini(struct ra_sum_stat *stat)
{
	free(stat->buckets);
	memset(stat, 0, sizeof(*stat));
}

uint32_t ra_sum_stat_bucket(int64_t dur_ns)
{
	const uint64_t value = dur_ns < 0 ? 0 : (uint64_t) dur_ns;
	unsigned shift;

	if (value < RA_SUM_STAT_EXACT) {
		return (uint32_t) value;
	}
	shift = 63u - (unsigned) __builtin_clzll(value) - EXACT_BITS;
	return (shift << EXACT_BITS) + (uint32_t) (value >> shift);
}

int64_t ra_sum_stat_floor(uint32_t bucket)
{
	unsigned shift;

	if (bucket < RA_SUM_STAT_EXACT) {
		return bucket;
	}
	if (bucket >= RA_SUM_STAT_BUCKETS) {
		return INT64_MAX;
	}
	shift = (bucket >> EXACT_BITS) - 1;
	return (int64_t) ((uint64_t) (bucket - (shift << EXACT_BITS)) << shift);
}

/* Uses no branches, because the processor could not predict them. */
size_t ra_sum_stat_place(const struct ra_sum_stat *stat, uint32_t bucket)
{
	const struct ra_sum_stat_bucket *rows = stat->buckets;
	size_t low = 0;
	size_t count = stat->bucket_count;

	while (count > 1) {
		const size_t half = count / 2;

		low = rows[low + half - 1].bucket < bucket ? low + half : low;
		count -= half;
	}
	return low + (count == 1 && rows[low].bucket < bucket);
}

/* Most rows of a summary have one or two buckets, and there may be hundreds of thousands of rows,
 * so memory grows slowly at first. */
static void make_room(struct ra_sum_stat *stat)
{
	const size_t capacity = stat->bucket_capacity == 0 ? 1 : 2 * stat->bucket_capacity;

	if (stat->bucket_count < stat->bucket_capacity) {
		return;
	}
	ra_util_resize(&stat->buckets, capacity, sizeof(*stat->buckets));
	stat->bucket_capacity = capacity;
}

void ra_sum_stat_count(struct ra_sum_stat *stat, uint32_t bucket, uint64_t count)
{
	const size_t place = ra_sum_stat_place(stat, bucket);

	if (place < stat->bucket_count && stat->buckets[place].bucket == bucket) {
		stat->buckets[place].count = ra_util_add(stat->buckets[place].count, count);
		return;
	}
	make_room(stat);
	memmove(&stat->buckets[place + 1], &stat->buckets[place],
	        (stat->bucket_count - place) * sizeof(*stat->buckets));
	stat->buckets[place] = (struct ra_sum_stat_bucket){ bucket, count };
	stat->bucket_count++;
}

/* Merges the extremes; of equal ones the first in time is kept. */
static void take_extremes(struct ra_sum_stat *stat, const struct ra_sum_stat *other)
{
	if (stat->count == 0 || other->min_ns < stat->min_ns ||
	    (other->min_ns == stat->min_ns && other->min_at_ns < stat->min_at_ns)) {
		stat->min_ns = other->min_ns;
		stat->min_at_ns = other->min_at_ns;
	}
	if (stat->count == 0 || other->max_ns > stat->max_ns ||
	    (other->max_ns == stat->max_ns && other->max_at_ns < stat->max_at_ns)) {
		stat->max_ns = other->max_ns;
		stat->max_at_ns = other->max_at_ns;
	}
}

static void take_sums(struct ra_sum_stat *stat, const struct ra_sum_stat *other)
{
	const ra_sum_u128 squares = stat->squares + other->squares;

	if (other->count == 0) {
		return;
	}
	take_extremes(stat, other);
	stat->count = ra_util_add(stat->count, other->count);
	stat->sum_ns = ra_util_add(stat->sum_ns, other->sum_ns);
	stat->squares = squares < stat->squares ? ~(ra_sum_u128) 0 : squares;
}

void ra_sum_stat_add(struct ra_sum_stat *stat, int64_t dur_ns, int64_t at_ns)
{
	const int64_t value = dur_ns < 0 ? 0 : dur_ns;
	const struct ra_sum_stat one = {
		.count = 1,
		.sum_ns = (uint64_t) value,
		.squares = (ra_sum_u128) (uint64_t) value * (uint64_t) value,
		.min_ns = value,
		.min_at_ns = at_ns,
		.max_ns = value,
		.max_at_ns = at_ns,
	};

	take_sums(stat, &one);
	ra_sum_stat_count(stat, ra_sum_stat_bucket(value), 1);
}

void ra_sum_stat_merge(struct ra_sum_stat *stat, const struct ra_sum_stat *other)
{
	take_sums(stat, other);
	for (size_t i = 0; i < other->bucket_count; i++) {
		ra_sum_stat_count(stat, other->buckets[i].bucket, other->buckets[i].count);
	}
}

/* The middle of a bucket; if its width is even, the lower of the two middle values. */
static int64_t find_middle(uint32_t bucket)
{
	const int64_t floor_ns = ra_sum_stat_floor(bucket);
	const unsigned shift = bucket < RA_SUM_STAT_EXACT ? 0 : (bucket >> EXACT_BITS) - 1;

	return floor_ns + ((INT64_C(1) << shift) - 1) / 2;
}

/* The middle of the bucket up to which there are `wanted` durations. */
static int64_t find_place(const struct ra_sum_stat *stat, ra_sum_u128 wanted)
{
	ra_sum_u128 seen = 0;

	for (size_t i = 0; i < stat->bucket_count; i++) {
		seen += stat->buckets[i].count;
		if (seen >= wanted) {
			const int64_t middle_ns = find_middle(stat->buckets[i].bucket);

			return middle_ns < stat->min_ns   ? stat->min_ns
			       : middle_ns > stat->max_ns ? stat->max_ns
			                                  : middle_ns;
		}
	}
	return stat->max_ns;
}

int64_t ra_sum_stat_quantile(const struct ra_sum_stat *stat, unsigned permille)
{
	return find_place(stat, ((ra_sum_u128) stat->count * permille + 999) / 1000);
}

int64_t ra_sum_stat_nth(const struct ra_sum_stat *stat, uint64_t n)
{
	if (n == 0) {
		return stat->min_ns;
	}
	return n + 1 >= stat->count ? stat->max_ns : find_place(stat, (ra_sum_u128) n + 1);
}

double ra_sum_stat_deviation(const struct ra_sum_stat *stat)
{
	const double count = (double) stat->count;
	uint64_t mean;
	double variance;

	if (stat->count == 0) {
		return 0;
	}
	/* count × squares does not always fit into 128 bits. So the sum is split into mean and
	 * remainder. The first subtraction is exact, because a rounded one would lose digits. */
	mean = stat->sum_ns / stat->count;
	if (stat->squares < (ra_sum_u128) mean * stat->sum_ns) {
		return 0;
	}
	variance = (double) (stat->squares - (ra_sum_u128) mean * stat->sum_ns) / count -
	           (double) (stat->sum_ns % stat->count) / count * ((double) stat->sum_ns / count);
	return variance > 0 ? sqrt(variance) : 0;
}
