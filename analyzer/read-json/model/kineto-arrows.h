/* SPDX-License-Identifier: MIT */
/* Follows a Chrome trace's flow arrows from ranges to the work that they launched. */
#ifndef RA_KINETO_ARROWS_H
#define RA_KINETO_ARROWS_H

#include "analyzer/model/model.h"

/*
 * Gives an operation the range in which an arrow starts, if the arrow ends where the operation
 * begins. If several arrows do, the first is taken. This is done only for traces whose rows of
 * devices are recognised by their names, because other traces have calls. Slices and operations
 * must be complete.
 */
void ra_kineto_arrows_follow(struct ra_model *model);

#endif
