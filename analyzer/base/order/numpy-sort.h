/* SPDX-License-Identifier: MIT */
/* Orders equal values as numpy does. numpy's argsort() is not stable, and figures of HTA depend on
 * it. */
#ifndef RA_NUMPY_SORT_H
#define RA_NUMPY_SORT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sorts as numpy.argsort(kind="quicksort") does up to numpy 1.24, and later where the processor has
 * no AVX-512: a quicksort with the median of three, insertion sort up to 16 values, and heapsort if
 * the quicksort gets too deep. The same values give the same order.
 *
 * @order: room for `count` indices. @values: none is NaN.
 */
void ra_numpy_sort_order(uint32_t *order, const double *values, size_t count);

/* Sorts as pandas' sort_values(ascending=False): it sorts the reversed values and reverses the
 * result. */
void ra_numpy_sort_descending(uint32_t *order, const double *values, size_t count);

#endif
