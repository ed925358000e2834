/* SPDX-License-Identifier: MIT */
/* Makes series of values over time from a GPU's activity: utilization, est. SM efficiency, copy
 * bandwidth, queue length (doc/metrics.md, section 6). */
#ifndef RA_GPU_SERIES_H
#define RA_GPU_SERIES_H

#include "analyzer/figures/gpu/gpu-order.h"

/* Utilization and SM efficiency are means over at most this many stretches of time. */
#define RA_GPU_SERIES_MEANS 1000u
/* Other series have a value at each change of the sum. With more changes than this, they have means
 * (bandwidth) or maxima (queue length) over at most this many stretches. */
#define RA_GPU_SERIES_STEPS 20000u

enum ra_gpu_series_kind {
	RA_GPU_SERIES_UTILIZATION, /* % of time in which anything ran */
	RA_GPU_SERIES_SM,          /* est. % of multiprocessors that had a block */
	RA_GPU_SERIES_COPY,        /* GB/s, by kind of copy; sets have a series, too */
	RA_GPU_SERIES_QUEUE,       /* number of operations launched and not started, by stream */
};

struct ra_gpu_series {
	enum ra_gpu_series_kind kind;
	uint8_t op_kind;   /* of COPY: enum ra_gpu_kind … */
	uint8_t copy_kind; /* … and CUPTI's kind */
	uint32_t queue;    /* of QUEUE: the queue's index */
	bool has_contexts; /* of QUEUE: the device has several contexts, whose streams may have
	                      equal numbers */
	bool is_sampled;   /* values are means or maxima of stretches, not one for each change */
};

/* True if both are the same series. (ra_gpu_series_put, below, passes on the value that a series
 * has from a time on.) */
static inline bool ra_gpu_series_is_same(const struct ra_gpu_series *a,
                                         const struct ra_gpu_series *b)
{
	return a->kind == b->kind && a->op_kind == b->op_kind && a->copy_kind == b->copy_kind &&
	       a->queue == b->queue;
}

typedef void ra_gpu_series_put(void *context, const struct ra_gpu_series *series, int64_t time_ns,
                               double value);

/*
 * Reports all series of a device, one after another, each in order of time.
 *
 * @device: index into order->devices.
 * Memory during the call: 48 bytes an operation of the device. O(n log n).
 */
void ra_gpu_series_walk(const struct ra_model *model, const struct ra_gpu_order *order,
                        size_t device, ra_gpu_series_put *put, void *context);

#endif
