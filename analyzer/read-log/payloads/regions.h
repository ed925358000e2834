/* SPDX-License-Identifier: MIT */
/* Reads NVTX's heaps and regions of memory: calls that tell what was allocated where. */
#ifndef RA_REGIONS_H
#define RA_REGIONS_H

#include "analyzer/model/build/builder.h"

/* True for functions that ra_regions_add() handles. */
bool ra_regions_is_wanted(uint64_t function);

/*
 * Adds the allocations and frees that these calls report to model->gpu.memories. That must have all
 * allocations of CUDA already. O(n log n).
 */
void ra_regions_add(struct ra_builder *builder);

#endif
