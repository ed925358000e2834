/* SPDX-License-Identifier: MIT */
/* The work of a model's calls: from models of operators, and as programs state it. */
#ifndef RA_WORKS_H
#define RA_WORKS_H

#include "analyzer/figures/throughput/op-work.h"
#include "analyzer/model/model.h"

struct ra_works {
	const struct ra_model *model; /* borrowed */
	struct ra_op_work *rows;      /* owned; calls with equal arguments share one */
	size_t count;                 /* 0: nothing is known; the arrays may then be NULL */
	size_t capacity;
	uint32_t *of_slice; /* owned; by slice: its row, RA_NONE: not known */
	uint8_t *types;     /* owned; by slice: enum ra_kernel_type of what the GPU multiplied */
	double *peaks;      /* owned; see ra_works_peak() */
	struct ra_kernel_kinds kinds;
};

/*
 * Finds the work of all slices, if anything ran on a GPU.
 */
void ra_works_init(struct ra_works *works, const struct ra_model *model);
void ra_works_fini(struct ra_works *works);

/* Peak of an operation's device, per second: of a type, of bytes if the type is unknown. 0: not
 * known. */
double ra_works_peak(const struct ra_works *works, const struct ra_gpu_op *op,
                     enum ra_kernel_type type);

#endif
