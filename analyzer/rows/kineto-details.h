/* SPDX-License-Identifier: MIT */
/* Of events that have no args as Kineto's: what other args and their rows tell in place of them. */
#ifndef RA_KINETO_DETAILS_H
#define RA_KINETO_DETAILS_H

#include "analyzer/rows/kineto.h"

/* Adds what a text tells; by text, each of which is added once, in any order. */
void ra_kineto_details_add(struct ra_kineto *kineto, size_t *capacity,
                           const struct ra_kineto_detail *detail);

/* Makes them ready to be found, after the last. */
void ra_kineto_details_sort(struct ra_kineto *kineto);

/* Return: false if nothing tells; *value is then as before. */
bool ra_kineto_details_find(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                            struct ra_kineto_value *value);

#endif
