/* SPDX-License-Identifier: MIT */
/* Facts of the machine that a trace is from. */
#ifndef RA_KINETO_ORIGIN_H
#define RA_KINETO_ORIGIN_H

#include "analyzer/model/model.h"

/* Adds the model's facts from its rows. */
void ra_kineto_origin_add(struct ra_model *model);

#endif
