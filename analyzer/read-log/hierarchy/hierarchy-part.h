/* SPDX-License-Identifier: MIT */
/* Beginning in the midst of a thread, and leaving it before its end. */
#ifndef RA_HIERARCHY_PART_H
#define RA_HIERARCHY_PART_H

#include "analyzer/read-log/hierarchy/hierarchy.h"

/* A push/pop range is open before the rows that come; called for the outermost first. */
void ra_hierarchy_part_open(struct ra_hierarchy *hierarchy, const struct rlog_open_range *range);

/* The innermost range of a domain closes then. @domain: its id. */
void ra_hierarchy_part_close(struct ra_hierarchy *hierarchy, uint32_t domain, uint64_t ticks);

/* The thread has so many events, and its first and last have these times. */
void ra_hierarchy_part_end(struct ra_hierarchy *hierarchy, uint64_t events, uint64_t first_ticks,
                           uint64_t last_ticks);

/* When that is, in ns since time 0. */
int64_t ra_hierarchy_part_time(struct ra_hierarchy *hierarchy, uint64_t ticks);

#endif
