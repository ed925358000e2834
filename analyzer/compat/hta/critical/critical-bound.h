/* SPDX-License-Identifier: MIT */
/* Finds what bounds each edge of HTA's critical path, and HTA's name for that. */
#ifndef RA_HTA_CRITICAL_BOUND_H
#define RA_HTA_CRITICAL_BOUND_H

#include "analyzer/compat/hta/critical/critical.h"
#include "analyzer/base/text/util-text.h"

/* What bounds an edge. The order is that of HTA's names, in which HTA shows them. */
enum ra_hta_bound {
	RA_HTA_BOUND_NONE, /* HTA's name for this is empty */
	RA_HTA_BOUND_CPU,
	RA_HTA_BOUND_LOADING,
	RA_HTA_BOUND_COMMUNICATION,
	RA_HTA_BOUND_COMPUTE,
	RA_HTA_BOUND_KERNEL_OVERHEAD,
	RA_HTA_BOUND_LAUNCH_OVERHEAD,
	RA_HTA_BOUNDS,
};

extern const char *const ra_hta_critical_bound_names[RA_HTA_BOUNDS];
extern const char *const ra_hta_critical_bound_types[RA_CRITICAL_TYPES];

/*
 * Finds what bounds an edge.
 *
 * @name: gets the name of the edge's event as HTA shortens it; empty if there is no event.
 */
enum ra_hta_bound ra_hta_critical_bound_find(const struct ra_hta_full *rank,
                                             const struct ra_hta_critical_setup *setup,
                                             const struct ra_critical_edge *edge,
                                             struct ra_util_text *name);

#endif
