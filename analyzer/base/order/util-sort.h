/* SPDX-License-Identifier: MIT */
/* Sorting of many things by a number. */
#ifndef RA_UTIL_SORT_H
#define RA_UTIL_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What is sorted: the caller's index and tag go along with the key. */
struct ra_util_sort_entry {
	uint64_t key;
	uint32_t index;
	uint32_t tag;
};

/*
 * Sorts by key, smallest first; equal keys keep their order. O(count × bits in which keys differ),
 * with a second array of the size of `entries` unless they are sorted already.
 *
 * @entries: malloc'd; may be exchanged for another array.
 */
void ra_util_sort(struct ra_util_sort_entry **entries, size_t count);

/* A key with the order of doubles that are numbers; 0 and -0 differ. */
static inline uint64_t ra_util_sort_real(double real)
{
	const uint64_t sign = UINT64_C(1) << 63;
	uint64_t bits;

	memcpy(&bits, &real, sizeof(bits));
	return (bits & sign) != 0 ? ~bits : bits | sign;
}

/* The double of a key. */
static inline double ra_util_sort_read_real(uint64_t key)
{
	const uint64_t sign = UINT64_C(1) << 63;
	const uint64_t bits = (key & sign) != 0 ? key & ~sign : ~key;
	double real;

	memcpy(&real, &bits, sizeof(real));
	return real;
}

#endif
