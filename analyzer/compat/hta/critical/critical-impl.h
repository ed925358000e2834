/* SPDX-License-Identifier: MIT */
/* Private to the files that make HTA's critical path. */
#ifndef RA_HTA_CRITICAL_IMPL_H
#define RA_HTA_CRITICAL_IMPL_H

#include "analyzer/compat/hta/critical/critical.h"

enum ra_hta_critical_flag {
	RA_HTA_CRITICAL_KEPT = 1,
	RA_HTA_CRITICAL_NODE = 2,  /* the event has nodes */
	RA_HTA_CRITICAL_LOCK = 4,  /* a call that HTA assumes to run only one at a time */
	RA_HTA_CRITICAL_BLOCK = 8, /* a call that waits: its own time is not part of the path */
};

struct ra_hta_critical_build {
	const struct ra_hta_full *rank;
	const struct ra_hta_critical_setup *setup;
	struct ra_hta_critical *out;
	uint8_t *flags;  /* by row, enum ra_hta_critical_flag or'ed */
	uint32_t *start; /* by row: its node, RA_NONE: none */
	uint32_t *end;
	uint32_t *kept; /* rows, by event */
	size_t kept_count;
};

/*
 * Adds an edge. Dependencies and waits take no time, nor does an edge that is_free. If HTA would
 * stop at this edge, the failure is set.
 *
 * @owner: row; RA_NONE: nothing.
 */
void ra_hta_critical_link(struct ra_hta_critical_build *build, uint32_t from, uint32_t to,
                          enum ra_critical_type type, bool is_free, uint32_t owner);

/* Launching calls, and events between streams. */
struct ra_hta_critical_events {
	struct ra_util_map record_launch; /* correlation of a cudaEventRecord → row of the last
	                                     launch before it on its stream */
	struct ra_util_map wait_launch; /* event of a cudaStreamWaitEvent → row of the next launch
	                                   on its thread and stream; itself: there is none */
};

void ra_hta_critical_events_find(struct ra_hta_critical_events *events,
                                 struct ra_hta_critical_build *build);
void ra_hta_critical_events_fini(struct ra_hta_critical_events *events);

/* Adds the edges of calls on threads, and of operations on streams. */
void ra_hta_critical_stack_add(struct ra_hta_critical_build *build);
void ra_hta_critical_gpu_add(struct ra_hta_critical_build *build);

#endif
