/* SPDX-License-Identifier: MIT */
/* Of a Chrome trace: which E ends a B, and which e ends a b. */
#ifndef RA_KINETO_PAIRS_H
#define RA_KINETO_PAIRS_H

#include "analyzer/rows/kineto.h"
#include "analyzer/model/model.h"

/*
 * Gives each B and b the time to its end as its dur_ns: B and E pair per thread, b and e by cat and
 * id, the innermost first, in the order of the file, which is that of time in such traces. What
 * stays open ends with the trace. Counts in model->quality what does not pair.
 *
 * Return: an array for free(), by event: the event that ends it, RA_KINETO_NONE for none; NULL if
 * there is nothing to pair.
 */
uint32_t *ra_kineto_pairs_find(struct ra_model *model);

#endif
