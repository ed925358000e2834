/* SPDX-License-Identifier: MIT */
/* Reads the counters of a Chrome trace. */
#ifndef RA_KINETO_SAMPLES_H
#define RA_KINETO_SAMPLES_H

#include "analyzer/model/model.h"

/*
 * Fills counters and samples of the model: one counter for each name and arg of the counter events
 * (ph C).
 */
void ra_kineto_samples_build(struct ra_model *model);

#endif
