/* SPDX-License-Identifier: MIT */
/* Of a Chrome trace: counters. */
#ifndef RA_KINETO_SAMPLES_H
#define RA_KINETO_SAMPLES_H

#include "analyzer/model/model.h"

/*
 * Fills counters and samples of the model: a counter for each name and arg of events of ph C.
 */
void ra_kineto_samples_build(struct ra_model *model);

#endif
