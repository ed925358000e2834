/* SPDX-License-Identifier: MIT */
/* Finds kernels that replace others: an operator runs these kernels instead. */
#include "analyzer/diff/causes/diff-swaps.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

/* The calls in all units of one side, multiplied by the number of units of the other side, so that
 * the sides can be compared exactly. */
typedef ra_sum_u128 scaled;

static scaled scale(const struct ra_diff *diff, const struct ra_diff_cost *cost, size_t side)
{
	return (scaled) cost->calls[side] * diff->units[1 - side];
}

/* The numbers of calls that kernels below one path lost (index 0) and got (index 1). */
struct moved {
	size_t kernels[2];
	scaled calls[2];
	scaled least; /* the fewest that a kernel lost or got … */
	scaled most;  /* … and the most */
};

/* Returns the side that has more calls; 2: both have as many. */
static size_t find_side(const struct ra_diff *diff, const struct ra_diff_cost *cost)
{
	const scaled before = scale(diff, cost, 0);
	const scaled after = scale(diff, cost, 1);

	return before > after ? 0 : after > before ? 1 : 2;
}

static void add_moved(struct moved *moved, const struct ra_diff *diff,
                      const struct ra_diff_cost *cost)
{
	const size_t side = find_side(diff, cost);
	scaled calls;

	if (side == 2) {
		return;
	}
	calls = scale(diff, cost, side) - scale(diff, cost, 1 - side);
	moved->least = moved->kernels[0] + moved->kernels[1] == 0 || calls < moved->least
	                       ? calls
	                       : moved->least;
	moved->most = calls > moved->most ? calls : moved->most;
	moved->calls[side] += calls;
	moved->kernels[side]++;
}

/* True if some kernels lost as many calls as others got. */
static bool fits(const struct moved *moved)
{
	return moved->kernels[0] > 0 && moved->kernels[1] > 0 &&
	       (moved->calls[0] == moved->calls[1] || moved->least == moved->most);
}

static void add_swap(struct ra_diff_swaps *swaps, const struct ra_diff *diff,
                     const struct ra_diff_cost *first, size_t count, const struct moved *moved)
{
	const scaled more = moved->calls[0] > moved->calls[1] ? moved->calls[0] : moved->calls[1];
	struct ra_diff_swap swap = { .path = first->path };
	size_t at[2] = { 0, moved->kernels[0] };

	swap.names = ra_alloc_zeros(moved->kernels[0] + moved->kernels[1], sizeof(*swap.names));
	swap.calls = (double) more / (double) diff->units[0] / (double) diff->units[1];
	for (size_t i = 0; i < count; i++) {
		const struct ra_diff_cost *cost = &first[i];
		const size_t side = find_side(diff, cost);

		if (side < 2) {
			const int64_t change_ns = cost->total_ns[1] / (int64_t) diff->units[1] -
			                          cost->total_ns[0] / (int64_t) diff->units[0];

			swap.names[at[side]++] = cost->item;
			swap.count[side]++;
			swap.time_ns[side] += side == 0 ? -change_ns : change_ns;
		}
	}
	RA_UTIL_APPEND(swaps->rows, swaps->count, swaps->capacity, swap);
}

static int compare_swaps(const void *left, const void *right)
{
	const struct ra_diff_swap *a = left;
	const struct ra_diff_swap *b = right;
	const int order = RA_ORDER(llabs(b->time_ns[1] - b->time_ns[0]),
	                           llabs(a->time_ns[1] - a->time_ns[0]));

	return RA_ORDER_THEN(order, ra_util_string_compare(a->path, b->path));
}

void ra_diff_swaps_init(struct ra_diff_swaps *swaps, const struct ra_diff *diff,
                        const struct ra_diff_costs *costs)
{
	size_t end;

	memset(swaps, 0, sizeof(*swaps));
	for (size_t i = 0; i < costs->count; i = end) {
		const struct ra_diff_cost *first = &costs->rows[i];
		struct moved moved = { 0 };

		for (end = i; end < costs->count && costs->rows[end].role == first->role &&
		              ra_util_string_is_same(costs->rows[end].path, first->path);
		     end++) {
			add_moved(&moved, diff, &costs->rows[end]);
		}
		if (first->role == RA_ROLE_KERNEL && first->path.length > 0 && fits(&moved)) {
			add_swap(swaps, diff, first, end - i, &moved);
		}
	}
	RA_SORT(swaps->rows, swaps->count, compare_swaps);
}

void ra_diff_swaps_fini(struct ra_diff_swaps *swaps)
{
	for (size_t i = 0; i < swaps->count; i++) {
		free(swaps->rows[i].names);
	}
	free(swaps->rows);
	memset(swaps, 0, sizeof(*swaps));
}

static int compare_names(const void *left, const void *right)
{
	const struct rlog_string *a = left;
	const struct rlog_string *b = right;

	return ra_util_string_compare(*a, *b);
}

/* Lists the names of all kernels in swaps, in order. */
static struct rlog_string *list_names(const struct ra_diff_swaps *swaps, size_t *count)
{
	struct rlog_string *names = NULL;
	size_t capacity = 0;

	*count = 0;
	for (size_t i = 0; i < swaps->count; i++) {
		const struct ra_diff_swap *swap = &swaps->rows[i];

		for (size_t k = 0; k < swap->count[0] + swap->count[1]; k++) {
			RA_UTIL_APPEND(names, *count, capacity, swap->names[k]);
		}
	}
	RA_SORT(names, *count, compare_names);
	return names;
}

void ra_diff_swaps_mark(struct ra_diff *diff)
{
	struct ra_diff_costs costs;
	struct ra_diff_swaps swaps;
	struct rlog_string *names;
	size_t count;

	ra_diff_costs_init(&costs, diff);
	ra_diff_swaps_init(&swaps, diff, &costs);
	names = list_names(&swaps, &count);
	for (size_t i = 0; i < diff->count; i++) {
		struct ra_diff_row *row = &diff->rows[i];

		if (row->table == RA_SUM_KERNELS && row->like == RA_DIFF_LIKE_NONE &&
		    (row->stats[0] == NULL || row->stats[1] == NULL) &&
		    RA_FIND(&row->name, names, count, compare_names) != NULL) {
			row->like = RA_DIFF_LIKE_SWAPPED;
		}
	}
	free(names);
	ra_diff_swaps_fini(&swaps);
	ra_diff_costs_fini(&costs);
}
