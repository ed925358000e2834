/* SPDX-License-Identifier: MIT */
/* Radix sort of many entries, from the lowest digit on. */
#include "analyzer/base/order/util-sort.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/base/util.h"

#define DIGIT_BITS 11
#define BUCKETS    ((size_t) 1 << DIGIT_BITS)

/* Finds the bits in which keys differ: only these need sorting. Return: whether the entries are
 * sorted. */
static bool measure(const struct ra_util_sort_entry *entries, size_t count, uint64_t *min,
                    uint64_t *max)
{
	bool is_sorted = true;

	*min = UINT64_MAX;
	*max = 0;
	for (size_t i = 0; i < count; i++) {
		const uint64_t key = entries[i].key;

		is_sorted = is_sorted && key >= *max;
		*min = key < *min ? key : *min;
		*max = key > *max ? key : *max;
	}
	return is_sorted;
}

/* Distributes entries by the digit that begins at bit `shift`. */
static void distribute(const struct ra_util_sort_entry *from, struct ra_util_sort_entry *to,
                       size_t count, uint64_t min, unsigned shift)
{
	size_t places[BUCKETS] = { 0 };
	size_t place = 0;

	for (size_t i = 0; i < count; i++) {
		places[(from[i].key - min) >> shift & (BUCKETS - 1)]++;
	}
	for (size_t b = 0; b < BUCKETS; b++) {
		const size_t size = places[b];

		places[b] = place;
		place += size;
	}
	for (size_t i = 0; i < count; i++) {
		to[places[(from[i].key - min) >> shift & (BUCKETS - 1)]++] = from[i];
	}
}

void ra_util_sort(struct ra_util_sort_entry **entries, size_t count)
{
	struct ra_util_sort_entry *other = NULL;
	uint64_t min;
	uint64_t max;

	if (measure(*entries, count, &min, &max)) {
		return;
	}
	ra_util_resize(&other, count, sizeof(*other));
	for (unsigned shift = 0; shift < 64 && (max - min) >> shift != 0; shift += DIGIT_BITS) {
		struct ra_util_sort_entry *swap = *entries;

		distribute(*entries, other, count, min, shift);
		*entries = other;
		other = swap;
	}
	free(other);
}
