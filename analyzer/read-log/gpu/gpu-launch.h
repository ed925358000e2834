/* SPDX-License-Identifier: MIT */
/* Splits the time from a launch call to the end of its operation: launch, queue, run. */
#ifndef RA_GPU_LAUNCH_H
#define RA_GPU_LAUNCH_H

#include "analyzer/model/model.h"

/* launch + queue + run is the time from the start of the call to the end of the operation. No part
 * is negative. */
struct ra_gpu_launch {
	int64_t api_ns;    /* duration of the call */
	int64_t launch_ns; /* the part of the call before the operation began */
	int64_t queue_ns;  /* from the end of the call to the start of the operation */
	int64_t run_ns;    /* duration of the operation */
	bool is_backwards; /* the operation began before its call, because the clocks disagree;
	                      launch and queue are 0 */
};

/* Return: false if the log lacks the operation's call. */
bool ra_gpu_launch_find(const struct ra_gpu *gpu, const struct ra_gpu_op *op,
                        struct ra_gpu_launch *out);

/* Sums over operations that share a key. */
struct ra_gpu_launch_sum {
	uint64_t key;
	uint64_t ops;     /* number of operations whose call is known */
	uint64_t no_call; /* number of operations whose call is not known */
	uint64_t calls;   /* number of calls whose first operation is among these operations */
	uint64_t backwards;
	int64_t api_ns; /* duration of these calls */
	int64_t launch_ns;
	int64_t queue_ns;
	int64_t queue_max_ns;
	int64_t run_ns;
};

/*
 * Finds the first operation of each call, by start. If a call launched several operations, its time
 * is added only to its first one: that waited for the call, and the others waited for the first.
 *
 * Return: by call, its first operation; RA_NONE: it launched none; the caller frees the array.
 */
uint32_t *ra_gpu_launch_firsts(const struct ra_gpu *gpu);

/* Adds an operation; `firsts` is from ra_gpu_launch_firsts(). */
void ra_gpu_launch_add(struct ra_gpu_launch_sum *sum, const struct ra_gpu *gpu, size_t op,
                       const uint32_t *firsts);

#endif
