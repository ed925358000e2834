/* SPDX-License-Identifier: MIT */
/* Compares the occupancy in a JSON trace with what the trace should have stated. */
#ifndef RA_TRACE_OCCUPANCY_H
#define RA_TRACE_OCCUPANCY_H

#include "analyzer/model/model.h"

struct ra_trace_occupancy {
	uint64_t stated;       /* kernels that have the arg */
	uint64_t limited;      /* kernels whose device's limits are known; the figures below are of
	                          these */
	uint64_t equal;        /* of these, kernels whose arg follows from Kineto's rule */
	uint64_t above;        /* kernels that use more shared memory than a block has by default */
	double stated_pct;     /* means, weighted by duration; Kineto's whole per cents */
	double optin_pct;      /* the same, with the shared memory limit that such a launch has to
	                          raise */
	double above_time_pct; /* those kernels' share of the time of all kernels */
};

void ra_trace_occupancy_compute(struct ra_trace_occupancy *out, const struct ra_model *model);

#endif
