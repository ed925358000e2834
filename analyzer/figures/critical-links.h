/* SPDX-License-Identifier: MIT */
/* Look-ups for the walk of critical-path.c. Only for figures/critical-*.c. */
#ifndef RA_CRITICAL_LINKS_H
#define RA_CRITICAL_LINKS_H

#include "analyzer/figures/critical-path.h"

/* Values in path->waits: the call does not wait, or waits for all operations. Other values name a
 * queue, a queue's device, or one operation that the call waits for. */
#define RA_CRITICAL_NO_WAIT  UINT32_MAX
#define RA_CRITICAL_WAIT_ALL (UINT32_MAX - 1)

enum ra_critical_scope {
	RA_CRITICAL_OF_QUEUE,
	RA_CRITICAL_OF_DEVICE,
	RA_CRITICAL_OF_ALL
};

/* Fills in all fields but threads and parts. */
void ra_critical_links_init(struct ra_critical_path *path);

/* Finds the operation of a queue, or of the queue's device, that was the last to end by a time.
 * RA_NONE: no operation ended by then. O(log n). */
uint32_t ra_critical_links_ended(const struct ra_critical_path *path, enum ra_critical_scope scope,
                                 uint32_t queue, int64_t by_ns);

/* Finds the operation that a call waited for: it ended during the call and not after a time.
 * RA_NONE: there is none. */
uint32_t ra_critical_links_awaited(const struct ra_critical_path *path, uint32_t api,
                                   int64_t by_ns);

/*
 * Finds the operation on another stream for whose end an operation had to wait. RA_NONE: there is
 * none.
 *
 * @before: the previous operation in the operation's own stream; RA_NONE: there is none.
 */
uint32_t ra_critical_links_event(const struct ra_critical_path *path, uint32_t op, uint32_t before);

#endif
