/* SPDX-License-Identifier: MIT */
/* Counts the events of a rank in some steps by name, as HTA's TraceDiff does. */
#ifndef RA_HTA_OPS_H
#define RA_HTA_OPS_H

#include "analyzer/compat/hta/steps.h"

struct ra_hta_op {
	struct rlog_string name; /* borrowed from kineto; the first member, because rows are sorted
	                            by it */
	uint64_t count;
	double total_us;
};

/* Zero-initialise. */
struct ra_hta_ops {
	struct ra_hta_op *rows; /* owned; sorted by name */
	size_t count;
};

/*
 * Counts a rank's rows, on the CPU and on GPUs.
 *
 * @only: the steps, as in struct ra_steps_options; NULL: the step with the smallest number.
 * Return: 0, -RLOG_E_ARGUMENT: there is no such step. Call fini in any case.
 */
int ra_hta_ops_init(struct ra_hta_ops *ops, struct ra_hta_rank *rank, const char *only);
void ra_hta_ops_fini(struct ra_hta_ops *ops);

#endif
