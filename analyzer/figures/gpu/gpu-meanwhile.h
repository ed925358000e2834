/* SPDX-License-Identifier: MIT */
/* What a thread did in a stretch of time: its ranges, and its calls of CUDA. */
#ifndef RA_GPU_MEANWHILE_H
#define RA_GPU_MEANWHILE_H

#include "analyzer/model/model.h"

struct ra_gpu_meanwhile {
	uint32_t range; /* name of the range that was longest the innermost one; RA_NONE: none */
	int64_t range_ns;
	uint32_t api; /* name of the function that the thread was in longest; RA_NONE: none */
	int64_t api_ns;
};

/*
 * Looks into [start, end) of a track. Times of ranges and calls that have one name are summed;
 * a call inside another counts as the outer one. O(log n + what happened then).
 *
 * Return: 0, -RLOG_E_NO_MEMORY.
 */
int ra_gpu_meanwhile_find(struct ra_gpu_meanwhile *out, const struct ra_model *model,
                          uint32_t track, int64_t start_ns, int64_t end_ns);

#endif
