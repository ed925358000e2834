/* SPDX-License-Identifier: MIT */
/* Finds stretches in which nothing ran on a device or stream, and why (doc/metrics.md, section
 * 15). */
#ifndef RA_GPU_GAPS_H
#define RA_GPU_GAPS_H

#include "analyzer/figures/gpu/gpu-order.h"

/* A gap shorter than this, before work that was launched in time, is only the time that the device
 * needs to start the next operation. */
#define RA_GPU_GAPS_SHORT_NS 30000

enum ra_gpu_gaps_cause {
	RA_GPU_GAPS_HOST,   /* the work after the gap was launched after the gap began */
	RA_GPU_GAPS_KERNEL, /* shorter than short_ns */
	RA_GPU_GAPS_QUEUED, /* the work after the gap was launched long before the gap began, or
	                       before the recording */
	RA_GPU_GAPS_OTHER,  /* the launch is not known, or had not returned when the gap began */
	RA_GPU_GAPS_BEFORE, /* before the device's or stream's first operation */
	RA_GPU_GAPS_AFTER,  /* after its last operation */
	RA_GPU_GAPS_CAUSES
};

struct ra_gpu_gap {
	int64_t start_ns;
	int64_t dur_ns;  /* positive */
	uint32_t before; /* operation that ended last; RA_NONE: none before the gap */
	uint32_t after;  /* operation that begins at the gap's end; RA_NONE: none after the gap */
	enum ra_gpu_gaps_cause cause;
};

/* Iterates over the gaps of one device or stream in order of time. Gaps and busy time add up to the
 * span of the struct ra_gpu_order. */
struct ra_gpu_gaps {
	const struct ra_gpu *gpu;
	const struct ra_gpu_early *early;
	const struct ra_gpu_order_op *ops; /* NULL: the operations are gpu->ops */
	size_t at;
	size_t end;
	int64_t until_ns; /* latest end of an operation so far */
	int64_t end_ns;   /* end of the span */
	int64_t short_ns; /* the cost of a launch; the begin functions set it to
	                     RA_GPU_GAPS_SHORT_NS */
	uint32_t last;    /* operation that ends at until_ns */
};

/* @device: index into order->devices. @queue: index into gpu->queues. */
void ra_gpu_gaps_begin_device(struct ra_gpu_gaps *gaps, const struct ra_gpu *gpu,
                              const struct ra_gpu_order *order, size_t device);
void ra_gpu_gaps_begin_queue(struct ra_gpu_gaps *gaps, const struct ra_gpu *gpu,
                             const struct ra_gpu_order *order, size_t queue);

/* Return: false if there are no more gaps. */
bool ra_gpu_gaps_next(struct ra_gpu_gaps *gaps, struct ra_gpu_gap *gap);

/*
 * Returns how much of [start, end) is in queued gaps of a device before nodes of CUDA graphs. A
 * graph runs without the host, so a node rarely waits as long as that. Probably the recording lacks
 * kernels of the graph.
 *
 * @device: index into order->devices. O(operations of the device).
 */
int64_t ra_gpu_gaps_of_graphs(const struct ra_model *model, const struct ra_gpu_order *order,
                              size_t device, int64_t start_ns, int64_t end_ns);

/* Returns the sum of such gaps of all devices, over the whole time. 0 for a model without its
 * operations (rows_only). O(n log n); without graphs O(n). */
int64_t ra_gpu_gaps_of_all_graphs(const struct ra_model *model);

/* Returns the cause's name in the reports: "host wait" … */
const char *ra_gpu_gaps_name(enum ra_gpu_gaps_cause cause);

#endif
