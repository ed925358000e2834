/* SPDX-License-Identifier: MIT */
/* Sorts many entries by a number. */
#ifndef RA_UTIL_SORT_H
#define RA_UTIL_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* An entry to sort: a key, with the caller's index and tag. */
struct ra_util_sort_entry {
	uint64_t key;
	uint32_t index;
	uint32_t tag;
};

/*
 * Sorts by key, smallest first; equal keys keep their order. O(count × bits in which keys differ).
 * Uses a second array of the size of `entries` unless they are sorted already.
 *
 * @entries: malloc'd; may be replaced by another array.
 */
void ra_util_sort(struct ra_util_sort_entry **entries, size_t count);

/* Turns a double that is not NaN into a key of the same order; 0 and -0 differ. */
static inline uint64_t ra_util_sort_real(double real)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	return (bits & sign) != 0 ? ~bits : bits | sign;
}

/* Turns a key of ra_util_sort_real() back into the double. */
static inline double ra_util_sort_read_real(uint64_t key)
{
	const uint64_t sign = UINT64_C(1) << 63;
	const uint64_t bits = (key & sign) != 0 ? key & ~sign : ~key;
	double real;

	memcpy(&real, &bits, sizeof(real));
	return real;
}

#endif
