/* SPDX-License-Identifier: MIT */
/* Finds the time that is time 0 in a drawing. */
#ifndef RA_LAYOUT_ZERO_H
#define RA_LAYOUT_ZERO_H

#include "analyzer/model/model.h"

/* Returns the time of the model's first event if that is before the capture, otherwise 0. The
 * result is at most RA_LAYOUT_MAX_EARLY_NS before the capture. */
int64_t ra_layout_zero_find(const struct ra_model *model);

#endif
