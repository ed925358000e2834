/* SPDX-License-Identifier: MIT */
/* Steps that the program told by ranges_step(): start/end ranges of a domain of their own. */
#ifndef RA_STEP_EVENTS_H
#define RA_STEP_EVENTS_H

#include "analyzer/model/builder.h"
#include "analyzer/read-log/spans.h"

/* The domain's name, also in traces in JSON that were written from a log. */
#define RA_STEP_EVENTS_DOMAIN "ranges.step"

/*
 * Makes the ranges of builder->steps: a step lasts until the next event, the last one until end_ns.
 * A range is called as the program called the step, else "step", and has its number as payload.
 */
void ra_step_events_make(struct ra_builder *builder, struct ra_spans *spans, int64_t end_ns);

/* Index of that domain, RA_STEP_EVENTS_NONE: the model has no such steps. */
#define RA_STEP_EVENTS_NONE UINT32_MAX
uint32_t ra_step_events_find_domain(const struct ra_model *model);

/* The number of a step's range. Return: false if it has none. */
bool ra_step_events_number(const struct ra_model *model, uint32_t slice, uint64_t *number);

#endif
