/* SPDX-License-Identifier: MIT */
/* Finds whether a slow rank loses its time on a single thread only, such as that of PyTorch's
 * backward pass. */
#ifndef RA_RANK_THREADS_H
#define RA_RANK_THREADS_H

#include "analyzer/figures/ranks/rank-places.h"

/*
 * Sets `helper` of a place that is a range on one thread. The helper is another thread that works
 * within the place. It must account for most of the excess, and outside the place the place's own
 * thread must be as fast as on the middle rank. O(n log n) for each name of a place.
 *
 * @places: one for each rank, with names.
 */
void ra_rank_threads_find(struct ra_rank_place *places, const struct ra_rank_delays *delays,
                          const struct ra_files *files);

#endif
