/* SPDX-License-Identifier: MIT */
/* NVTX's heaps and regions of memory: calls that say what was allocated where. */
#ifndef RA_REGIONS_H
#define RA_REGIONS_H

#include "analyzer/model/builder.h"

/* True of the calls that are needed. */
bool ra_regions_is_wanted(uint64_t function);

/*
 * Adds to model->gpu.memories, which are all there by now, what these calls allocated and freed.
 * O(n log n).
 */
void ra_regions_add(struct ra_builder *builder);

#endif
