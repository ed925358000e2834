/* SPDX-License-Identifier: MIT */
/* Finds where slow ranks lose their time: the ranges or kernels that take longer there than on
 * other ranks. */
#ifndef RA_RANK_PLACES_H
#define RA_RANK_PLACES_H

#include "analyzer/figures/ranks/rank-delays.h"

struct ra_rank_place {
	struct rlog_string name; /* borrowed from the model; empty: there is no single place */
	bool is_kernel;
	int64_t time_ns;  /* time that the rank spent in the place, without waits for later ranks
	                     … */
	int64_t usual_ns; /* … and that the middle rank spent */
	int64_t first_ns; /* when the rank was in the place for the first time, by its own
	                     recording */
	bool is_even; /* no name with less time accounts for half of the rank's excess, though there
	                 are ranges inside the place */
	bool has_helper; /* one other thread is slow in the place: see rank-threads.h */
	int64_t helper_tid;
	int64_t helper_ns;       /* time that this thread spent in ranges within the place … */
	int64_t helper_usual_ns; /* … and that the middle rank's thread spent */
	int64_t own_tid;         /* the thread of the place */
};

/*
 * Finds a place for each rank that is slow (ra_rank_delay_is_slow). Candidates are the ranges,
 * except steps, on any thread that account for most of the rank's excess. The candidate with the
 * least time is the place. If the GPU is slower, looks for kernels instead. O(n log n).
 *
 * @places: one for each rank.
 */
void ra_rank_places_find(struct ra_rank_place *places, const struct ra_rank_delays *delays,
                         const struct ra_files *files);

#endif
