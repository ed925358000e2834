/* SPDX-License-Identifier: MIT */
/* Follows a Chrome trace's flow arrows from ranges to the work that they launched. */
#ifndef RA_KINETO_ARROWS_H
#define RA_KINETO_ARROWS_H

#include "analyzer/model/model.h"

/*
 * If an arrow ends where an operation begins, the operation gets the range in which the arrow
 * starts; if several do, that of the first. This is done only if rows of devices are recognised by
 * their names, because other traces have calls. Slices and operations must be complete.
 */
void ra_kineto_arrows_follow(struct ra_model *model);

#endif
