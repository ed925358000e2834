/* SPDX-License-Identifier: MIT */
/* Names for the files made from inputs, one per input. */
#ifndef RA_BATCH_NAMES_H
#define RA_BATCH_NAMES_H

#include "analyzer/batch/batch-inputs.h"

/*
 * Gives each input a name for what is made from it: "RUN/SOURCE", where SOURCE lacks its suffix. If
 * several inputs would have the same name, each gets a - and the CRC of its path. Call it before
 * inputs are divided into shards, so that all shards use the same names.
 */
void ra_batch_names_make(struct ra_batch_inputs *inputs);

#endif
