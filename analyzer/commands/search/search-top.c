/* SPDX-License-Identifier: MIT */
/* Selects the found items to show. A heap contains the first ones so far, with the last of them on
 * top. */
#include "analyzer/commands/search/search-top.h"

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

struct top {
	const struct ra_search_hits *hits;
	bool by_start;
	size_t *rows; /* indices into hits->all; a heap once there are `most` */
	size_t count;
};

static int compare_hits(const struct top *top, size_t i, size_t j)
{
	const struct ra_search_hit *a = &top->hits->all[i];
	const struct ra_search_hit *b = &top->hits->all[j];
	int order = top->by_start ? 0 : RA_ORDER_DOWN(a, b, dur_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER(i, j));
}

static int compare_rows(const void *left, const void *right, void *context)
{
	return compare_hits(context, *(const size_t *) left, *(const size_t *) right);
}

/* Moves a row down the heap until no row below it comes later. */
static void sink(const struct top *top, size_t at)
{
	size_t *rows = top->rows;

	for (size_t below = 2 * at + 1; below < top->count; below = 2 * at + 1) {
		const size_t row = rows[at];

		if (below + 1 < top->count && compare_hits(top, rows[below + 1], rows[below]) > 0) {
			below++;
		}
		if (compare_hits(top, rows[below], row) <= 0) {
			return;
		}
		rows[at] = rows[below];
		rows[below] = row;
		at = below;
	}
}

size_t *ra_search_top_find(const struct ra_search_hits *hits, size_t most, bool by_start,
                           size_t *count)
{
	const size_t room = most < hits->count ? most : hits->count;
	struct top top = {
		.hits = hits,
		.by_start = by_start,
		.rows = ra_alloc_zeros(room + 1, sizeof(*top.rows)),
		.count = room,
	};

	for (size_t i = 0; i < room; i++) {
		top.rows[i] = i;
	}
	if (room < hits->count) {
		for (size_t i = room / 2; i-- > 0;) {
			sink(&top, i);
		}
	}
	for (size_t i = room; room > 0 && i < hits->count; i++) {
		if (compare_hits(&top, i, top.rows[0]) < 0) {
			top.rows[0] = i;
			sink(&top, 0);
		}
	}
	RA_SORT_WITH(top.rows, room, compare_rows, &top);
	*count = room;
	return top.rows;
}

bool ra_search_top_is_in(const struct ra_search_hits *hits, size_t i, size_t j, bool by_start)
{
	const struct top top = { .hits = hits, .by_start = by_start };

	return compare_hits(&top, i, j) <= 0;
}
