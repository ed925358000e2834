/* SPDX-License-Identifier: MIT */
/* Sections of kernels: begins and ends that a GPU wrote, each pair to its kernel and its time. */
#ifndef RA_LINK_SECTIONS_H
#define RA_LINK_SECTIONS_H

#include "analyzer/model/model.h"

/*
 * Makes model->gpu.sections, and counts what does not fit (doc/metrics.md, section 17). Operations
 * know their calls.
 * Time: O(n), O(m log m) in launches.
 */
void ra_link_sections(struct ra_model *model);

#endif
