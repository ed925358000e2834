/* SPDX-License-Identifier: MIT */
/* Puts events into the order of writing, and finds the slices that arrows join. */
#ifndef RA_PFTRACE_FLOWS_H
#define RA_PFTRACE_FLOWS_H

#include "analyzer/base/order/util-sort.h"
#include "analyzer/pftrace/pftrace-events.h"

/* Events ordered by row, then time; of those that begin together the longest first. */
struct ra_pftrace_order {
	uint32_t *events; /* owned; for ra_pftrace_get */
	size_t *rows;     /* owned; row i: events[rows[i] … rows[i + 1]) */
};

/* Gives overlapping ranges of a name rows of their own, and orders the events that are held. Adds
 * rows to tracks. */
void ra_pftrace_order_init(struct ra_pftrace_order *order, struct ra_pftrace *trace);
void ra_pftrace_order_fini(struct ra_pftrace_order *order);

/* A sort key for events that begin together: those that never end first, then the longest. */
static inline uint64_t ra_pftrace_length_key(int64_t dur_ns)
{
	return dur_ns == RA_PFTRACE_NEVER ? 0 : ~(uint64_t) dur_ns;
}

/* The slice that began last up to an arrow's end. */
struct ra_pftrace_place {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t number;
	bool is_known;
};

/* Binds arrows' ends to slices: an end belongs to the slice that began last on its thread. */
struct ra_pftrace_binding {
	struct ra_pftrace *trace;          /* borrowed */
	struct ra_pftrace_place *places;   /* owned; by index of the point */
	struct ra_util_sort_entry *points; /* owned; by row, then time */
	size_t *rows;                      /* owned; row i: points[rows[i] … rows[i + 1]) */
};

/* Begins with the events that are held. The trace's `take` passes the others to it. */
void ra_pftrace_binding_init(struct ra_pftrace_binding *binding, struct ra_pftrace *trace);
/* Makes the arrows, and frees the binding's memory. */
void ra_pftrace_binding_finish(struct ra_pftrace_binding *binding);

#endif
