/* SPDX-License-Identifier: MIT */
/* What the walk of critical-path.c looks up. Only for figures/critical-*.c. */
#ifndef RA_CRITICAL_LINKS_H
#define RA_CRITICAL_LINKS_H

#include "analyzer/figures/critical-path.h"

/* In path->waits: the call does not wait; it waits for all operations. Others: for those of a
 * queue, of the device of a queue, or for a single one. */
#define RA_CRITICAL_NO_WAIT  UINT32_MAX
#define RA_CRITICAL_WAIT_ALL (UINT32_MAX - 1)

enum ra_critical_scope {
	RA_CRITICAL_OF_QUEUE,
	RA_CRITICAL_OF_DEVICE,
	RA_CRITICAL_OF_ALL
};

/* Fills in all but threads and parts. */
void ra_critical_links_init(struct ra_critical_path *path);

/* The operation that ended last by a time, RA_NONE: none. O(log n). @queue: its queue, or one of
 * its device. */
uint32_t ra_critical_links_ended(const struct ra_critical_path *path, enum ra_critical_scope scope,
                                 uint32_t queue, int64_t by_ns);

/* What a call waited for that ended while it did, but not after a time; RA_NONE: nothing. */
uint32_t ra_critical_links_awaited(const struct ra_critical_path *path, uint32_t api,
                                   int64_t by_ns);

/*
 * What ended on another stream before an operation that had to wait for it; RA_NONE: nothing.
 *
 * @before: the operation before in its stream, RA_NONE: none.
 */
uint32_t ra_critical_links_event(const struct ra_critical_path *path, uint32_t op, uint32_t before);

#endif
