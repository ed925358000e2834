/* SPDX-License-Identifier: MIT */
/* Finds the work of a model's calls: by models of operators, and from programs that state it. */
#ifndef RA_WORKS_H
#define RA_WORKS_H

#include "analyzer/figures/throughput/op-work.h"
#include "analyzer/model/model.h"

struct ra_works {
	const struct ra_model *model; /* borrowed */
	struct ra_op_work *rows;      /* owned; calls with equal arguments share a row */
	size_t count;                 /* 0: no work is known; the arrays may then be NULL */
	size_t capacity;
	uint32_t *of_slice; /* owned; for each slice, the index of its row; RA_NONE: not known */
	uint8_t *types;     /* owned; for each slice, the enum ra_kernel_type in which the GPU
	                       multiplied */
	double *peaks;      /* owned; see ra_works_peak() */
	struct ra_kernel_kinds kinds;
};

/*
 * Finds the work of all slices, if anything ran on a GPU.
 */
void ra_works_init(struct ra_works *works, const struct ra_model *model);
void ra_works_fini(struct ra_works *works);

/* Returns the peak per second of an operation's device: in operations of a type, or in bytes if the
 * type is unknown. 0: not known. */
double ra_works_peak(const struct ra_works *works, const struct ra_gpu_op *op,
                     enum ra_kernel_type type);

#endif
