/* SPDX-License-Identifier: MIT */
/* How busy each device was (doc/metrics.md, section 6). */
#ifndef RA_GPU_BUSY_H
#define RA_GPU_BUSY_H

#include "analyzer/figures/gpu/gpu-order.h"

struct ra_gpu_busy {
	uint32_t device; /* CUPTI's id */
	uint64_t ops;
	int64_t busy_ns;               /* union of all operations */
	int64_t kernel_busy_ns;        /* union of the kernels */
	int64_t time_ns[RA_GPU_KINDS]; /* sums of durations */
	int64_t sync_ns;               /* the host's waits for it, summed */
	/* Est. SM efficiency: multiprocessors with a block, × ns; an upper bound. */
	int64_t sm_ns;
	int32_t multiprocessors; /* 0: not known; 2^20 where a trace only states blocks per
	                          * multiprocessor */
	/* Est. achieved occupancy × ns, and the durations of the kernels with a known one. */
	double occupancy;
	int64_t shaped_ns;
	int64_t occupancy_ns; /* durations that occupancy covers */
};

struct ra_gpu_busies {
	struct ra_gpu_busy *rows; /* owned; as order->devices */
	size_t count;
};

/* O(n log n). */
void ra_gpu_busy_init(struct ra_gpu_busies *busies, const struct ra_model *model,
                      const struct ra_gpu_order *order);
void ra_gpu_busy_fini(struct ra_gpu_busies *busies);

#endif
