/* SPDX-License-Identifier: MIT */
/* The order in which a trace is written, and the slices that its arrows join. */
#ifndef RA_PFTRACE_FLOWS_H
#define RA_PFTRACE_FLOWS_H

#include "analyzer/pftrace/pftrace-events.h"

/* Events row by row, in a row by time, of those that begin together the longest first. */
struct ra_pftrace_order {
	uint32_t *events; /* owned; indexes */
	size_t *rows;     /* owned; row i: events[rows[i] … rows[i + 1]) */
};

/*
 * Gives each of the overlapping ranges of a name a row of its own, orders all events, and makes
 * arrows between slices of what JSON says of their ends: an end belongs to the slice that began
 * last on its thread. Adds to tracks and arrows.
 */
void ra_pftrace_order_init(struct ra_pftrace_order *order, struct ra_pftrace *trace);
void ra_pftrace_order_fini(struct ra_pftrace_order *order);

#endif
