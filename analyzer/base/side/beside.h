/* SPDX-License-Identifier: MIT */
/* Runs several work items in parallel processes and takes their results in order. */
#ifndef RA_BESIDE_H
#define RA_BESIDE_H

#include <stdbool.h>

#include "analyzer/base/text/util-text.h"

struct ra_beside_job {
	size_t count;   /* number of items */
	size_t workers; /* most processes at once, at least 1 */
	/* Runs in a process of its own and appends the result of an item. The caller gets only this
	 * result and the text that it prints to stderr. */
	void (*work)(void *context, size_t item, struct ra_util_text *result);
	/* Called ten times a second while ra_beside_take() waits for an item; NULL: not called. */
	void (*wait)(void *context, size_t item);
	void *context;
};

struct ra_beside;

/* The number of processors that this process may use, at least 1. */
size_t ra_beside_count_processors(void);

/* Starts the first processes. Context: the process has no other threads, because new processes
 * would lack them. */
struct ra_beside *ra_beside_create(const struct ra_beside_job *job);

/*
 * Waits for the next item, the first being 0.
 *
 * @result: gets what work() appended. @messages: gets what it printed. The caller frees both.
 * Return: true. False if there is no process, or if it ended early for whatever reason; the caller
 * must then do the item itself.
 */
bool ra_beside_take(struct ra_beside *beside, struct ra_util_text *result,
                    struct ra_util_text *messages);

/* Ends the processes that still work. NULL is allowed. */
void ra_beside_destroy(struct ra_beside *beside);

#endif
