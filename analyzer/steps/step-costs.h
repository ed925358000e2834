/* SPDX-License-Identifier: MIT */
/* Divides the time of each step among roles: each moment is given to the first role that is
 * active. */
#ifndef RA_STEP_COSTS_H
#define RA_STEP_COSTS_H

#include <stdbool.h>

#include "analyzer/base/order/stretches.h"
#include "analyzer/base/text/util-text.h"

/* The roles, in order of priority. */
enum ra_role {
	RA_ROLE_KERNEL,
	RA_ROLE_MEMCPY,
	RA_ROLE_MEMSET,
	RA_ROLE_COMMUNICATION,
	RA_ROLE_RUNTIME,
	RA_ROLE_DATALOADER,
	RA_ROLE_CPU_EXEC,
	RA_ROLE_OTHER, /* time in which no role was active */
	RA_ROLE_TOTAL, /* duration of the step */
	RA_ROLES
};

struct ra_step {
	double start;
	double end;
	struct rlog_string name; /* borrowed; whoever made the step owns it */
};

/* How computation and communication overlap. Computation is kernels, or ranges of the CPU if there
 * is no kernel. */
struct ra_step_overlap {
	double computation;
	double communication;
	double overlap;
	double other;
};

struct ra_step_cost {
	double role[RA_ROLES];
	struct ra_step_overlap overlap;
};

/* The input: steps, and for each role its stretches of time in any order. */
struct ra_step_times {
	struct ra_step *steps; /* owned, in order; at least one */
	size_t step_count;
	size_t step_capacity;
	struct ra_stretches roles[RA_ROLE_OTHER];
	/*
	 * What to do when no time of the steps is left for the next role. True: begin again with
	 * whole steps, as TensorBoard's plugin does, so that roles sum to more than the total.
	 * False: the next roles get nothing.
	 */
	bool restarts;
};

void ra_step_times_fini(struct ra_step_times *times);

void ra_step_times_add(struct ra_step_times *times, const struct ra_step *step);

/*
 * Merges the stretches of each role. Fills one row for each step, and the mean of all steps.
 *
 * @rows: has room for times->step_count rows.
 */
void ra_step_costs_fill(struct ra_step_times *times, struct ra_step_cost *rows,
                        struct ra_step_cost *mean);

#endif
