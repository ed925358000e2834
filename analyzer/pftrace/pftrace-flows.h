/* SPDX-License-Identifier: MIT */
/* The order in which a trace is written, and the slices that its arrows join. */
#ifndef RA_PFTRACE_FLOWS_H
#define RA_PFTRACE_FLOWS_H

#include "analyzer/base/order/util-sort.h"
#include "analyzer/pftrace/pftrace-events.h"

/* Events row by row, in a row by time, of those that begin together the longest first. */
struct ra_pftrace_order {
	uint32_t *events; /* owned; indexes */
	size_t *rows;     /* owned; row i: events[rows[i] … rows[i + 1]) */
};

/* Gives each of the overlapping ranges of a name a row of its own, and orders the events that are
 * kept. Adds to tracks. */
void ra_pftrace_order_init(struct ra_pftrace_order *order, struct ra_pftrace *trace);
void ra_pftrace_order_fini(struct ra_pftrace_order *order);

/* Of what begins together, what never ends comes first, then the longest. */
static inline uint64_t ra_pftrace_length_key(int64_t dur_ns)
{
	return dur_ns == RA_PFTRACE_NEVER ? 0 : ~(uint64_t) dur_ns;
}

/* Finds the slices that ends of arrows are at: an end belongs to the slice that began last on its
 * thread. */
struct ra_pftrace_binding {
	struct ra_pftrace *trace;          /* borrowed */
	struct ra_util_sort_entry *points; /* owned; by row, time */
	size_t *rows;                      /* owned; row i: points[rows[i] … rows[i + 1]) */
};

/* Looks at the events that are kept; of the others the trace's `take` tells it. */
void ra_pftrace_binding_init(struct ra_pftrace_binding *binding, struct ra_pftrace *trace);
/* Makes the arrows; frees what the binding owns. */
void ra_pftrace_binding_finish(struct ra_pftrace_binding *binding);

#endif
