/* SPDX-License-Identifier: MIT */
/*
 * Sweeps over unions of GPU work. HTA sorts the borders of all spans by time, and its sort leaves
 * equal times in an order of its own. Lengths do not depend on that order. But the order decides
 * which sets of unions HTA sees for an instant, between borders of equal time. So borders are
 * merged. They are sorted as HTA does only if such a set occurs at no other time.
 */
#include "analyzer/compat/hta/sweep.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/numpy-sort.h"
#include "analyzer/base/util.h"

#define MOST_UNIONS 3
#define MOST_EQUAL \
	((size_t) 2 * MOST_UNIONS) /* most borders at one time: both ends of an empty span */

/* A border of a span: its start or its end. */
struct border {
	double at_us;
	int change; /* + the union's bit at a start, - the bit at an end */
};

static void add_interval(struct ra_hta_sweep *sweep, int running, double length_us)
{
	if (running > 0) {
		sweep->has[running & 7] = true;
		sweep->whole_us[running & 7] += trunc(length_us);
		sweep->both_us += running == 3 ? length_us : 0;
	}
}

/* The state of the merge. */
struct merge {
	const struct ra_hta_sweep *sweep;
	size_t at[MOST_UNIONS]; /* for each union, the number of borders passed so far */
	int changes[MOST_EQUAL];
	size_t equal_count; /* number of borders at the current time */
};

/* Finds the time of a union's next border. Return: INFINITY after the last. */
static double find_next(const struct merge *merge, size_t of)
{
	const struct ra_hta_union *spans = merge->sweep->unions[of];
	const size_t at = merge->at[of];

	if (at / 2 == spans->count) {
		return INFINITY;
	}
	return at % 2 == 0 ? spans->spans[at / 2].start_us : spans->spans[at / 2].end_us;
}

/* Takes all borders at the next time. Return: that time, INFINITY after the last. */
static double take(struct merge *merge)
{
	double at_us = INFINITY;

	merge->equal_count = 0;
	for (size_t of = 0; of < merge->sweep->count; of++) {
		at_us = fmin(at_us, find_next(merge, of));
	}
	for (size_t of = 0; of < merge->sweep->count && at_us < INFINITY; of++) {
		while (find_next(merge, of) == at_us && merge->equal_count < MOST_EQUAL) {
			merge->changes[merge->equal_count++] =
				merge->at[of] % 2 == 0 ? 1 << of : -(1 << of);
			merge->at[of]++;
		}
	}
	return at_us;
}

/* Notes the sets of unions that may occur between borders of equal time, in any order of these. */
static void note_sets(const struct merge *merge, int running, bool may_have[8])
{
	for (unsigned chosen = 1; chosen + 1 < 1u << merge->equal_count; chosen++) {
		int sum = running;

		for (size_t i = 0; i < merge->equal_count; i++) {
			sum += (chosen >> i & 1) != 0 ? merge->changes[i] : 0;
		}
		if (sum > 0) {
			may_have[sum & 7] = true;
		}
	}
}

/* Does the sweep by merging. Return: false if the order of equal times may matter. */
static bool run_merged(struct ra_hta_sweep *sweep)
{
	struct merge merge = { .sweep = sweep };
	bool may_have[8] = { false };
	bool is_clear = true;
	double at_us = take(&merge);
	int running = 0;

	while (at_us < INFINITY) {
		double next_us;

		if (merge.equal_count > 1) {
			note_sets(&merge, running, may_have);
		}
		for (size_t i = 0; i < merge.equal_count; i++) {
			running += merge.changes[i];
		}
		next_us = take(&merge);
		if (next_us < INFINITY) {
			add_interval(sweep, running, next_us - at_us);
		}
		at_us = next_us;
	}
	for (int kinds = 0; kinds < 8; kinds++) {
		is_clear = is_clear && (sweep->has[kinds] || !may_have[kinds]);
	}
	return is_clear;
}

struct borders {
	struct border *borders; /* owned */
	size_t count;
};

/* Sorts as HTA does. */
static void sort_borders(struct borders *all)
{
	struct border *sorted = ra_alloc_bytes(all->count * sizeof(*sorted) + 1);
	uint32_t *order = ra_alloc_bytes(all->count * sizeof(*order) + 1);
	double *values = ra_alloc_bytes(all->count * sizeof(*values) + 1);

	for (size_t i = 0; i < all->count; i++) {
		values[i] = all->borders[i].at_us;
	}
	ra_numpy_sort_order(order, values, all->count);
	for (size_t i = 0; i < all->count; i++) {
		sorted[i] = all->borders[order[i]];
	}
	free(all->borders);
	all->borders = sorted;
	free(order);
	free(values);
}

/* True if all borders have different, ascending times. Then any sort gives the same order. */
static bool is_plain(const struct ra_hta_union *of)
{
	size_t i = 0;

	while (i < of->count && of->spans[i].start_us < of->spans[i].end_us &&
	       (i == 0 || of->spans[i - 1].end_us < of->spans[i].start_us)) {
		i++;
	}
	return i == of->count;
}

/* Appends a union's borders, starts first, and sorts all. */
static void add_borders(struct borders *all, const struct ra_hta_union *of, int bit)
{
	const bool is_sorted = all->count == 0 && is_plain(of);
	struct border *to;

	ra_util_resize(&all->borders, all->count + 2 * of->count + 1, sizeof(*all->borders));
	to = all->borders + all->count;
	for (size_t i = 0; i < of->count; i++) {
		to[is_sorted ? 2 * i : i] = (struct border){ of->spans[i].start_us, bit };
		to[is_sorted ? 2 * i + 1 : of->count + i] =
			(struct border){ of->spans[i].end_us, -bit };
	}
	all->count += 2 * of->count;
	if (!is_sorted) {
		sort_borders(all);
	}
}

static void run_exactly(struct ra_hta_sweep *sweep)
{
	struct borders all = { 0 };
	int running = 0;

	for (size_t of = 0; of < sweep->count; of++) {
		add_borders(&all, sweep->unions[of], 1 << of);
	}
	for (size_t i = 0; i + 1 < all.count; i++) {
		running += all.borders[i].change;
		add_interval(sweep, running, all.borders[i + 1].at_us - all.borders[i].at_us);
	}
	free(all.borders);
}

void ra_hta_sweep_run(struct ra_hta_sweep *sweep, bool is_exact)
{
	if (!is_exact && (run_merged(sweep) || sweep->only_lengths)) {
		return;
	}
	*sweep = (struct ra_hta_sweep){ .unions = sweep->unions, .count = sweep->count };
	run_exactly(sweep);
}
