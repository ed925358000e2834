/* SPDX-License-Identifier: MIT */
/* Compares numbers, and sorts and searches arrays. */
#include "analyzer/base/order/order.h"

#include <stdint.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"

int ra_order_int64(const void *left, const void *right)
{
	const int64_t *a = left;
	const int64_t *b = right;

	return RA_ORDER(*a, *b);
}

int ra_order_uint32(const void *left, const void *right)
{
	const uint32_t *a = left;
	const uint32_t *b = right;

	return RA_ORDER(*a, *b);
}

int ra_order_uint64(const void *left, const void *right)
{
	const uint64_t *a = left;
	const uint64_t *b = right;

	return RA_ORDER(*a, *b);
}

uint32_t *ra_order_create_indices(size_t count)
{
	uint32_t *indices = ra_alloc_bytes((count + 1) * sizeof(*indices));

	for (size_t i = 0; i < count; i++) {
		indices[i] = (uint32_t) i;
	}
	return indices;
}

void ra_order_sort(void *rows, size_t count, size_t size,
                   int (*compare)(const void *left, const void *right))
{
	if (count > 0) {
		qsort(rows, count, size, compare);
	}
}

void ra_order_sort_with(void *rows, size_t count, size_t size,
                        int (*compare)(const void *left, const void *right, void *context),
                        void *context)
{
	if (count > 0) {
		qsort_r(rows, count, size, compare, context);
	}
}

void *ra_order_find(const void *key, const void *rows, size_t count, size_t size,
                    int (*compare)(const void *left, const void *right))
{
	return count > 0 ? bsearch(key, rows, count, size, compare) : NULL;
}
