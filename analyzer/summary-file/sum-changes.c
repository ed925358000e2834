/* SPDX-License-Identifier: MIT */
/* A summary's part from a model: from which call on ranges took longer. */
#include "analyzer/summary-file/sum-changes.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order.h"
#include "analyzer/base/run-sort.h"
#include "analyzer/base/util.h"

/* Fewer calls can't show what is no chance. */
#define FEW_CALLS 18u

/* What a cut must show, squared: (7 / 2) standard deviations of a rank sum. */
#define SURE_NUMBER      ((ra_sum_u128) 49)
#define SURE_DENOMINATOR ((ra_sum_u128) 4)

/* The median must grow to this part of what it was. */
#define LONGER_NUMBER      5
#define LONGER_DENOMINATOR 4

/* Slices by row, and room for what a bucket has. */
struct sequences {
	const struct ra_slices *slices;
	uint32_t *order;   /* slices, by row */
	size_t *first;     /* by row: where its own begin */
	uint64_t *numbers; /* by bucket */
};

/* A row's calls in the order of time. */
struct calls {
	const struct sequences *of;
	uint32_t *order;
	size_t count;
};

/* By time; of equal ones the slice that comes first. */
static int compare_times(const void *context, uint32_t left, uint32_t right)
{
	const int64_t *start_ns = context;
	const int order = RA_ORDER(start_ns[left], start_ns[right]);

	return RA_ORDER_THEN(order, RA_ORDER(left, right));
}

static uint32_t find_bucket(const struct calls *calls, size_t call)
{
	return ra_sum_stat_bucket(calls->of->slices->dur_ns[calls->order[call]]);
}

/* Twice the mean rank of the durations of a bucket, from 2 on. */
static void number_buckets(const struct sequences *of, const struct ra_sum_stat *stat)
{
	uint64_t before = 0;

	for (size_t i = 0; i < stat->bucket_count; i++) {
		of->numbers[stat->buckets[i].bucket] = 2 * before + stat->buckets[i].count + 1;
		before += stat->buckets[i].count;
	}
}

/*
 * The cut that the rank test of Mann and Whitney finds surest, with the shorter calls before it.
 * With u = twice the sum of ranks before - what chance gives, and t of n calls before, the square
 * of u by its deviation is 3 u^2 / (t (n - t) (n + 1)). Of more than a million calls the numbers
 * are made smaller, to fit 128 bits.
 *
 * Return: how many calls are before it; 0: there is no sure one.
 */
static size_t find_cut(const struct calls *calls)
{
	const uint64_t n = calls->count;
	unsigned shift = 0;
	int64_t sum = 0;
	ra_sum_u128 best_square = 0;
	ra_sum_u128 best_spread = 1;
	double nearly_best = 0; /* a little less than their ratio: most cuts are below it */
	size_t best = 0;

	while (n >> shift > UINT64_C(1) << 20) {
		shift++;
	}
	for (size_t t = 1; t < n; t++) {
		ra_sum_u128 spread;
		ra_sum_u128 square;
		uint64_t less;

		sum += (int64_t) calls->of->numbers[find_bucket(calls, t - 1)] - (int64_t) (n + 1);
		less = sum >= 0 ? 0 : (uint64_t) -sum >> (2 * shift);
		if ((double) less * (double) less <
		    nearly_best *
		            ((double) t * (double) (n - t) / (double) (UINT64_C(1) << 2 * shift))) {
			continue;
		}
		square = (ra_sum_u128) less * less;
		spread = ((ra_sum_u128) t * (n - t) >> (2 * shift)) + (shift > 0);
		if (square * best_spread > best_square * spread) {
			best_square = square;
			best_spread = spread;
			nearly_best = 0.999 * (double) square / (double) spread;
			best = t;
		}
	}
	return 3 * SURE_DENOMINATOR * best_square >=
	                       SURE_NUMBER * best_spread * ((n + 1) >> (2 * shift))
	               ? best
	               : 0;
}

/* The middle of the bucket in which the median of so many calls, counted by bucket, lies. */
static int64_t find_median(const struct ra_sum_stat *stat, const uint64_t *counts, uint64_t count)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < stat->bucket_count; i++) {
		const uint32_t bucket = stat->buckets[i].bucket;

		seen += counts[bucket];
		if (2 * seen >= count) {
			return (ra_sum_stat_floor(bucket) + ra_sum_stat_floor(bucket + 1) - 1) / 2;
		}
	}
	return 0;
}

static void find_medians(const struct calls *calls, const struct ra_sum_stat *stat,
                         struct ra_sum_change *change)
{
	uint64_t *counts = calls->of->numbers;

	for (int side = 0; side < 2; side++) {
		const size_t begin = side == 0 ? 0 : change->calls;
		const size_t end = side == 0 ? change->calls : calls->count;

		for (size_t i = 0; i < stat->bucket_count; i++) {
			counts[stat->buckets[i].bucket] = 0;
		}
		for (size_t i = begin; i < end; i++) {
			counts[find_bucket(calls, i)]++;
		}
		*(side == 0 ? &change->before_ns : &change->after_ns) =
			find_median(stat, counts, end - begin);
	}
}

static void find_change(struct ra_sum_part *part, size_t row, const struct calls *calls)
{
	const struct ra_sum_stat *stat = &part->rows[row].stat;
	struct ra_sum_change change = { .row = (uint32_t) row };

	if (calls->count < FEW_CALLS || stat->bucket_count < 2) {
		return;
	}
	/* calls of several threads come one thread after the other */
	ra_run_sort_indices(calls->order, calls->count, compare_times, calls->of->slices->start_ns);
	number_buckets(calls->of, stat);
	change.calls = find_cut(calls);
	if (change.calls == 0) {
		return;
	}
	find_medians(calls, stat, &change);
	change.at_ns = calls->of->slices->start_ns[calls->order[change.calls]];
	if (change.after_ns > change.before_ns &&
	    LONGER_DENOMINATOR * change.after_ns >= LONGER_NUMBER * change.before_ns) {
		RA_UTIL_APPEND(part->changes, part->change_count, part->change_capacity, change);
	}
}

static void order_slices(const struct sequences *of, const struct ra_group *group)
{
	const struct ra_slices *slices = of->slices;

	for (size_t i = 0; i < slices->count; i++) {
		of->first[group->of_slice[i] + 1]++;
	}
	for (size_t i = 0; i < group->count; i++) {
		of->first[i + 1] += of->first[i];
	}
	for (size_t i = 0; i < slices->count; i++) {
		of->order[of->first[group->of_slice[i]]++] = (uint32_t) i;
	}
	for (size_t i = group->count; i > 0; i--) {
		of->first[i] = of->first[i - 1];
	}
	of->first[0] = 0;
}

void ra_sum_changes_find(struct ra_sum_part *part, size_t first, const struct ra_slices *slices,
                         const struct ra_group *group)
{
	const struct sequences of = {
		.slices = slices,
		.order = ra_alloc_bytes((slices->count + 1) * sizeof(*of.order)),
		.first = ra_alloc_zeros(group->count + 2, sizeof(*of.first)),
		.numbers = ra_alloc_bytes(RA_SUM_STAT_BUCKETS * sizeof(*of.numbers)),
	};

	order_slices(&of, group);
	for (size_t i = 0; i < group->count; i++) {
		const struct calls calls = { &of, of.order + of.first[i],
			                     of.first[i + 1] - of.first[i] };

		find_change(part, first + i, &calls);
	}
	free(of.order);
	free(of.first);
	free(of.numbers);
}
