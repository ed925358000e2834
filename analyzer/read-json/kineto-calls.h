/* SPDX-License-Identifier: MIT */
/* From a Chrome trace's events to API calls and waits for the GPU. */
#ifndef RA_KINETO_CALLS_H
#define RA_KINETO_CALLS_H

#include "analyzer/rows/kineto.h"
#include "analyzer/model/model.h"

/* Fills apis and syncs of model->gpu. */
void ra_kineto_calls_build(struct ra_model *model);

/* Lists the events that are wanted. Return: how many. */
size_t ra_kineto_calls_collect(const struct ra_kineto *k,
                               bool (*is_wanted)(const struct ra_kineto *, uint32_t),
                               uint32_t **events);

/* A number as one of 32 bits: what is below or above becomes the smallest or largest. */
uint32_t ra_kineto_calls_clip(int64_t value);

/* An integer arg; where it is missing the other number, which is INT64_MIN if that is not known
 * either: 0. Negative ones become 2^32 - 1. */
uint32_t ra_kineto_calls_id(const struct ra_kineto *k, uint32_t event, enum ra_kineto_key key,
                            int64_t otherwise);

#endif
