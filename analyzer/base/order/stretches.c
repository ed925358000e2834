/* SPDX-License-Identifier: MIT */
/* Ordered stretches of time in doubles: intersection and difference. */
#include "analyzer/base/order/stretches.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"

void ra_stretches_fini(struct ra_stretches *list)
{
	free(list->rows);
	*list = (struct ra_stretches){ 0 };
}

void ra_stretches_add(struct ra_stretches *list, double start, double end, double value)
{
	RA_UTIL_APPEND(list->rows, list->count, list->capacity,
	               (struct ra_stretch){ start, end, value });
}

static int compare_starts(const void *a, const void *b)
{
	const struct ra_stretch *left = a;
	const struct ra_stretch *right = b;

	return RA_ORDER_UP(left, right, start);
}

void ra_stretches_join(struct ra_stretches *list, double start, double end)
{
	struct ra_stretch *last = list->count == 0 ? NULL : &list->rows[list->count - 1];

	if (last == NULL || start < last->start || (start > last->end && end > last->end)) {
		ra_stretches_add(list, start, end, 0);
	} else {
		last->end = end > last->end ? end : last->end;
	}
}

void ra_stretches_merge(struct ra_stretches *list)
{
	size_t kept = 0;

	if (list->count == 0) {
		return;
	}
	/* Mostly the stretches are in order, or come from several queues or threads, each of which
	 * is in order. */
	RA_RUN_SORT(list->rows, list->count, compare_starts);
	for (size_t i = 1; i < list->count; i++) {
		struct ra_stretch *last = &list->rows[kept];

		if (list->rows[i].end <= last->end) {
			continue;
		}
		if (list->rows[i].start <= last->end) {
			last->end = list->rows[i].end;
		} else {
			list->rows[++kept] = list->rows[i];
		}
	}
	list->count = kept + 1;
	if (list->count < list->capacity / 2) {
		ra_util_resize(&list->rows, list->count, sizeof(*list->rows));
		list->capacity = list->count;
	}
}

bool ra_stretches_find_common(const struct ra_stretches *a, const struct ra_stretches *b, size_t *i,
                              size_t *k, struct ra_stretch *common)
{
	bool is_found = false;

	while (!is_found && *i < a->count && *k < b->count) {
		const struct ra_stretch *left = &a->rows[*i];
		const struct ra_stretch *right = &b->rows[*k];

		is_found = right->end > left->start &&
		           (right->start <= left->start || right->start < left->end);
		if (is_found) {
			*common = (struct ra_stretch){
				.start = left->start < right->start ? right->start : left->start,
				.end = right->end < left->end ? right->end : left->end,
				.value = left->value,
			};
		}
		if (right->end < left->end) {
			(*k)++;
		} else {
			(*i)++;
		}
	}
	return is_found;
}

void ra_stretches_intersect(struct ra_stretches *out, const struct ra_stretches *a,
                            const struct ra_stretches *b)
{
	struct ra_stretch common;
	size_t i = 0;
	size_t k = 0;

	while (ra_stretches_find_common(a, b, &i, &k, &common)) {
		RA_UTIL_APPEND(out->rows, out->count, out->capacity, common);
	}
}

/* Appends the parts of a stretch that no hole from *k on covers. Sets *k to the first hole that may
 * cover something after the stretch. */
static void subtract_one(struct ra_stretches *out, const struct ra_stretch *row,
                         const struct ra_stretches *holes, size_t *k)
{
	double start = row->start;

	while (*k < holes->count) {
		const struct ra_stretch *hole = &holes->rows[*k];

		if (hole->end <= start) {
			(*k)++;
		} else if (hole->start <= start) {
			start = hole->end;
			if (hole->end >= row->end) {
				return;
			}
		} else if (hole->start < row->end) {
			ra_stretches_add(out, start, hole->start, 0);
			start = hole->start;
		} else {
			break;
		}
	}
	ra_stretches_add(out, start, row->end, 0);
}

/* Moves a list towards the end of its array by `places` places. */
static void move_back(struct ra_stretches *list, size_t places)
{
	list->capacity = list->count + places;
	ra_util_resize(&list->rows, list->capacity, sizeof(*list->rows));
	memmove(list->rows + places, list->rows, list->count * sizeof(*list->rows));
}

