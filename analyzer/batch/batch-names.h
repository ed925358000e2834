/* SPDX-License-Identifier: MIT */
/* Names of files that are made of inputs, one for each. */
#ifndef RA_BATCH_NAMES_H
#define RA_BATCH_NAMES_H

#include "analyzer/batch/batch-inputs.h"

/*
 * Gives each input the name of what is made of it: "RUN/SOURCE", SOURCE without its suffix. Where
 * several would have the same, each has a - and the CRC of its path behind it. To be called before
 * inputs are divided among shards, so that a shard gives the same names.
 */
void ra_batch_names_make(struct ra_batch_inputs *inputs);

#endif
