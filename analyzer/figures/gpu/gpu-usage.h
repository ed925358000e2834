/* SPDX-License-Identifier: MIT */
/* Measures how much of each GPU the kernels used within a window of time. */
#ifndef RA_GPU_USAGE_H
#define RA_GPU_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/order/stretches.h"

struct ra_gpu_usage_kernel {
	double start;
	double end;
	double blocks;    /* blocks per multiprocessor; NaN: not known */
	double occupancy; /* NaN: not known */
	int64_t device;
};

struct ra_gpu_usage {
	int64_t device;
	double utilization; /* share of the window in which a kernel ran */
	double efficiency;  /* est. SM efficiency; NaN: not known; so is occupancy */
	double occupancy;   /* est. achieved, in the unit of the input */
	/* Durations of kernels in the window: all, those with known blocks, those with known
	 * occupancy. */
	double kernel_time;
	double blocks_time;
	double occupancy_time;
	/* Only if `keeps` is true: */
	struct ra_stretches busy;   /* owned: union of the kernels, also outside of the window */
	struct ra_stretches blocks; /* owned: blocks per multiprocessor, at most 1, over time */
};

struct ra_gpu_usages {
	struct ra_gpu_usage *rows; /* owned; one row for each device */
	size_t count;
};

/* Passes on kernels one by one, so that they need not be in memory at once: a large trace has a
 * million. */
struct ra_gpu_usage_kernels {
	const uint32_t *order; /* numbers of kernels, sorted by device, then time */
	size_t count;
	/* Fills in a kernel. Called once for each kernel, in order. */
	void (*find)(const void *context, uint32_t number, struct ra_gpu_usage_kernel *kernel);
	const void *context;
};

/* @keeps: fills busy and blocks, which the caller then owns; otherwise they are empty. */
void ra_gpu_usage_init(struct ra_gpu_usages *usages, const struct ra_gpu_usage_kernels *kernels,
                       const struct ra_stretch *window, bool keeps);
void ra_gpu_usage_fini(struct ra_gpu_usages *usages);

#endif
