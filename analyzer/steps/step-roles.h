/* SPDX-License-Identifier: MIT */
/* Which role was active when, and what of each step it took: our own figures, in ns. */
#ifndef RA_STEP_ROLES_H
#define RA_STEP_ROLES_H

#include "analyzer/steps/steps.h"

/*
 * Sorts everything by role, and fills in one row per step, and the mean of all. Long recordings are
 * taken part by part: memory is that of the part with the most events.
 *
 * @rows: room for the steps.
 */
void ra_step_roles_fill(const struct ra_steps *steps, const struct ra_model *model,
                        struct ra_step_cost *rows, struct ra_step_cost *mean);

#endif
