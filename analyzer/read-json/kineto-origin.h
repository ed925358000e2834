/* SPDX-License-Identifier: MIT */
/* What a trace says of the machine that it is from. */
#ifndef RA_KINETO_ORIGIN_H
#define RA_KINETO_ORIGIN_H

#include "analyzer/model/model.h"

/* Fills the model's facts from its rows. */
void ra_kineto_origin_add(struct ra_model *model);

#endif