/*
 * The result goes into the array of the longer list. Each hole adds at most one piece, the one
 * before the hole. Each stretch adds at most one piece, the one after its last hole. The longer
 * list is first moved to the end of its array, behind as many free places as the other list is
 * long. So no piece overwrites a stretch that is still to be read.
 */
void ra_stretches_take(struct ra_stretches *left, struct ra_stretches *holes)
{
	const bool is_left = left->count > holes->count;
	const struct ra_stretches from = *left;
	struct ra_stretches *longer = is_left ? left : holes;
	struct ra_stretches out;
	struct ra_stretches moved;
	size_t k = 0;

	move_back(longer, is_left ? holes->count : from.count);
	out = *longer;
	out.count = 0;
	moved = *holes;
	if (!is_left) {
		moved.rows += from.count;
	}
	for (size_t i = 0; i < from.count; i++) {
		const struct ra_stretch row = left->rows[is_left ? holes->count + i : i];

		subtract_one(&out, &row, &moved, &k);
	}
	ra_stretches_fini(is_left ? holes : left);
	*holes = (struct ra_stretches){ 0 };
	*left = out;
}

double ra_stretches_sum(const struct ra_stretches *list)
{
	double sum = 0;

	for (size_t i = 0; i < list->count; i++) {
		sum += list->rows[i].end - list->rows[i].start;
	}
	return sum;
}

static int compare_begins(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_stretch *rows = context;

	return RA_ORDER(rows[left].start, rows[right].start);
}

static int compare_ends(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_stretch *rows = context;

	return RA_ORDER(rows[left].end, rows[right].end);
}

/* Returns the indices of stretches in the order of `compare`. Equal stretches keep their order. */
static uint32_t *order_rows(const struct ra_stretches *in,
                            int (*compare)(const void *context, uint32_t left, uint32_t right))
{
	uint32_t *order = ra_order_create_indices(in->count);

	ra_run_sort_indices(order, in->count, compare, in->rows);
	return order;
}

static bool is_ordered(const struct ra_stretches *in)
{
	for (size_t i = 1; i < in->count; i++) {
		if (in->rows[i - 1].start > in->rows[i].start) {
			return false;
		}
	}
	return true;
}

void ra_stretches_sums_init(struct ra_stretches_sums *sums, const struct ra_stretches *in)
{
	*sums = (struct ra_stretches_sums){ .rows = in->rows, .count = in->count };
	sums->begins = is_ordered(in) ? NULL : order_rows(in, compare_begins);
	sums->ends = order_rows(in, compare_ends);
}

void ra_stretches_sums_fini(struct ra_stretches_sums *sums)
{
	free(sums->begins);
	free(sums->ends);
	*sums = (struct ra_stretches_sums){ 0 };
}

/* Takes the next start or end in order of time. At equal times starts come first. Return: false if
 * there is none left. */
static bool take_edge(struct ra_stretches_sums *edges, double *time, double *change)
{
	const size_t begin = edges->begin == edges->count || edges->begins == NULL
	                             ? edges->begin
	                             : edges->begins[edges->begin];
	const struct ra_stretch *begins = edges->begin == edges->count ? NULL : &edges->rows[begin];
	const struct ra_stretch *ends =
		edges->end == edges->count ? NULL : &edges->rows[edges->ends[edges->end]];

	if (begins != NULL && (ends == NULL || begins->start <= ends->end)) {
		*time = begins->start;
		*change = begins->value;
		edges->begin++;
	} else if (ends != NULL) {
		*time = ends->end;
		*change = -ends->value;
		edges->end++;
	}
	return begins != NULL || ends != NULL;
}

bool ra_stretches_sums_next(struct ra_stretches_sums *sums, struct ra_stretch *piece)
{
	bool is_found = false;
	double time;
	double change;

	while (!is_found) {
		const bool is_first = sums->begin + sums->end == 0;

		if (!take_edge(sums, &time, &change)) {
			return false;
		}
		is_found = !is_first && time > sums->time && sums->value > 0;
		if (is_found) {
			*piece = (struct ra_stretch){ sums->time, time,
				                      sums->value < 1 ? sums->value : 1 };
		}
		sums->value = is_first ? change : sums->value + change;
		sums->time = time;
	}
	return true;
}
