/* SPDX-License-Identifier: MIT */
/* The order in which numpy puts equal values: its argsort() is not stable, and figures of HTA
 * depend on it. */
#ifndef RA_NUMPY_SORT_H
#define RA_NUMPY_SORT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Does what numpy.argsort(kind="quicksort") does up to numpy 1.24, and later where the processor
 * has no AVX-512: a quicksort with the median of three, insertion sort up to 16 values, heapsort
 * where it goes too deep. Same values in, same order out.
 *
 * @order: room for `count` indices. @values: none is NaN.
 */
void ra_numpy_sort_order(uint32_t *order, const double *values, size_t count);

/* The order of pandas' sort_values(ascending=False): that of the reversed values, reversed. */
void ra_numpy_sort_descending(uint32_t *order, const double *values, size_t count);

#endif
