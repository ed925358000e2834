/* SPDX-License-Identifier: MIT */
/* Tests the ways to sort: by runs, by a number, in numpy's order, and by the macros of order.h.
 * Also tests searches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/numpy-sort.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "tests/tap.h"
#include "tests/unit/analyzer/analyzer-log.h"

#define MOST  300
#define TRIES 60

/* Number and width of the groups that the values of make_values() fall into. */
#define GROUPS      41
#define GROUP_WIDTH 8

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
	ra_run_sort_indices(indices, count, compare_values, values);
	return memcmp(indices, wanted, count * sizeof(*wanted)) == 0;
}

struct row {
	double value;
	uint32_t index;
};

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left;
	const struct row *b = right;

	return a->value < b->value ? -1 : a->value > b->value;
}

static uint32_t find_group(const void *row)
{
	return (uint32_t) (((const struct row *) row)->value + 20) / GROUP_WIDTH;
}

/* True if rows are sorted rightly. With is_grouped the groups may be more than the rows. */
static bool sorts_rows(const double *values, const uint32_t *wanted, size_t count, bool is_grouped)
{
	const struct ra_run_sort_groups groups = { GROUPS, find_group };
	struct row rows[MOST];
	bool good = true;

	for (uint32_t i = 0; i < count; i++) {
		rows[i] = (struct row){ values[i], i };
	}
	if (is_grouped) {
		RA_RUN_SORT_GROUPS(rows, count, compare_rows, &groups);
	} else {
		RA_RUN_SORT(rows, count, compare_rows);
	}
	for (uint32_t i = 0; good && i < count; i++) {
		good = rows[i].index == wanted[i] && rows[i].value == values[wanted[i]];
	}
	return good;
}

/* A row that is too large to be copied. */
struct wide_row {
	struct row row;
	char rest[48];
};

static bool sorts_wide_rows(const double *values, const uint32_t *wanted, size_t count)
{
	struct wide_row *rows = calloc(count + 1, sizeof(*rows));
	bool good = rows != NULL;

	for (uint32_t i = 0; good && i < count; i++) {
		rows[i].row = (struct row){ values[i], i };
		memset(rows[i].rest, (int) (i % 251), sizeof(rows[i].rest));
	}
	if (good) {
		RA_RUN_SORT(rows, count, compare_rows);
	}
	for (uint32_t i = 0; good && i < count; i++) {
		good = rows[i].row.index == wanted[i] &&
		       rows[i].rest[0] == (char) (wanted[i] % 251) &&
		       rows[i].rest[47] == rows[i].rest[0];
	}
	free(rows);
	return good;
}

static bool sorts_by_keys(const double *values, const uint32_t *wanted, size_t count)
{
	struct ra_util_sort_entry *entries = malloc((count + 1) * sizeof(*entries));
	bool good = entries != NULL;

	for (uint32_t i = 0; good && i < count; i++) {
		entries[i] = (struct ra_util_sort_entry){ ra_util_sort_real(values[i]), i, ~i };
	}
	if (good) {
		ra_util_sort(&entries, count);
	}
	for (size_t i = 0; good && i < count; i++) {
		good = entries[i].index == wanted[i] && entries[i].tag == ~wanted[i] &&
		       ra_util_sort_read_real(entries[i].key) == values[wanted[i]];
	}
	free(entries);
	return good;
}

/* True if the result is in order and has each index once. Which of equal values comes first is as
 * in numpy. */
static bool sorts_like_numpy(const double *values, const uint32_t *wanted, size_t count)
{
	uint32_t up[MOST];
	uint32_t down[MOST];
	bool seen[MOST] = { false };
	bool good = true;

	ra_numpy_sort_order(up, values, count);
	ra_numpy_sort_descending(down, values, count);
	for (size_t i = 0; good && i < count; i++) {
		good = up[i] < count && !seen[up[i]] && values[up[i]] == values[wanted[i]] &&
		       down[i] < count && values[down[i]] == values[wanted[count - 1 - i]];
		seen[up[i] % MOST] = true;
	}
	/* Up to 16 values numpy uses an insertion sort, which is stable. */
	return good && (count > 16 || memcmp(up, wanted, count * sizeof(*wanted)) == 0);
}

