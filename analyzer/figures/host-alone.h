/* SPDX-License-Identifier: MIT */
/* Finds how long the host needs for its steps by itself: the time of their ranges without the time
 * in which calls waited for GPUs (doc/metrics.md, section 25). */
#ifndef RA_HOST_ALONE_H
#define RA_HOST_ALONE_H

#include "analyzer/steps/steps.h"

/* Sums over all steps, in ns. */
struct ra_host_alone {
	int64_t range_ns; /* from the begin to the end of the steps' ranges */
	int64_t waits_ns; /* the part of it in which a call that launches GPU work waited; waits of
	                     several threads at once count once */
};

/* Computes both sums. Both are 0 if there are no steps, or no calls. */
struct ra_host_alone ra_host_alone_find(const struct ra_model *model, const struct ra_steps *steps);

#endif
