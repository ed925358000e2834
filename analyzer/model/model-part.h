/* SPDX-License-Identifier: MIT */
/* The facts about all ranges in a model that holds only the ranges around some steps. */
#ifndef RA_MODEL_PART_H
#define RA_MODEL_PART_H

#include "analyzer/model/model.h"

/* Creates a part. @slices: number of slices to come. Their arrays and `firsts` have room and are to
 * be filled. */
struct ra_model_part *ra_model_part_create(size_t slices, size_t tracks);

/*
 * Makes a model of those ranges, in which the same steps are found as in the whole input.
 *
 * @model: has a part; the view borrows from both.
 * @tracks: room for the tracks of the model.
 */
void ra_model_part_view(const struct ra_model *model, struct ra_model *view,
                        struct ra_track *tracks);

#endif
