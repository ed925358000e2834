/* SPDX-License-Identifier: MIT */
/* Work on several things side by side, in processes, taken in their order. */
#ifndef RA_BESIDE_H
#define RA_BESIDE_H

#include <stdbool.h>

#include "analyzer/base/text/util-text.h"

struct ra_beside_job {
	size_t count;   /* of items */
	size_t workers; /* processes at once, at least 1 */
	/* In a process of its own: appends what comes of an item. Nothing else of what it does is
	 * seen, but what it prints to stderr. */
	void (*work)(void *context, size_t item, struct ra_util_text *result);
	/* Ten times a second while an item is waited for; NULL: not called. */
	void (*wait)(void *context, size_t item);
	void *context;
};

struct ra_beside;

/* How many processors this process may use, at least 1. */
size_t ra_beside_count_processors(void);

/* Starts the first processes. Context: no threads, for they would be missing there. */
struct ra_beside *ra_beside_create(const struct ra_beside_job *job);

/*
 * Waits for the next item, the first being 0.
 *
 * @result: gets what work() appended. @messages: gets what was printed; both to be freed.
 * Return: true; false: there is no process, or it ended early, for whatever reason: who calls has
 * the item to do.
 */
bool ra_beside_take(struct ra_beside *beside, struct ra_util_text *result,
                    struct ra_util_text *messages);

/* Ends what is still at work. NULL is allowed. */
void ra_beside_destroy(struct ra_beside *beside);

#endif
