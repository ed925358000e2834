/* SPDX-License-Identifier: MIT */
/* Makes ranges of the steps that the program reported by ranges_step(): start/end ranges in a
 * domain of their own. */
#ifndef RA_STEP_EVENTS_H
#define RA_STEP_EVENTS_H

#include "analyzer/model/build/builder.h"
#include "analyzer/read-log/ranges/spans.h"

/* The domain's name, also in traces in JSON that were made from a log. */
#define RA_STEP_EVENTS_DOMAIN "ranges.step"

/*
 * Makes ranges of builder->steps. A step lasts until the next report; the last step lasts until
 * end_ns. A range has the name that the program gave to the step, or "step", and the step's number
 * as payload.
 */
void ra_step_events_make(struct ra_builder *builder, struct ra_spans *spans, int64_t end_ns);

/* The index of the steps' domain; RA_STEP_EVENTS_NONE: the model has no such steps. */
#define RA_STEP_EVENTS_NONE UINT32_MAX
uint32_t ra_step_events_find_domain(const struct ra_model *model);

/* Reads a step's number from its range. Return: false if it has none. */
bool ra_step_events_number(const struct ra_model *model, uint32_t slice, uint64_t *number);

#endif
