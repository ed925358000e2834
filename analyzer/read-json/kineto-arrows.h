/* SPDX-License-Identifier: MIT */
/* Of a Chrome trace: arrows from ranges to the work that they launched. */
#ifndef RA_KINETO_ARROWS_H
#define RA_KINETO_ARROWS_H

#include "analyzer/model/model.h"

/*
 * Gives operations the range in which an arrow began that ends where they begin; of several the
 * first. Only where rows of devices are known by their names: the others have calls. Slices and
 * operations are complete.
 */
void ra_kineto_arrows_follow(struct ra_model *model);

#endif
