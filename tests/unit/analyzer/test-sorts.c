/* SPDX-License-Identifier: MIT */
/* The three ways to sort: stable by runs, stable by a number, and as numpy does; and to search. */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/numpy-sort.h"
#include "analyzer/base/run-sort.h"
#include "analyzer/base/search.h"
#include "analyzer/base/util-sort.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

#define MOST  300
#define TRIES 60

static int compare_values(const void *context, uint32_t left, uint32_t right)
{
	const double *values = context;

	return values[left] < values[right] ? -1 : values[left] > values[right];
}

/* The order that a stable sort gives, slowly. */
static void order_slowly(uint32_t *order, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = i;

		for (; at > 0 && values[order[at - 1]] > values[i]; at--) {
			order[at] = order[at - 1];
		}
		order[at] = (uint32_t) i;
	}
}

/* Values with many equal ones; in runs, or with some out of place, as events come. */
static size_t make_values(double *values, uint64_t *state)
{
	const size_t count = analyzer_log_roll(state, MOST);
	const uint64_t form = analyzer_log_roll(state, 4);

	for (size_t i = 0; i < count; i++) {
		const double random = (double) analyzer_log_roll(state, 40) - 20;

		if (form == 0) {
			values[i] = random;
		} else if (form == 1) {
			values[i] = (double) (i % 50);
		} else if (form == 2) {
			values[i] = (double) (count - i);
		} else {
			values[i] = analyzer_log_roll(state, 20) == 0 ? random : (double) i;
		}
	}
	return count;
}

static bool sorts_by_runs(const double *values, const uint32_t *wanted, size_t count)
{
	uint32_t indices[MOST];

	for (uint32_t i = 0; i < count; i++) {
		indices[i] = i;
	}
	return ra_run_sort_indices(indices, count, compare_values, values) == 0 &&
	       memcmp(indices, wanted, count * sizeof(*wanted)) == 0;
}

static bool sorts_by_keys(const double *values, const uint32_t *wanted, size_t count)
{
	struct ra_util_sort_entry *entries = malloc((count + 1) * sizeof(*entries));
	bool good = entries != NULL;

	for (uint32_t i = 0; good && i < count; i++) {
		entries[i] = (struct ra_util_sort_entry){ ra_util_sort_real(values[i]), i, ~i };
	}
	good = good && ra_util_sort(&entries, count) == 0;
	for (size_t i = 0; good && i < count; i++) {
		good = entries[i].index == wanted[i] && entries[i].tag == ~wanted[i] &&
		       ra_util_sort_read_real(entries[i].key) == values[wanted[i]];
	}
	free(entries);
	return good;
}

/* In order, each index once; which of equal ones comes first is numpy's. */
static bool sorts_like_numpy(const double *values, const uint32_t *wanted, size_t count)
{
	uint32_t up[MOST];
	uint32_t down[MOST];
	bool seen[MOST] = { false };
	bool good = ra_numpy_sort_order(up, values, count) == 0 &&
	            ra_numpy_sort_descending(down, values, count) == 0;

	for (size_t i = 0; good && i < count; i++) {
		good = up[i] < count && !seen[up[i]] && values[up[i]] == values[wanted[i]] &&
		       down[i] < count && values[down[i]] == values[wanted[count - 1 - i]];
		seen[up[i] % MOST] = true;
	}
	/* Up to 16 values it is an insertion sort, which is stable. */
	return good && (count > 16 || memcmp(up, wanted, count * sizeof(*wanted)) == 0);
}

/* Searches sorted values, also parts of them, for what lies before each limit. */
static bool searches(const double *values, const uint32_t *order, size_t count)
{
	const size_t first = count / 3;
	bool is_right = true;

	for (int limit = -21; limit <= MOST; limit++) {
		struct ra_search at = ra_search_in(first, count);
		size_t wanted = first;

		while (ra_search_next(&at)) {
			ra_search_tell(&at, values[order[at.middle]] < limit);
		}
		while (wanted < count && values[order[wanted]] < limit) {
			wanted++;
		}
		is_right = is_right && at.low == wanted;
	}
	return is_right;
}

int main(void)
{
	static double values[MOST];
	static uint32_t wanted[MOST];
	uint64_t state = 11;
	int by_runs = 0;
	int by_keys = 0;
	int like_numpy = 0;
	int found = 0;

	for (int i = 0; i < TRIES; i++) {
		const size_t count = make_values(values, &state);

		order_slowly(wanted, values, count);
		by_runs += sorts_by_runs(values, wanted, count);
		by_keys += sorts_by_keys(values, wanted, count);
		like_numpy += sorts_like_numpy(values, wanted, count);
		found += searches(values, wanted, count);
	}
	tap_is_int(by_runs, TRIES, "runs are merged to the order of a stable sort");
	tap_is_int(by_keys, TRIES, "entries sorted by key keep their order among equals");
	tap_is_int(like_numpy, TRIES, "numpy's sort gives each index once, in order, both ways");
	tap_is_int(found, TRIES, "a search ends where a look at each place does");
	tap_ok(ra_util_sort_real(-1.5) < ra_util_sort_real(-0.25) &&
	               ra_util_sort_real(-0.25) < ra_util_sort_real(0) &&
	               ra_util_sort_real(0) < ra_util_sort_real(1e300),
	       "keys of doubles have their order");
	return tap_done();
}
