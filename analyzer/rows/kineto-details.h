/* SPDX-License-Identifier: MIT */
/* Finds facts about events without Kineto's args, in other args and in the names of threads. */
#ifndef RA_KINETO_DETAILS_H
#define RA_KINETO_DETAILS_H

#include "analyzer/rows/kineto.h"

/* Sorts kineto->details, so that details can be found. Call it after the last one was added. */
void ra_kineto_details_sort(struct ra_kineto *kineto);

/* String id of the operator to which a device's operation belongs, or of the operator's module:
 * XLA's hlo_op and hlo_module. 0: none. @event may be RA_KINETO_NONE; then the result is 0, and
 * @kineto may be NULL. */
uint32_t ra_kineto_details_operator(const struct ra_kineto *kineto, uint32_t event, bool is_module);

/* Reads the number of a step of JAX (StepTraceAnnotation); it is a number, or a text that is one.
 * Return: false if the event is no step, or is RA_KINETO_NONE. */
bool ra_kineto_details_step(const struct ra_kineto *kineto, uint32_t event, uint64_t *number);

/* Finds a detail of an event. Return: false if there is no such detail; then *value is
 * unchanged. */
bool ra_kineto_details_find(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                            struct ra_kineto_value *value);

#endif
