/* SPDX-License-Identifier: MIT */
/* Sorts events into the order of writing, and finds the slices that arrows join. */
#ifndef RA_PFTRACE_FLOWS_H
#define RA_PFTRACE_FLOWS_H

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

/* Makes the trace's arrows of its points: an arrow's end belongs to the slice that began last on
 * its thread. Frees the points. */
void ra_pftrace_bind(struct ra_pftrace *trace);

#endif
