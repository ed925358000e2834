/* SPDX-License-Identifier: MIT */
/* Sums how long the ranges and calls of each part of a step took on the CPU, whether or not GPU
 * work hides them. */
#ifndef RA_STEP_RANGES_H
#define RA_STEP_RANGES_H

#include "analyzer/steps/steps.h"

/* Of RA_ROLE_RUNTIME, RA_ROLE_DATALOADER and RA_ROLE_CPU_EXEC; the other roles are 0. */
struct ra_step_ranges {
	double took_ns[RA_ROLES]; /* time in which such ranges or calls were open within the step's
	                             range; RA_ROLE_CPU_EXEC leaves out time in a loader */
	double hidden_ns[RA_ROLES]; /* the part of it before the step begins, while earlier GPU work
	                               still ran */
	double lead_ns;             /* from the begin of the step's range to that of the step */
};

/*
 * Fills a row for each step.
 *
 * @rows: room for the steps.
 */
void ra_step_ranges_fill(const struct ra_steps *steps, const struct ra_model *model,
                         struct ra_step_ranges *rows);

/* True for the roles that have such figures. */
bool ra_step_ranges_has(size_t role);

#endif