/* Searches sorted values, and parts of them, for the values before each limit. */
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

static void test_numbers(void)
{
	const int64_t times[2] = { INT64_MIN, INT64_MAX };
	const uint64_t ids[2] = { 0, UINT64_MAX };
	const double nothing = NAN;

	tap_ok(RA_ORDER(times[0], times[1]) < 0 && RA_ORDER(times[1], times[0]) > 0 &&
	               RA_ORDER(times[0], times[0]) == 0,
	       "times that are far apart have their order, without overflow");
	tap_ok(RA_ORDER(ids[0], ids[1]) < 0 && RA_ORDER(ids[1], ids[0]) > 0,
	       "numbers without a sign as well");
	tap_ok(RA_ORDER(0.25, 0.5) < 0 && RA_ORDER(0.5, 0.25) > 0 && RA_ORDER(0.0, -0.0) == 0,
	       "parts of a whole as well; 0 and -0 are equal");
	tap_ok(RA_ORDER(nothing, 1.0) == 0 && RA_ORDER(1.0, nothing) == 0,
	       "what is no number is equal to all");
	tap_ok(ra_order_int64(&times[0], &times[1]) < 0 &&
	               ra_order_int64(&times[1], &times[0]) > 0 &&
	               ra_order_int64(&times[1], &times[1]) == 0 &&
	               ra_order_uint64(&ids[0], &ids[1]) < 0 &&
	               ra_order_uint64(&ids[1], &ids[0]) > 0 &&
	               ra_order_uint64(&ids[1], &ids[1]) == 0 &&
	               ra_order_uint32(&(uint32_t){ 1 }, &(uint32_t){ UINT32_MAX }) < 0 &&
	               ra_order_uint32(&(uint32_t){ UINT32_MAX }, &(uint32_t){ 1 }) > 0 &&
	               ra_order_uint32(&(uint32_t){ 7 }, &(uint32_t){ 7 }) == 0,
	       "arrays of numbers are compared with the smaller first");
}

static int count_call(int *calls, int order)
{
	(*calls)++;
	return order;
}

static void test_then(void)
{
	int calls = 0;

	tap_ok(RA_ORDER_THEN(-1, 1) == -1 && RA_ORDER_THEN(1, -1) == 1,
	       "the next order does not matter where the first says something");
	tap_ok(RA_ORDER_THEN(0, -1) == -1 && RA_ORDER_THEN(0, 1) == 1 && RA_ORDER_THEN(0, 0) == 0,
	       "the next order decides where the first says nothing");
	tap_ok(RA_ORDER_THEN(1, count_call(&calls, -1)) == 1 && calls == 0 &&
	               RA_ORDER_THEN(0, count_call(&calls, -1)) == -1 && calls == 1,
	       "the next order is only found out where it is needed");
}

/* An item with keys that are often equal, and a key that is unique. */
struct thing {
	int64_t up;
	uint32_t down;
	uint32_t last;
};

static int compare_things(const void *left, const void *right)
{
	const struct thing *a = left;
	const struct thing *b = right;
	int order = RA_ORDER_UP(a, b, up);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, down));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, last));
}

/* Indices of things. */
static int compare_indices(const void *left, const void *right, void *context)
{
	const uint32_t *a = left;
	const uint32_t *b = right;
	const struct thing *things = context;

	return compare_things(&things[*a], &things[*b]);
}

/* Tests the same order by other code. */
static bool is_behind(const struct thing *a, const struct thing *b)
{
	if (a->up == b->up && a->down == b->down) {
		return a->last < b->last;
	}
	return a->up == b->up ? a->down > b->down : a->up < b->up;
}

