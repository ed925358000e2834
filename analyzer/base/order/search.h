/* SPDX-License-Identifier: MIT */
/* Binary search: the place in an ascending order from which on a condition no longer holds. */
#ifndef RA_SEARCH_H
#define RA_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The condition must hold for the first places and for none after them:
 *
 *	struct ra_search at = ra_search_in(0, count);
 *
 *	while (ra_search_next(&at)) {
 *		ra_search_tell(&at, rows[at.middle].start_ns <= time_ns);
 *	}
 *
 * Then at.low is the first place for which it does not hold, or the end if there is none. O(log n).
 */
struct ra_search {
	size_t low;
	size_t high;
	size_t middle; /* the place for which the caller must pass the condition to
	                  ra_search_tell() */
};

static inline struct ra_search ra_search_in(size_t first, size_t end)
{
	return (struct ra_search){ .low = first, .high = end };
}

static inline bool ra_search_next(struct ra_search *search)
{
	search->middle = search->low + (search->high - search->low) / 2;
	return search->low < search->high;
}

static inline void ra_search_tell(struct ra_search *search, bool holds)
{
	if (holds) {
		search->low = search->middle + 1;
	} else {
		search->high = search->middle;
	}
}

#endif
