/* SPDX-License-Identifier: MIT */
/* The facts about all ranges in a model that holds only the ranges around some steps. */
#ifndef RA_MODEL_PART_H
#define RA_MODEL_PART_H

#include "analyzer/model/model.h"

/* Creates a part. @slices: number of slices that the caller will add. The caller fills their arrays
 * and `firsts`, which have room for them. */
struct ra_model_part *ra_model_part_create(size_t slices, size_t tracks);

/*
 * Makes a model of the ranges in model->part, in which the same steps are found as in the whole
 * input.
 *
 * @model: must have a part; the view borrows from the model and its part.
 * @tracks: has room for the tracks of the model.
 */
void ra_model_part_view(const struct ra_model *model, struct ra_model *view,
                        struct ra_track *tracks);

#endif