static void test_sort(uint64_t *state)
{
	const struct thing other = { .up = 9 };
	struct thing things[MOST];
	struct thing sorted[MOST];
	uint32_t indices[MOST];
	int in_order = 0;
	int same = 0;
	int found = 0;

	for (uint32_t i = 0; i < MOST; i++) {
		things[i] = (struct thing){ (int64_t) analyzer_log_roll(state, 5) - 2,
			                    (uint32_t) analyzer_log_roll(state, 5), i };
		indices[i] = i;
	}
	memcpy(sorted, things, sizeof(sorted));
	RA_SORT(sorted, MOST, compare_things);
	RA_SORT_WITH(indices, MOST, compare_indices, things);
	for (size_t i = 0; i < MOST; i++) {
		in_order += i > 0 && is_behind(&sorted[i - 1], &sorted[i]);
		same += indices[i] == sorted[i].last;
		found += RA_FIND(&sorted[i], sorted, MOST, compare_things) == &sorted[i];
	}
	tap_is_int(in_order, MOST - 1, "a sort goes by the first key, up, then the second, down …");
	tap_is_int(same, MOST, "… and likewise with a context");
	tap_is_int(found, MOST, "what was sorted is found where it is");
	tap_ok(RA_FIND(&other, sorted, MOST, compare_things) == NULL,
	       "what was not sorted is not found");
}

static void test_nothing(void)
{
	const struct thing key = { 0 };
	struct thing *none = NULL;

	RA_SORT(none, 0, compare_things);
	RA_SORT_WITH(none, 0, compare_indices, NULL);
	tap_ok(RA_FIND(&key, none, 0, compare_things) == NULL,
	       "where there is no array nothing is sorted and nothing found");
}

static void test_strings(void)
{
	struct {
		struct rlog_string name;
		int number;
	} rows[] = {
		{ ra_util_string("b"), 4 },    { ra_util_string("ab"), 2 },
		{ ra_util_string("abc"), 3 },  { { NULL, 0, 0 }, 0 },
		{ ra_util_string("\xff"), 5 }, { ra_util_string("a"), 1 },
	};
	int in_place = 0;

	RA_SORT(rows, 6, ra_util_string_compare_first);
	for (int i = 0; i < 6; i++) {
		in_place += rows[i].number == i;
	}
	tap_is_int(in_place, 6, "names go by bytes, the shorter first, none before all");
}

int main(void)
{
	static double values[MOST];
	static uint32_t wanted[MOST];
	uint64_t state = 11;
	int by_runs = 0;
	int of_rows = 0;
	int of_wide = 0;
	int of_groups = 0;
	int by_keys = 0;
	int like_numpy = 0;
	int found = 0;

	for (int i = 0; i < TRIES; i++) {
		const size_t count = make_values(values, &state);

		order_slowly(wanted, values, count);
		by_runs += sorts_by_runs(values, wanted, count);
		of_rows += sorts_rows(values, wanted, count, false);
		of_wide += sorts_wide_rows(values, wanted, count);
		of_groups += sorts_rows(values, wanted, count, true);
		by_keys += sorts_by_keys(values, wanted, count);
		like_numpy += sorts_like_numpy(values, wanted, count);
		found += searches(values, wanted, count);
	}
	tap_is_int(by_runs, TRIES, "runs are merged to the order of a stable sort");
	tap_is_int(of_rows, TRIES, "and so are rows, which are copied");
	tap_is_int(of_wide, TRIES, "and large ones, which are moved");
	tap_is_int(of_groups, TRIES, "and rows of groups that are mixed");
	tap_is_int(by_keys, TRIES, "entries sorted by key keep their order among equals");
	tap_is_int(like_numpy, TRIES, "numpy's sort gives each index once, in order, both ways");
	tap_is_int(found, TRIES, "a search ends where a look at each place does");
	tap_ok(ra_util_sort_real(-1.5) < ra_util_sort_real(-0.25) &&
	               ra_util_sort_real(-0.25) < ra_util_sort_real(0) &&
	               ra_util_sort_real(0) < ra_util_sort_real(1e300),
	       "keys of doubles have their order");
	test_numbers();
	test_then();
	test_sort(&state);
	test_nothing();
	test_strings();
	return tap_done();
}
