/* SPDX-License-Identifier: MIT */
/* For events without Kineto's args: finds the same facts in other args and in the names of their
 * threads. */
#ifndef RA_KINETO_DETAILS_H
#define RA_KINETO_DETAILS_H

#include "analyzer/rows/kineto.h"

/* Sorts kineto->details, so that they can be found. Call it after the last was added. */
void ra_kineto_details_sort(struct ra_kineto *kineto);

/* String id of the operator that a device's operation belongs to, or of its module: XLA's hlo_op
 * and hlo_module. 0: none. The event may be RA_KINETO_NONE, which has none; then @kineto may be
 * NULL. */
uint32_t ra_kineto_details_operator(const struct ra_kineto *kineto, uint32_t event, bool is_module);

/* Reads the number of a step of JAX (StepTraceAnnotation), a number or a text that is one. Return:
 * false if the event is no step, or RA_KINETO_NONE. */
bool ra_kineto_details_step(const struct ra_kineto *kineto, uint32_t event, uint64_t *number);

/* Return: false if there is no such detail; *value is then as before. */
bool ra_kineto_details_find(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                            struct ra_kineto_value *value);

#endif
