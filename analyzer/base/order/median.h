/* SPDX-License-Identifier: MIT */
/* The exact median of many integers, in linear time. */
#ifndef RA_MEDIAN_H
#define RA_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/* The two middle values. Both are equal if the count is odd, and 0 if there are no values. */
struct ra_median {
	uint32_t lower;
	uint32_t upper;
};

/*
 * Finds the middle of `count` values, all between low and high. The array's contents are destroyed.
 */
struct ra_median ra_median_select(uint32_t *values, size_t count, uint32_t low, uint32_t high);

#endif
