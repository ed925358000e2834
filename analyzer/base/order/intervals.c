/* SPDX-License-Identifier: MIT */
/* Sets of instants, as intervals [start, end) that do not overlap. */
#include "analyzer/base/order/intervals.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"

void ra_intervals_fini(struct ra_intervals *set)
{
	free(set->rows);
	*set = (struct ra_intervals){ 0 };
}

void ra_intervals_add(struct ra_intervals *set, int64_t start_ns, int64_t end_ns)
{
	if (end_ns > start_ns) {
		RA_UTIL_APPEND(set->rows, set->count, set->capacity,
		               (struct ra_interval){ start_ns, end_ns });
	}
}

void ra_intervals_join(struct ra_intervals *set, int64_t start_ns, int64_t end_ns)
{
	struct ra_interval *last = set->count == 0 ? NULL : &set->rows[set->count - 1];

	if (last == NULL || start_ns < last->start_ns || start_ns > last->end_ns) {
		ra_intervals_add(set, start_ns, end_ns);
	} else {
		last->end_ns = end_ns > last->end_ns ? end_ns : last->end_ns;
	}
}

static int compare_starts(const void *left, const void *right)
{
	const struct ra_interval *a = left;
	const struct ra_interval *b = right;

	return RA_ORDER_UP(a, b, start_ns);
}

void ra_intervals_unite(struct ra_intervals *set)
{
	size_t last = 0;

	if (set->count == 0) {
		return;
	}
	/* If intervals are out of order, they come from several queues or threads, each of which is
	 * in order. */
	RA_RUN_SORT(set->rows, set->count, compare_starts);
	for (size_t i = 1; i < set->count; i++) {
		if (set->rows[i].start_ns > set->rows[last].end_ns) {
			set->rows[++last] = set->rows[i];
		} else if (set->rows[i].end_ns > set->rows[last].end_ns) {
			set->rows[last].end_ns = set->rows[i].end_ns;
		}
	}
	set->count = last + 1;
}

int64_t ra_intervals_length(const struct ra_intervals *set)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < set->count; i++) {
		sum_ns += set->rows[i].end_ns - set->rows[i].start_ns;
	}
	return sum_ns;
}

int64_t ra_intervals_overlap(const struct ra_intervals *a, const struct ra_intervals *b)
{
	int64_t sum_ns = 0;
	size_t i = 0;
	size_t j = 0;

	while (i < a->count && j < b->count) {
		const struct ra_interval *left = &a->rows[i];
		const struct ra_interval *right = &b->rows[j];
		const int64_t start_ns =
			left->start_ns > right->start_ns ? left->start_ns : right->start_ns;
		const int64_t end_ns = left->end_ns < right->end_ns ? left->end_ns : right->end_ns;

		sum_ns += end_ns > start_ns ? end_ns - start_ns : 0;
		if (left->end_ns <= right->end_ns) {
			i++;
		} else {
			j++;
		}
	}
	return sum_ns;
}

/* The first interval that ends after a time. */
static size_t find_behind(const struct ra_intervals *set, int64_t time_ns)
{
	struct ra_search at = ra_search_in(0, set->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, set->rows[at.middle].end_ns <= time_ns);
	}
	return at.low;
}

int64_t ra_intervals_cover(const struct ra_intervals *set, int64_t start_ns, int64_t end_ns)
{
	int64_t sum_ns = 0;

	for (size_t i = find_behind(set, start_ns);
	     i < set->count && set->rows[i].start_ns < end_ns; i++) {
		const struct ra_interval *row = &set->rows[i];

		sum_ns += (row->end_ns < end_ns ? row->end_ns : end_ns) -
		          (row->start_ns > start_ns ? row->start_ns : start_ns);
	}
	return sum_ns;
}

void ra_intervals_part(const struct ra_intervals *set, const struct ra_intervals *by,
                       struct ra_intervals *inside, struct ra_intervals *outside)
{
	for (size_t i = 0; i < set->count; i++) {
		const int64_t end_ns = set->rows[i].end_ns;
		int64_t at_ns = set->rows[i].start_ns;
		size_t j = find_behind(by, at_ns);

		for (; j < by->count && by->rows[j].start_ns < end_ns; j++) {
			const int64_t to_ns =
				by->rows[j].end_ns < end_ns ? by->rows[j].end_ns : end_ns;

			ra_intervals_add(outside, at_ns, by->rows[j].start_ns);
			at_ns = by->rows[j].start_ns > at_ns ? by->rows[j].start_ns : at_ns;
			ra_intervals_add(inside, at_ns, to_ns);
			at_ns = to_ns;
		}
		ra_intervals_add(outside, at_ns, end_ns);
	}
}

void ra_intervals_add_all(struct ra_intervals *set, const struct ra_intervals *other)
{
	for (size_t i = 0; i < other->count; i++) {
		ra_intervals_add(set, other->rows[i].start_ns, other->rows[i].end_ns);
	}
	ra_intervals_unite(set);
}
