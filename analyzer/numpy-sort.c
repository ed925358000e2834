/* SPDX-License-Identifier: MIT */
/* The order in which numpy puts equal values: its argsort() is not stable, and figures of HTA
 * depend on it. */
#include "analyzer/numpy-sort.h"

#include <stdlib.h>

#include "format/error.h"

#define INSERTION_SPAN 15 /* last - first of what insertion sort takes */
#define MAX_PENDING    128

struct part {
	size_t first;
	size_t last; /* inclusive */
	int depth;   /* splits that are left before heapsort */
};

static void swap(uint32_t *order, size_t a, size_t b)
{
	const uint32_t other = order[a];

	order[a] = order[b];
	order[b] = other;
}

/* Moves the index at place `hole` of a heap (places count from 1) down to where it belongs. */
static void sift(uint32_t *order, const double *values, size_t hole, size_t count)
{
	const uint32_t index = order[hole - 1];
	size_t child;

	for (child = 2 * hole; child <= count; child = 2 * hole) {
		if (child < count && values[order[child - 1]] < values[order[child]]) {
			child++;
		}
		if (!(values[index] < values[order[child - 1]])) {
			break;
		}
		order[hole - 1] = order[child - 1];
		hole = child;
	}
	order[hole - 1] = index;
}

static void heap_sort(uint32_t *order, const double *values, size_t count)
{
	for (size_t i = count / 2; i > 0; i--) {
		sift(order, values, i, count);
	}
	while (count > 1) {
		swap(order, 0, count - 1);
		count--;
		sift(order, values, 1, count);
	}
}

static void insertion_sort(uint32_t *order, const double *values, const struct part *part)
{
	for (size_t i = part->first + 1; i <= part->last; i++) {
		const uint32_t index = order[i];
		size_t j = i;

		while (j > part->first && values[index] < values[order[j - 1]]) {
			order[j] = order[j - 1];
			j--;
		}
		order[j] = index;
	}
}

/* Splits a part around the median of its ends and middle. Return: where that one ends up. */
static size_t split(uint32_t *order, const double *values, const struct part *part)
{
	const size_t middle = part->first + (part->last - part->first) / 2;
	size_t low = part->first;
	size_t high = part->last - 1;
	double pivot;

	if (values[order[middle]] < values[order[part->first]]) {
		swap(order, middle, part->first);
	}
	if (values[order[part->last]] < values[order[middle]]) {
		swap(order, part->last, middle);
	}
	if (values[order[middle]] < values[order[part->first]]) {
		swap(order, middle, part->first);
	}
	pivot = values[order[middle]];
	swap(order, middle, high);
	for (;;) {
		do {
			low++;
		} while (values[order[low]] < pivot);
		do {
			high--;
		} while (pivot < values[order[high]]);
		if (low >= high) {
			break;
		}
		swap(order, low, high);
	}
	swap(order, low, part->last - 1);
	return low;
}

/* Sorts a part down to pieces that insertion sort takes; the larger ones wait in `pending`. */
static void sort_part(uint32_t *order, const double *values, struct part part, struct part *pending,
                      size_t *pending_count)
{
	if (part.depth < 0) {
		heap_sort(order + part.first, values, part.last - part.first + 1);
		return;
	}
	while (part.last - part.first > INSERTION_SPAN) {
		const size_t at = split(order, values, &part);
		struct part *other = &pending[(*pending_count)++];

		part.depth--;
		*other = part;
		if (at - part.first < part.last - at) {
			other->first = at + 1;
			part.last = at - 1;
		} else {
			other->last = at - 1;
			part.first = at + 1;
		}
	}
	insertion_sort(order, values, &part);
}

void ra_numpy_sort_order(uint32_t *order, const double *values, size_t count)
{
	struct part pending[MAX_PENDING]; /* the larger part waits: one per halving suffices */
	size_t pending_count = 1;
	int depth = 0;

	for (size_t i = 0; i < count; i++) {
		order[i] = (uint32_t) i;
	}
	if (count < 2) {
		return;
	}
	for (size_t n = count; n > 1; n /= 2) {
		depth += 2;
	}
	pending[0] = (struct part){ 0, count - 1, depth };
	while (pending_count > 0) {
		const struct part part = pending[--pending_count];

		sort_part(order, values, part, pending, &pending_count);
	}
}

int ra_numpy_sort_descending(uint32_t *order, const double *values, size_t count)
{
	double *reversed = calloc(count + 1, sizeof(*reversed));

	if (reversed == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < count; i++) {
		reversed[i] = values[count - 1 - i];
	}
	ra_numpy_sort_order(order, reversed, count);
	for (size_t i = 0; i < count / 2; i++) {
		swap(order, i, count - 1 - i);
	}
	for (size_t i = 0; i < count; i++) {
		order[i] = (uint32_t) (count - 1 - order[i]);
	}
	free(reversed);
	return 0;
}
