/* SPDX-License-Identifier: MIT */
/* Divides the time of steps among what ran in it: each moment belongs to one thing. */
#ifndef RA_STEP_SHARE_H
#define RA_STEP_SHARE_H

#include "analyzer/steps/step-costs.h"

/* Something that runs: a range, a call, an operation of a GPU. */
struct ra_step_share_item {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t what; /* the caller's number for it */
	uint32_t role; /* enum ra_role, below RA_ROLE_OTHER */
};

/* A stretch. @what: of the item that it belongs to. @step: index of the step that it is in. */
typedef void ra_step_share_see(void *context, uint32_t what, size_t step, int64_t from_ns,
                               int64_t to_ns);

/* An item, and the order in which it came. */
struct ra_step_share_open {
	struct ra_step_share_item item;
	uint64_t number;
};

/* Memory: that of the items open at once. */
struct ra_step_share {
	const struct ra_step *steps; /* borrowed: ordered, and apart from each other */
	size_t step_count;
	size_t step; /* the first that has not ended */
	ra_step_share_see *see;
	void *context;
	struct ra_step_share_open *open; /* owned: a heap; the first owns the present moment */
	size_t open_count;
	size_t open_capacity;
	size_t enough; /* with so many items, those that have ended are dropped */
	int64_t at_ns; /* all before it is divided */
	uint64_t number;
};

/*
 * Begins. A moment belongs to the open item whose role comes first (enum ra_role); of several to
 * the one that began last, so of nested ranges to the innermost.
 *
 * @steps: borrowed until the end.
 */
void ra_step_share_begin(struct ra_step_share *share, const struct ra_step *steps,
                         size_t step_count, ra_step_share_see *see, void *context);

/* Adds an item. Items come ordered by start; of equal starts an outer range before an inner one. */
void ra_step_share_add(struct ra_step_share *share, const struct ra_step_share_item *item);

/* Divides what is left, and frees all. */
void ra_step_share_end(struct ra_step_share *share);

#endif
