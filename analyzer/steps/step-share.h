/* SPDX-License-Identifier: MIT */
/* Divides the time of steps among the items that ran: each moment is given to one item. */
#ifndef RA_STEP_SHARE_H
#define RA_STEP_SHARE_H

#include "analyzer/steps/step-costs.h"

/* An item: a range, a call, or an operation of a GPU. */
struct ra_step_share_item {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t what; /* the caller's number for the item */
	uint32_t role; /* enum ra_role, less than RA_ROLE_OTHER */
};

/* Called for each stretch of time. @what: the item to which it is given. @step: index of the step
 * in which it is. */
typedef void ra_step_share_see(void *context, uint32_t what, size_t step, int64_t from_ns,
                               int64_t to_ns);

/* An open item, and when it was added. */
struct ra_step_share_open {
	struct ra_step_share_item item;
	uint64_t number;
};

/* The state. Memory: that of the items that are open at the same time. */
struct ra_step_share {
	const struct ra_step *steps; /* borrowed: ordered and disjoint */
	size_t step_count;
	size_t step; /* index of the first step that has not ended */
	ra_step_share_see *see;
	void *context;
	struct ra_step_share_open *open; /* owned: a heap; its first item owns the present moment */
	size_t open_count;
	size_t open_capacity;
	size_t enough; /* when there are this many items, those that have ended are dropped */
	int64_t at_ns; /* all time before this has been given to items */
	uint64_t number;
};

/*
 * Begins. Each moment is given to the open item whose role comes first in enum ra_role. If several
 * open items have that role, the one that began last gets it; of nested ranges this is the
 * innermost.
 *
 * @steps: borrowed until the end.
 */
void ra_step_share_begin(struct ra_step_share *share, const struct ra_step *steps,
                         size_t step_count, ra_step_share_see *see, void *context);

/* Adds an item. Items must come ordered by start; at equal starts, an outer range before an inner
 * one. */
void ra_step_share_add(struct ra_step_share *share, const struct ra_step_share_item *item);

/* Gives the remaining time to items, and frees everything. */
void ra_step_share_end(struct ra_step_share *share);

#endif
