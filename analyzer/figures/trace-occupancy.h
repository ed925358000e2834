/* SPDX-License-Identifier: MIT */
/* Compares the occupancy in a JSON trace with what the trace should have stated. */
#ifndef RA_TRACE_OCCUPANCY_H
#define RA_TRACE_OCCUPANCY_H

#include "analyzer/model/model.h"

struct ra_trace_occupancy {
	uint64_t stated;       /* kernels that have the arg for occupancy */
	uint64_t limited;      /* kernels whose device's limits are known */
	uint64_t equal;        /* those of `limited` whose arg follows from Kineto's rule */
	uint64_t above;        /* those of `limited` that use more shared memory than a block has by
	                          default */
	double stated_pct;     /* mean arg of the `stated` kernels, weighted by duration; Kineto's
	                          whole per cents */
	double optin_pct;      /* the same mean of kernels with arg and limits, if launches raised
	                          the limit of shared memory where they had to */
	double above_time_pct; /* share of the `above` kernels in the time of all kernels */
};

void ra_trace_occupancy_compute(struct ra_trace_occupancy *out, const struct ra_model *model);

#endif
