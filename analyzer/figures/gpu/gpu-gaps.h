/* SPDX-License-Identifier: MIT */
/* Finds stretches in which nothing ran on a device or stream, and why (doc/metrics.md, section
 * 15). */
#ifndef RA_GPU_GAPS_H
#define RA_GPU_GAPS_H

#include "analyzer/figures/gpu/gpu-order.h"

/* A gap shorter than this, before work that was launched in time, is the cost of starting the next
 * operation. */
#define RA_GPU_GAPS_SHORT_NS 30000

enum ra_gpu_gaps_cause {
	RA_GPU_GAPS_HOST,   /* the work after it was launched after the gap began */
	RA_GPU_GAPS_KERNEL, /* shorter than short_ns */
	RA_GPU_GAPS_QUEUED, /* the work behind it had been launched long before it began, or before
	                       the recording */
	RA_GPU_GAPS_OTHER,  /* its launch is not known, or had not returned */
	RA_GPU_GAPS_BEFORE, /* before the first operation */
	RA_GPU_GAPS_AFTER,  /* after the last one */
	RA_GPU_GAPS_CAUSES
};

struct ra_gpu_gap {
	int64_t start_ns;
	int64_t dur_ns;  /* positive */
	uint32_t before; /* operation that ended last, RA_NONE at the beginning */
	uint32_t after;  /* operation that began then, RA_NONE at the end */
	enum ra_gpu_gaps_cause cause;
};

/* Iterates over the gaps of one device or stream in order of time. The gaps and the busy time
 * together make up the span of order. */
struct ra_gpu_gaps {
	const struct ra_gpu *gpu;
	const struct ra_gpu_early *early;
	const struct ra_gpu_order_op *ops; /* NULL: gpu->ops themselves */
	size_t at;
	size_t end;
	int64_t until_ns; /* latest end so far */
	int64_t end_ns;   /* end of the span */
	int64_t short_ns; /* the cost of a launch; begin sets RA_GPU_GAPS_SHORT_NS */
	uint32_t last;    /* operation that ends there */
};

/* @device: index into order->devices; @queue: into gpu->queues. */
void ra_gpu_gaps_begin_device(struct ra_gpu_gaps *gaps, const struct ra_gpu *gpu,
                              const struct ra_gpu_order *order, size_t device);
void ra_gpu_gaps_begin_queue(struct ra_gpu_gaps *gaps, const struct ra_gpu *gpu,
                             const struct ra_gpu_order *order, size_t queue);

/* Return: false if there are no more. */
bool ra_gpu_gaps_next(struct ra_gpu_gaps *gaps, struct ra_gpu_gap *gap);

/*
 * Returns how much of [start, end) is in queued gaps of a device before nodes of CUDA graphs. A
 * graph runs without the host, so a node rarely waits that long: the recording probably lacks
 * kernels of the graph.
 *
 * @device: index into order->devices. O(operations of the device).
 */
int64_t ra_gpu_gaps_of_graphs(const struct ra_model *model, const struct ra_gpu_order *order,
                              size_t device, int64_t start_ns, int64_t end_ns);

/* Returns the same sum for all devices and the whole time; 0 for a model without its operations
 * (rows_only). O(n log n); without graphs O(n). */
int64_t ra_gpu_gaps_of_all_graphs(const struct ra_model *model);

/* "host wait" … */
const char *ra_gpu_gaps_name(enum ra_gpu_gaps_cause cause);

#endif
