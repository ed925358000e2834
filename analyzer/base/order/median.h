/* SPDX-License-Identifier: MIT */
/* The exact median of many integers, in linear time. */
#ifndef RA_MEDIAN_H
#define RA_MEDIAN_H

#include <stddef.h>
#include <stdint.h>

/* The two middle values; the same one twice if the count is odd, zeros if there are none. */
struct ra_median {
	uint32_t lower;
	uint32_t upper;
};

/*
 * Finds the middle of `count` values, all between low and high. The array's contents are destroyed.
 */
struct ra_median ra_median_select(uint32_t *values, size_t count, uint32_t low, uint32_t high);

/* Returns the lower middle value plus half of its distance to the upper one. @values: one at least;
 * their order is destroyed. */
int64_t ra_median_of_times(int64_t *values, size_t count);

#endif
