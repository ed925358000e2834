/* SPDX-License-Identifier: MIT */
/* Sorts events into the order of writing, and finds the slices that arrows join. */
#ifndef RA_PFTRACE_FLOWS_H
#define RA_PFTRACE_FLOWS_H

#include "analyzer/base/order/util-sort.h"
#include "analyzer/pftrace/pftrace-events.h"

/* Events sorted by row, then by time. Of events that begin together, the longest comes first. */
struct ra_pftrace_order {
	uint32_t *events; /* owned; indexes for ra_pftrace_get() */
	size_t *rows;     /* owned; row i: events[rows[i] … rows[i + 1]) */
};

/* Chooses rows for overlapping ranges of one name, and sorts the events that are held. Adds the
 * rows to the trace's tracks. */
void ra_pftrace_order_init(struct ra_pftrace_order *order, struct ra_pftrace *trace);
void ra_pftrace_order_fini(struct ra_pftrace_order *order);

/* Returns a sort key for events that begin together: first events that never end, then the
 * longest. */
static inline uint64_t ra_pftrace_length_key(int64_t dur_ns)
{
	return dur_ns == RA_PFTRACE_NEVER ? 0 : ~(uint64_t) dur_ns;
}

/* The slice that began last before an arrow's end. */
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

/* Binds arrows to the events that are held. Sets the trace's `take`, which binds arrows to the
 * other events when these are drawn. */
void ra_pftrace_binding_init(struct ra_pftrace_binding *binding, struct ra_pftrace *trace);
/* Makes the arrows, and frees the binding's memory. */
void ra_pftrace_binding_finish(struct ra_pftrace_binding *binding);

#endif
