/* SPDX-License-Identifier: MIT */
/* Divides the time of each step among roles: each moment counts for the first active role. */
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
	RA_ROLE_OTHER, /* no role was active */
	RA_ROLE_TOTAL, /* length of the step */
	RA_ROLES
};

struct ra_step {
	double start;
	double end;
	struct rlog_string name; /* borrowed from the code that made the step */
};

/* Overlap of computation (kernels; ranges of the CPU if there is no kernel) and communication. */
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

/* The input: steps, and for each role its stretches in any order. */
struct ra_step_times {
	struct ra_step *steps; /* owned, in order; at least one */
	size_t step_count;
	size_t step_capacity;
	struct ra_stretches roles[RA_ROLE_OTHER];
	/*
	 * If nothing of the steps is left for the next role, TensorBoard's plugin begins again with
	 * whole steps, so that roles sum to more than the total. True does the same; with false the
	 * next roles get nothing.
	 */
	bool restarts;
};

void ra_step_times_fini(struct ra_step_times *times);

void ra_step_times_add(struct ra_step_times *times, const struct ra_step *step);

/*
 * Merges each role's stretches, and fills one row per step and the mean of all.
 *
 * @rows: room for times->step_count.
 */
void ra_step_costs_fill(struct ra_step_times *times, struct ra_step_cost *rows,
                        struct ra_step_cost *mean);

#endif
