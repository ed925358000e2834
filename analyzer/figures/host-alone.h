/* SPDX-License-Identifier: MIT */
/* Finds how long the host needs for its steps by itself: their ranges, without the time that calls
 * waited for GPUs (doc/metrics.md, section 25). */
#ifndef RA_HOST_ALONE_H
#define RA_HOST_ALONE_H

#include "analyzer/steps/steps.h"

/* Sums over all steps, in ns. */
struct ra_host_alone {
	int64_t range_ns; /* from the begin to the end of their ranges */
	int64_t waits_ns; /* part of it in which a call that drives GPUs waited; threads that wait
	                     at once count once */
};

/* Measures it. Both are 0 if there are no steps, or no calls. */
struct ra_host_alone ra_host_alone_find(const struct ra_model *model, const struct ra_steps *steps);

#endif
