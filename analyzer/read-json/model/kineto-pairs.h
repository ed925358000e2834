/* SPDX-License-Identifier: MIT */
/* Pairs begins with ends in a Chrome trace: phases B with E, and b with e. */
#ifndef RA_KINETO_PAIRS_H
#define RA_KINETO_PAIRS_H

#include "analyzer/rows/kineto.h"
#include "analyzer/model/model.h"

/*
 * Sets the dur_ns of each B and b to the time until its end. An E ends the innermost open B of its
 * thread; an e ends the innermost open b with its cat and id. Events are taken in the file's order,
 * which in such traces is the order of time. An event that stays open ends with the trace. Unpaired
 * events are counted in model->quality.
 *
 * Return: by event, the event that ends it; RA_KINETO_NONE: none; the caller frees it. NULL if
 * there is nothing to pair.
 */
uint32_t *ra_kineto_pairs_find(struct ra_model *model);

#endif
