/* SPDX-License-Identifier: MIT */
/* Finds which role was active at which time, and how much of each step it took: our own figures, in
 * ns. */
#ifndef RA_STEP_ROLES_H
#define RA_STEP_ROLES_H

#include "analyzer/model/walk-merge.h"
#include "analyzer/steps/steps.h"

/*
 * Sorts all events by role. Fills one row for each step, and the mean of all steps. Long recordings
 * are handled in parts, so memory is needed only for the part with the most events.
 *
 * @rows: has room for all steps.
 */
void ra_step_roles_fill(const struct ra_steps *steps, const struct ra_model *model,
                        struct ra_step_cost *rows, struct ra_step_cost *mean);

/* Does the same for ranges that come one by one, from a model with a walk and without GPU work. */
struct ra_step_roles;

/* True if the steps are so close to time 0 that this works: within 52 days. */
bool ra_step_roles_can(const struct ra_steps *steps);

/* True if this works for any steps between two times. */
bool ra_step_roles_can_reach(int64_t first_ns, int64_t last_ns);

/* Begins. @steps, @model, @rows: borrowed until the end. */
struct ra_step_roles *ra_step_roles_begin(const struct ra_steps *steps,
                                          const struct ra_model *model, struct ra_step_cost *rows);

/* Adds a range that is not a step. Add them in the order of ra_walk_merge() (walk-merge.h). */
void ra_step_roles_add(struct ra_step_roles *roles, const struct ra_walk_range *range);

/* Tells that all ranges that begin before this time have been added. */
void ra_step_roles_take(struct ra_step_roles *roles, int64_t until_ns);

void ra_step_roles_end(struct ra_step_roles *roles);

/*
 * Fills the rows as ra_step_roles_fill() does, for a view of few ranges (few-ranges.h) whose model
 * has a walk. The view has all steps. ra_step_roles_can() must be true.
 */
void ra_step_roles_fill_walk(const struct ra_steps *steps, const struct ra_model *view,
                             struct ra_step_cost *rows, struct ra_step_cost *mean);

#endif
