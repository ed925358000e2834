/* SPDX-License-Identifier: MIT */
/* Splits the time from a launch call to the end of its operation: launch, queue, run. */
#ifndef RA_GPU_LAUNCH_H
#define RA_GPU_LAUNCH_H

#include "analyzer/model/model.h"

/* launch + queue + run is the time from the start of the call to the end of the operation. None is
 * negative. */
struct ra_gpu_launch {
	int64_t api_ns;    /* duration of the call */
	int64_t launch_ns; /* the part of that before the operation began */
	int64_t queue_ns;  /* from the end of the call to the operation's start */
	int64_t run_ns;    /* duration of the operation */
	bool is_backwards; /* it began before its call, so the clocks disagree; launch and queue are
	                      0 */
};

/* Return: false if the call is not known. */
bool ra_gpu_launch_find(const struct ra_gpu *gpu, const struct ra_gpu_op *op,
                        struct ra_gpu_launch *out);

/* Sums over operations that share a key. */
struct ra_gpu_launch_sum {
	uint64_t key;
	uint64_t ops;     /* operations whose call is known */
	uint64_t no_call; /* the others */
	uint64_t calls;   /* calls whose first operation is among these */
	uint64_t backwards;
	int64_t api_ns; /* of these calls */
	int64_t launch_ns;
	int64_t queue_ns;
	int64_t queue_max_ns;
	int64_t run_ns;
};

/*
 * A call's time counts only once, however many operations it launched: with the first of them by
 * start. That one waited for the call; the others waited for the first.
 *
 * Return: for each call its first operation, RA_NONE if it launched none; the caller frees it.
 */
uint32_t *ra_gpu_launch_firsts(const struct ra_gpu *gpu);

/* Adds an operation; `firsts` is from ra_gpu_launch_firsts(). */
void ra_gpu_launch_add(struct ra_gpu_launch_sum *sum, const struct ra_gpu *gpu, size_t op,
                       const uint32_t *firsts);

#endif
