/* SPDX-License-Identifier: MIT */
/* Reads facts about the machine from a trace. */
#ifndef RA_KINETO_ORIGIN_H
#define RA_KINETO_ORIGIN_H

#include "analyzer/model/model.h"

/* Adds facts to the model, from the trace's top-level keys. */
void ra_kineto_origin_add(struct ra_model *model);

#endif
