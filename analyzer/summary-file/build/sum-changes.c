/* SPDX-License-Identifier: MIT */
/* Finds for a summary's part from which call on ranges took longer. */
#include "analyzer/summary-file/build/sum-changes.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/summary-file/build/sum-cut.h"

/* Slices grouped by row, and scratch memory for buckets. */
struct sequences {
	const struct ra_slices *slices;
	uint32_t *order;   /* slices, ordered by row */
	size_t *first;     /* by row: where its slices begin */
	uint64_t *numbers; /* by bucket: a number for each */
};

/* A row's calls in order of time. */
struct calls {
	const struct sequences *of;
	uint32_t *order;
	size_t count;
};

/* Orders slices by time; at equal times by index. */
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

/* Sets for each bucket twice the mean rank of its durations; ranks count from 1, so this is at
 * least 2. */
static void number_buckets(const struct sequences *of, const struct ra_sum_stat *stat)
{
	uint64_t before = 0;

	for (size_t i = 0; i < stat->bucket_count; i++) {
		of->numbers[stat->buckets[i].bucket] = 2 * before + stat->buckets[i].count + 1;
		before += stat->buckets[i].count;
	}
}

/* Return: the number of calls before the cut; 0: no cut is significant. */
static size_t find_cut(const struct calls *calls)
{
	struct ra_sum_cut cut;

	ra_sum_cut_begin(&cut, calls->count);
	for (size_t t = 1; t < calls->count; t++) {
		ra_sum_cut_add(&cut, calls->of->numbers[find_bucket(calls, t - 1)]);
	}
	return (size_t) ra_sum_cut_find(&cut);
}

/* The middle of the bucket that contains the median. @counts: number of durations by bucket. */
static int64_t find_median(const struct ra_sum_stat *stat, const uint64_t *counts, uint64_t count)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < stat->bucket_count; i++) {
		const uint32_t bucket = stat->buckets[i].bucket;

		seen += counts[bucket];
		if (2 * seen >= count) {
			return ra_sum_cut_middle(bucket);
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

	if (!ra_sum_cut_can_be(stat)) {
		return;
	}
	/* because calls of several threads come thread by thread */
	ra_run_sort_indices(calls->order, calls->count, compare_times, calls->of->slices->start_ns);
	number_buckets(calls->of, stat);
	change.calls = find_cut(calls);
	if (change.calls == 0) {
		return;
	}
	find_medians(calls, stat, &change);
	change.at_ns = calls->of->slices->start_ns[calls->order[change.calls]];
	if (ra_sum_cut_is_longer(change.before_ns, change.after_ns)) {
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
