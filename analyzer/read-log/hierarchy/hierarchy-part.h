/* SPDX-License-Identifier: MIT */
/* Lets the hierarchy start in the middle of a thread, and end before the thread's end. */
#ifndef RA_HIERARCHY_PART_H
#define RA_HIERARCHY_PART_H

#include "analyzer/read-log/hierarchy/hierarchy.h"

/* Tells that a push/pop range is open before the rows that come. Call it for the outermost range
 * first. */
void ra_hierarchy_part_open(struct ra_hierarchy *hierarchy, const struct rlog_open_range *range);

/* Closes the innermost range of a domain at a time. @domain: the domain's id in the log. */
void ra_hierarchy_part_close(struct ra_hierarchy *hierarchy, uint32_t domain, uint64_t ticks);

/* Sets the thread's number of events, and the times of its first and last event. */
void ra_hierarchy_part_end(struct ra_hierarchy *hierarchy, uint64_t events, uint64_t first_ticks,
                           uint64_t last_ticks);

/* Converts ticks to ns since time 0. */
int64_t ra_hierarchy_part_time(struct ra_hierarchy *hierarchy, uint64_t ticks);

#endif
