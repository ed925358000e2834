/* SPDX-License-Identifier: MIT */
/* Makes API calls and waits for the GPU from a Chrome trace's events. */
#ifndef RA_KINETO_CALLS_H
#define RA_KINETO_CALLS_H

#include "analyzer/rows/kineto.h"
#include "analyzer/model/model.h"

/* Fills apis and syncs of model->gpu. */
void ra_kineto_calls_build(struct ra_model *model);

/* Lists the events that `is_wanted` accepts. Return: their number; the caller frees *events. */
size_t ra_kineto_calls_collect(const struct ra_kineto *k,
                               bool (*is_wanted)(const struct ra_kineto *, uint32_t),
                               uint32_t **events);

/* Limits a number to the range of 32 bits. */
uint32_t ra_kineto_calls_clip(int64_t value);

/* Reads an integer arg. If the event lacks it, the result is `otherwise`, or 0 if that is
 * INT64_MIN. A negative arg gives 2^32 - 1. */
uint32_t ra_kineto_calls_id(const struct ra_kineto *k, uint32_t event, enum ra_kineto_key key,
                            int64_t otherwise);

#endif
