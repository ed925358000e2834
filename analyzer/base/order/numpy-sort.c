/* SPDX-License-Identifier: MIT */
/* Orders equal values as numpy does. numpy's argsort() is not stable, and figures of HTA depend on
 * it. */
#include "analyzer/base/order/numpy-sort.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

#define INSERTION_SPAN 15 /* a part with last - first up to this is sorted by insertion sort */
#define MAX_PENDING    128

struct part {
	size_t first;
	size_t last; /* inclusive */
	int depth;   /* how often the part may still be split before heapsort takes over */
};

/* A value and its index side by side, because both are used together. */
struct item {
	double value;
	uint32_t index;
};

static void swap(struct item *items, size_t a, size_t b)
{
	const struct item other = items[a];

	items[a] = items[b];
	items[b] = other;
}

/* Moves the item at place `hole` of a heap (the first place is 1) down to where it belongs. */
static void sift(struct item *items, size_t hole, size_t count)
{
	const struct item item = items[hole - 1];
	size_t child;

	for (child = 2 * hole; child <= count; child = 2 * hole) {
		child += child < count && items[child - 1].value < items[child].value;
		if (!(item.value < items[child - 1].value)) {
			break;
		}
		items[hole - 1] = items[child - 1];
		hole = child;
	}
	items[hole - 1] = item;
}

static void heap_sort(struct item *items, size_t count)
{
	for (size_t i = count / 2; i > 0; i--) {
		sift(items, i, count);
	}
	while (count > 1) {
		swap(items, 0, count - 1);
		count--;
		sift(items, 1, count);
	}
}

static void insertion_sort(struct item *items, const struct part *part)
{
	for (size_t i = part->first + 1; i <= part->last; i++) {
		const struct item item = items[i];
		size_t j = i;

		while (j > part->first && item.value < items[j - 1].value) {
			items[j] = items[j - 1];
			j--;
		}
		items[j] = item;
	}
}

/* Partitions a part around the median of its ends and middle. Return: the place of that pivot. */
static size_t split(struct item *items, const struct part *part)
{
	const size_t middle = part->first + (part->last - part->first) / 2;
	size_t low = part->first;
	size_t high = part->last - 1;
	double pivot;

	if (items[middle].value < items[part->first].value) {
		swap(items, middle, part->first);
	}
	if (items[part->last].value < items[middle].value) {
		swap(items, part->last, middle);
	}
	if (items[middle].value < items[part->first].value) {
		swap(items, middle, part->first);
	}
	pivot = items[middle].value;
	swap(items, middle, high);
	for (;;) {
		do {
			low++;
		} while (items[low].value < pivot);
		do {
			high--;
		} while (pivot < items[high].value);
		if (low >= high) {
			break;
		}
		swap(items, low, high);
	}
	swap(items, low, part->last - 1);
	return low;
}

/* Splits a part until the pieces are small enough for insertion sort. The larger halves wait in
 * `pending`. */
static void sort_part(struct item *items, struct part part, struct part *pending,
                      size_t *pending_count)
{
	if (part.depth < 0) {
		heap_sort(items + part.first, part.last - part.first + 1);
		return;
	}
	while (part.last - part.first > INSERTION_SPAN) {
		const size_t at = split(items, &part);
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
	insertion_sort(items, &part);
}

static void sort_items(struct item *items, size_t count)
{
	struct part pending[MAX_PENDING]; /* as the larger half waits, at most one waits for each
	                                     halving */
	size_t pending_count = 1;
	int depth = 0;

	if (count < 2) {
		return;
	}
	for (size_t n = count; n > 1; n /= 2) {
		depth += 2;
	}
	pending[0] = (struct part){ 0, count - 1, depth };
	while (pending_count > 0) {
		const struct part part = pending[--pending_count];

		sort_part(items, part, pending, &pending_count);
	}
}

/* True if each value is above the one before: then there is only one order. */
static bool is_ascending(const double *values, size_t count)
{
	size_t i = 1;

	while (i < count && values[i - 1] < values[i]) {
		i++;
	}
	return i >= count;
}

void ra_numpy_sort_order(uint32_t *order, const double *values, size_t count)
{
	struct item *items = NULL;

	for (size_t i = 0; i < count; i++) {
		order[i] = (uint32_t) i;
	}
	if (is_ascending(values, count)) {
		return;
	}
	ra_util_resize(&items, count, sizeof(*items));
	for (size_t i = 0; i < count; i++) {
		items[i] = (struct item){ values[i], (uint32_t) i };
	}
	sort_items(items, count);
	for (size_t i = 0; i < count; i++) {
		order[i] = items[i].index;
	}
	free(items);
}

static void swap_indices(uint32_t *order, size_t a, size_t b)
{
	const uint32_t other = order[a];

	order[a] = order[b];
	order[b] = other;
}

void ra_numpy_sort_descending(uint32_t *order, const double *values, size_t count)
{
	double *reversed = ra_alloc_zeros(count + 1, sizeof(*reversed));

	for (size_t i = 0; i < count; i++) {
		reversed[i] = values[count - 1 - i];
	}
	ra_numpy_sort_order(order, reversed, count);
	for (size_t i = 0; i < count / 2; i++) {
		swap_indices(order, i, count - 1 - i);
	}
	for (size_t i = 0; i < count; i++) {
		order[i] = (uint32_t) (count - 1 - order[i]);
	}
	free(reversed);
}
