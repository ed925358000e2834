/* SPDX-License-Identifier: MIT */
/* Pairs E with B and e with b in a Chrome trace. */
#ifndef RA_KINETO_PAIRS_H
#define RA_KINETO_PAIRS_H

#include "analyzer/rows/kineto.h"
#include "analyzer/model/model.h"

/*
 * Sets the dur_ns of each B and b to the time until its end. B and E pair by thread, b and e by cat
 * and id, the innermost first. The order is the file's, which in such traces is that of time. What
 * stays open ends with the trace. Unpaired events are counted in model->quality.
 *
 * Return: by event, the event that ends it, RA_KINETO_NONE for none; the caller frees it. NULL if
 * there is nothing to pair.
 */
uint32_t *ra_kineto_pairs_find(struct ra_model *model);

#endif
