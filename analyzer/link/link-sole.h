/* SPDX-License-Identifier: MIT */
/* Finds, by time, the only thread of a process that has open push/pop ranges. */
#ifndef RA_LINK_SOLE_H
#define RA_LINK_SOLE_H

#include "analyzer/link/link-rules.h"

struct ra_link_sole_change;

/* State of a sweep over times. */
struct ra_link_sole {
	const struct ra_model *model;
	struct ra_link_sole_change *changes; /* owned; the times when threads begin to have open
	                                        ranges or no longer have any */
	size_t change_count;
	struct ra_link_cursor *cursors; /* by track, owned */
	size_t next;                    /* index into changes */
	size_t busy;                    /* number of tracks that have open ranges now */
	uint64_t sum; /* sum of these tracks' indices; if there is only one, this is its index */
};

/* @model: borrowed. Time: O(n log n). The caller frees it with ra_link_sole_fini(). */
void ra_link_sole_init(struct ra_link_sole *sole, const struct ra_model *model);
void ra_link_sole_fini(struct ra_link_sole *sole);

/*
 * Finds the innermost open range of the thread that has open ranges, if only one thread has some.
 * Times must not decrease from call to call.
 *
 * @track: gets the thread's index. Return: RA_NONE if no thread has open ranges, or several have.
 */
uint32_t ra_link_sole_find(struct ra_link_sole *sole, int64_t time_ns, uint32_t *track);

#endif
