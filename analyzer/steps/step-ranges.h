/* SPDX-License-Identifier: MIT */
/* Sums how long the ranges and calls of some roles took on the CPU in each step, whether or not GPU
 * work hides them. */
#ifndef RA_STEP_RANGES_H
#define RA_STEP_RANGES_H

#include "analyzer/steps/steps.h"

/* Figures of a step, for RA_ROLE_RUNTIME, RA_ROLE_DATALOADER and RA_ROLE_CPU_EXEC; those of other
 * roles are 0. */
struct ra_step_ranges {
	double took_ns[RA_ROLES]; /* time in which such ranges or calls were open within the step's
	                             range; RA_ROLE_CPU_EXEC leaves out time in a loader */
	/* the part of that time before the step begins, while earlier GPU work was still running */
	double hidden_ns[RA_ROLES];
	double lead_ns; /* time from the begin of the step's range to the begin of the step */
};

/*
 * Fills a row for each step.
 *
 * @rows: has room for all steps.
 */
void ra_step_ranges_fill(const struct ra_steps *steps, const struct ra_model *model,
                         struct ra_step_ranges *rows);

/* True for the roles that have such figures. */
bool ra_step_ranges_has(size_t role);

#endif
