/* SPDX-License-Identifier: MIT */
/* Sums how long each device was busy (doc/metrics.md, section 6). */
#ifndef RA_GPU_BUSY_H
#define RA_GPU_BUSY_H

#include "analyzer/figures/gpu/gpu-order.h"

struct ra_gpu_busy {
	uint32_t device; /* CUPTI's id */
	uint64_t ops;
	int64_t busy_ns;               /* union of all operations */
	int64_t kernel_busy_ns;        /* union of the kernels */
	int64_t time_ns[RA_GPU_KINDS]; /* sums of the operations' durations */
	int64_t sync_ns;               /* sum of the host's waits for the device */
	/* Est. SM efficiency: Σ multiprocessors with a block × ns; an upper bound. */
	int64_t sm_ns;
	int32_t multiprocessors; /* number of multiprocessors; 0: not known; 2^20 where a trace only
	                            states blocks per multiprocessor */
	/* Sum of est. achieved occupancy × ns of the kernels whose occupancy is known. */
	double occupancy;
	int64_t shaped_ns;
	int64_t occupancy_ns; /* sum of the durations of these kernels */
};

struct ra_gpu_busies {
	struct ra_gpu_busy *rows; /* owned; in the order of order->devices */
	size_t count;
};

/* O(n log n). */
void ra_gpu_busy_init(struct ra_gpu_busies *busies, const struct ra_model *model,
                      const struct ra_gpu_order *order);
void ra_gpu_busy_fini(struct ra_gpu_busies *busies);

#endif
