/* SPDX-License-Identifier: MIT */
/* Sections of kernels: pairs the begins and ends that a GPU wrote, and finds their kernels and
 * times. */
#ifndef RA_LINK_SECTIONS_H
#define RA_LINK_SECTIONS_H

#include "analyzer/model/model.h"

/*
 * Makes model->gpu.sections, and counts what does not fit (doc/metrics.md, section 17). Operations
 * must be linked to their calls before. Time: O(n), plus O(m log m) for m launches.
 */
void ra_link_sections(struct ra_model *model);

#endif
