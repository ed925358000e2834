/* SPDX-License-Identifier: MIT */
/*
 * Compares two things by one number or several, and sorts arrays.
 *
 * 	static int compare_calls(const void *left, const void *right)
 * 	{
 * 		const struct call *a = left;
 * 		const struct call *b = right;
 * 		int order = RA_ORDER_UP(a, b, thread);
 *
 * 		order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
 * 		return RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, end_ns));
 * 	}
 *
 * 	RA_SORT(calls->rows, calls->count, compare_calls);
 *
 * An order is a number as strcmp() returns: below 0 if the left comes first, above 0 if the right
 * does. The macros branch after each key, because most rows differ in the first key. An argument
 * may be evaluated twice.
 */
#ifndef RA_ORDER_H
#define RA_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Compares two numbers of any type: the smaller comes first. It does not subtract, which could
 * overflow. A NaN is equal to all. */
#define RA_ORDER(a, b) ((a) < (b) ? -1 : (a) > (b))

/* Compares the same `member` of two structs: the smaller comes first, or the larger. */
#define RA_ORDER_UP(a, b, member)   RA_ORDER((a)->member, (b)->member)
#define RA_ORDER_DOWN(a, b, member) RA_ORDER((b)->member, (a)->member)

/* Evaluates to the first order, or if that is 0, to the next one. The next one is evaluated only
 * then. */
#define RA_ORDER_THEN(order, next) ((order) != 0 ? (order) : (next))

/* Compare functions for arrays of numbers: the smaller comes first. */
int ra_order_int64(const void *left, const void *right);
int ra_order_uint32(const void *left, const void *right);
int ra_order_uint64(const void *left, const void *right);

/* Returns an array of the indices 0 to count - 1, in this order, to be sorted. The caller frees the
 * array; never NULL. */
uint32_t *ra_order_create_indices(size_t count);

/* Sorts the first `count` rows of an array by qsort(). The array may be NULL if count is 0. */
// NOLINTNEXTLINE(bugprone-sizeof-expression): rows may be pointers
#define RA_SORT(rows, count, compare) ra_order_sort((rows), (count), sizeof(*(rows)), (compare))

/* Sorts by qsort_r(): `compare` gets `context` as its third argument. */
#define RA_SORT_WITH(rows, count, compare, context) \
	ra_order_sort_with((rows), (count), sizeof(*(rows)), (compare), (context))

/* Searches by bsearch(). Evaluates to the row that is equal to *key, as a void *; NULL: there is
 * none. */
#define RA_FIND(key, rows, count, compare) \
	ra_order_find((key), (rows), (count), sizeof(*(rows)), (compare))

/* The functions behind the macros. */
void ra_order_sort(void *rows, size_t count, size_t size,
                   int (*compare)(const void *left, const void *right));
void ra_order_sort_with(void *rows, size_t count, size_t size,
                        int (*compare)(const void *left, const void *right, void *context),
                        void *context);
void *ra_order_find(const void *key, const void *rows, size_t count, size_t size,
                    int (*compare)(const void *left, const void *right));

#endif
