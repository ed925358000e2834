/* SPDX-License-Identifier: MIT */
/* How long the ranges and calls of each part of a step took themselves, whatever the GPU did. */
#ifndef RA_STEP_RANGES_H
#define RA_STEP_RANGES_H

#include "analyzer/steps/steps.h"

/* Of RA_ROLE_RUNTIME, RA_ROLE_DATALOADER and RA_ROLE_CPU_EXEC; the other roles are 0. */
struct ra_step_ranges {
	double took_ns[RA_ROLES];   /* such ranges or calls were open while the step's range was;
	                               time in a loader is none of RA_ROLE_CPU_EXEC */
	double hidden_ns[RA_ROLES]; /* of it: before the step begins, as GPU work from before it
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
