/* SPDX-License-Identifier: MIT */
/* Sums what a rank's GPUs did, over all its devices: computing, communicating, moving memory. */
#ifndef RA_RANK_GPU_H
#define RA_RANK_GPU_H

#include "analyzer/base/order/describe.h"
#include "analyzer/model/files.h"

/* Kinds of GPU work, as bits. */
enum ra_rank_kind {
	RA_RANK_COMPUTATION = 1,   /* kernels and graphs */
	RA_RANK_COMMUNICATION = 2, /* kernels of NCCL and RCCL, by name */
	RA_RANK_MEMORY = 4,        /* copies and sets */
	RA_RANK_KINDS = 8,         /* the sets among these */
};

/* Returns the kind of work of an operation. */
enum ra_rank_kind ra_rank_gpu_kind(const struct ra_gpu_op *op);

/* Returns "computation", or for several kinds "computation, memory". */
const char *ra_rank_gpu_kind_name(unsigned kinds);

struct ra_rank_gpu {
	int64_t span_ns;                   /* time from the first start to the last end; 0: there is
	                                      no GPU work */
	int64_t exactly_ns[RA_RANK_KINDS]; /* time in which exactly these kinds ran, on any
	                                      device */
	/* Sum of each device's own times: work on one device does not hide work on another. */
	int64_t device_ns[RA_RANK_KINDS];
};

/* O(n log n). */
void ra_rank_gpu_sum(struct ra_rank_gpu *out, const struct ra_model *model);

/* Returns the time in which at least these kinds ran; for 0, the time in which anything ran. */
int64_t ra_rank_gpu_time(const int64_t exactly_ns[RA_RANK_KINDS], unsigned kinds);

/* Returns the time in which communication ran and no computation. */
int64_t ra_rank_gpu_exposed(const int64_t exactly_ns[RA_RANK_KINDS]);

/* A change of a sum at some time. */
struct ra_rank_step {
	int64_t at_ns;
	double change;
};

/*
 * Sorts the steps by time and describes the distribution of their running sum.
 *
 * @mean: weighted by time; NaN if the steps span no time. @above: only sums larger than this count.
 * At equal times, steps down come before steps up where `above` is not negative, else after them.
 */
void ra_rank_gpu_describe(struct ra_describe *out, double *mean, struct ra_rank_step *steps,
                          size_t count, double above);

#endif
