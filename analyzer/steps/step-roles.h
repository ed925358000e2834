/* SPDX-License-Identifier: MIT */
/* Finds which role was active when, and how much of each step it took: our own figures, in ns. */
#ifndef RA_STEP_ROLES_H
#define RA_STEP_ROLES_H

#include "analyzer/model/walk-merge.h"
#include "analyzer/steps/steps.h"

/*
 * Sorts all events by role, and fills one row per step and the mean of all. Long recordings are
 * handled in parts, so memory is that of the part with the most events.
 *
 * @rows: room for the steps.
 */
void ra_step_roles_fill(const struct ra_steps *steps, const struct ra_model *model,
                        struct ra_step_cost *rows, struct ra_step_cost *mean);

/* The same for a model with a walk and without GPU work. */
struct ra_step_roles;

/* True if the steps are close enough to time 0 for that: within 52 days. */
bool ra_step_roles_can(const struct ra_steps *steps);

/* The same of all steps between two times. */
bool ra_step_roles_can_reach(int64_t first_ns, int64_t last_ns);

/* @steps, @model, @rows: borrowed until the end. */
struct ra_step_roles *ra_step_roles_begin(const struct ra_steps *steps,
                                          const struct ra_model *model, struct ra_step_cost *rows);

/* Adds a range that is not a step. Ranges of a walk (walk-merge.h) come in its order. */
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
