/* SPDX-License-Identifier: MIT */
/* Where the time of each step went: every instant to one role, the first that was active. */
#ifndef RA_STEP_COSTS_H
#define RA_STEP_COSTS_H

#include <stdbool.h>

#include "analyzer/base/order/stretches.h"
#include "analyzer/base/text/util-text.h"

/* In order of priority. */
enum ra_role {
	RA_ROLE_KERNEL,
	RA_ROLE_MEMCPY,
	RA_ROLE_MEMSET,
	RA_ROLE_COMMUNICATION,
	RA_ROLE_RUNTIME,
	RA_ROLE_DATALOADER,
	RA_ROLE_CPU_EXEC,
	RA_ROLE_OTHER, /* none of them was active */
	RA_ROLE_TOTAL, /* length of the step */
	RA_ROLES
};

struct ra_step {
	double start;
	double end;
	struct rlog_string name; /* borrowed from whoever made the step */
};

/* Computation (kernels; ranges of the CPU if there is no kernel) against communication. */
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

/* What it is made from: fill it in, roles with stretches in any order. */
struct ra_step_times {
	struct ra_step *steps; /* owned, in order; at least one */
	size_t step_count;
	size_t step_capacity;
	struct ra_stretches roles[RA_ROLE_OTHER];
	/*
	 * The TensorBoard plugin begins anew with the whole steps when nothing of them is left for
	 * the next role, so roles then sum to more than the total. False: the next roles get
	 * nothing.
	 */
	bool restarts;
};

void ra_step_times_fini(struct ra_step_times *times);

void ra_step_times_add(struct ra_step_times *times, const struct ra_step *step);

/*
 * Merges the roles and fills in one row per step, and the mean of all.
 *
 * @rows: room for times->step_count.
 */
void ra_step_costs_fill(struct ra_step_times *times, struct ra_step_cost *rows,
                        struct ra_step_cost *mean);

#endif
