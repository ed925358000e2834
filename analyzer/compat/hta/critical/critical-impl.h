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
	uint8_t *flags;  /* for each row: enum ra_hta_critical_flag or'ed */
	uint32_t *start; /* for each row: the node of its start, RA_NONE: none; `end` likewise */
	uint32_t *end;
	uint32_t *kept; /* the kept rows, ordered by event */
	size_t kept_count;
};

/*
 * Adds an edge. Dependencies, waits and edges that are free take no time. If HTA would stop at this
 * edge, sets build->out->failure.
 *
 * @owner: the row that took the time; RA_NONE: none.
 */
void ra_hta_critical_link(struct ra_hta_critical_build *build, uint32_t from, uint32_t to,
                          enum ra_critical_type type, bool is_free, uint32_t owner);

/* The launches before and after CUDA events by which streams wait for each other. */
struct ra_hta_critical_events {
	struct ra_util_map record_launch; /* correlation of a cudaEventRecord → row of the last
	                                     launch on its stream before the call */
	struct ra_util_map wait_launch;   /* event of a cudaStreamWaitEvent → row of the next
	                                     launch on its thread and stream; if there is none, its
	                                     own row */
};

void ra_hta_critical_events_find(struct ra_hta_critical_events *events,
                                 struct ra_hta_critical_build *build);
void ra_hta_critical_events_fini(struct ra_hta_critical_events *events);

/* Add the edges between calls on threads, and those between operations on streams. */
void ra_hta_critical_stack_add(struct ra_hta_critical_build *build);
void ra_hta_critical_gpu_add(struct ra_hta_critical_build *build);

#endif
