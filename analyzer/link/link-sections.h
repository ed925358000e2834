/* SPDX-License-Identifier: MIT */
/* Sections of kernels: pairs the begins and ends that a GPU wrote, and finds their kernels and
 * times. */
#ifndef RA_LINK_SECTIONS_H
#define RA_LINK_SECTIONS_H

#include "analyzer/model/model.h"

/*
 * Makes model->gpu.sections, and counts what does not fit (doc/metrics.md, section 17). Operations
 * must have their calls. Time: O(n), plus O(m log m) in launches.
 */
void ra_link_sections(struct ra_model *model);

#endif
