/* SPDX-License-Identifier: MIT */
/* Of events that have no args as Kineto's: what other args and their rows tell in place of them. */
#ifndef RA_KINETO_DETAILS_H
#define RA_KINETO_DETAILS_H

#include "analyzer/rows/kineto.h"

/* Makes kineto->details ready to be found, after the last. */
void ra_kineto_details_sort(struct ra_kineto *kineto);

/* String id of the operator of the device that an operation is of, or of its module: XLA's hlo_op
 * and hlo_module. 0: none; also of event RA_KINETO_NONE, of which @kineto may be NULL. */
uint32_t ra_kineto_details_operator(const struct ra_kineto *kineto, uint32_t event, bool is_module);

/* The number of a step of JAX (StepTraceAnnotation): a number, or a text that is one. Return: false
 * if the event is none, or RA_KINETO_NONE. */
bool ra_kineto_details_step(const struct ra_kineto *kineto, uint32_t event, uint64_t *number);

/* Return: false if nothing tells; *value is then as before. */
bool ra_kineto_details_find(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                            struct ra_kineto_value *value);

#endif
