/* SPDX-License-Identifier: MIT */
/* How well kernels used each GPU within a window of time. */
#ifndef RA_GPU_USAGE_H
#define RA_GPU_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/order/stretches.h"

struct ra_gpu_usage_kernel {
	double start;
	double end;
	double blocks;    /* per multiprocessor; NaN: not known */
	double occupancy; /* NaN: not known */
	int64_t device;
};

struct ra_gpu_usage {
	int64_t device;
	double utilization; /* share of the window with a kernel */
	double efficiency;  /* est. SM efficiency; NaN: not known, as below */
	double occupancy;   /* est. achieved, in the unit of the input */
	/* Durations of kernels in the window: all, those with known blocks, those with known
	 * occupancy. */
	double kernel_time;
	double blocks_time;
	double occupancy_time;
	/* Only if asked for. */
	struct ra_stretches busy;   /* owned: union of the kernels, outside the window too */
	struct ra_stretches blocks; /* owned: blocks per multiprocessor, at most 1, over time */
};

struct ra_gpu_usages {
	struct ra_gpu_usage *rows; /* owned; by device */
	size_t count;
};

/* A source of kernels that need not be in memory at once: a large trace has a million. */
struct ra_gpu_usage_kernels {
	const uint32_t *order; /* numbers of kernels: by device, then time */
	size_t count;
	/* Fills in a kernel; each is asked for once, in order. */
	void (*find)(const void *context, uint32_t number, struct ra_gpu_usage_kernel *kernel);
	const void *context;
};

/* @keeps: leaves busy and blocks to the caller; else they are empty. */
void ra_gpu_usage_init(struct ra_gpu_usages *usages, const struct ra_gpu_usage_kernels *kernels,
                       const struct ra_stretch *window, bool keeps);
void ra_gpu_usage_fini(struct ra_gpu_usages *usages);

#endif
