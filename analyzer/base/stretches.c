/* SPDX-License-Identifier: MIT */
/* Ordered stretches of time in doubles: what they have in common, and what is left. */
#include "analyzer/base/stretches.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order.h"
#include "analyzer/base/run-sort.h"
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
	/* In general they are in order, or of several queues or threads, of each in order. */
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

void ra_stretches_intersect(struct ra_stretches *out, const struct ra_stretches *a,
                            const struct ra_stretches *b)
{
	size_t i = 0;
	size_t k = 0;

	while (i < a->count && k < b->count) {
		const struct ra_stretch *left = &a->rows[i];
		const struct ra_stretch *right = &b->rows[k];
		const double start = left->start < right->start ? right->start : left->start;
		const double end = right->end < left->end ? right->end : left->end;

		if (right->end > left->start &&
		    (right->start <= left->start || right->start < left->end)) {
			ra_stretches_add(out, start, end, left->value);
		}
		if (right->end < left->end) {
			k++;
		} else {
			i++;
		}
	}
}

/* Appends what of a stretch none of the holes from *k on covers; *k then is the first hole that may
 * cover something behind it. */
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

void ra_stretches_subtract(struct ra_stretches *out, const struct ra_stretches *a,
                           const struct ra_stretches *b)
{
	size_t k = 0;

	for (size_t i = 0; i < a->count; i++) {
		subtract_one(out, &a->rows[i], b, &k);
	}
}

double ra_stretches_sum(const struct ra_stretches *list)
{
	double sum = 0;

	for (size_t i = 0; i < list->count; i++) {
		sum += list->rows[i].end - list->rows[i].start;
	}
	return sum;
}

/* A beginning or an end of a stretch. */
struct edge {
	double time;
	double change;
	size_t index; /* of the stretch: for the order of what falls together */
	bool is_end;
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *left = a;
	const struct edge *right = b;
	int order = RA_ORDER_UP(left, right, time);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, is_end));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, index));
}

static struct edge *list_edges(const struct ra_stretches *in)
{
	struct edge *edges = ra_alloc_zeros(in->count, 2 * sizeof(*edges));

	for (size_t i = 0; i < in->count; i++) {
		const struct ra_stretch *row = &in->rows[i];

		edges[2 * i] = (struct edge){ row->start, row->value, i, false };
		edges[2 * i + 1] = (struct edge){ row->end, -row->value, i, true };
	}
	return edges;
}

void ra_stretches_sum_values(struct ra_stretches *out, const struct ra_stretches *in)
{
	struct edge *edges;
	double value;

	if (in->count == 0) {
		return;
	}
	edges = list_edges(in);
	RA_SORT(edges, 2 * in->count, compare_edges);
	value = edges[0].change;
	for (size_t i = 1; i < 2 * in->count; i++) {
		if (edges[i].time > edges[i - 1].time && value > 0) {
			ra_stretches_add(out, edges[i - 1].time, edges[i].time,
			                 value < 1 ? value : 1);
		}
		value += edges[i].change;
	}
	free(edges);
}
