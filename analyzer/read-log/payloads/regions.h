/* SPDX-License-Identifier: MIT */
/* NVTX's heaps and regions of memory: calls that say what was allocated where. */
#ifndef RA_REGIONS_H
#define RA_REGIONS_H

#include "analyzer/model/build/builder.h"

/* True for the calls that ra_regions_add() needs. */
bool ra_regions_is_wanted(uint64_t function);

/*
 * Adds the allocations and frees of these calls to model->gpu.memories, which must have all of
 * CUDA's. O(n log n).
 */
void ra_regions_add(struct ra_builder *builder);

#endif
