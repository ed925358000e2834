/* SPDX-License-Identifier: MIT */
/* Finds where slow ranks lose their time: the ranges or kernels that take longer than on the
 * others. */
#ifndef RA_RANK_PLACES_H
#define RA_RANK_PLACES_H

#include "analyzer/figures/ranks/rank-delays.h"

struct ra_rank_place {
	struct rlog_string name; /* borrowed from the model; empty: no single place */
	bool is_kernel;
	int64_t time_ns;  /* that the rank spent in it, as a whole, without waits for later ranks
	                     … */
	int64_t usual_ns; /* … and the middle rank */
	int64_t first_ns; /* when it was in it first, by its own recording */
	bool is_even; /* no name that takes less time accounts for half of the rank's excess, though
	                 there are ranges inside this one */
	bool has_helper; /* a single other thread is the slow one in it: rank-threads.h */
	int64_t helper_tid;
	int64_t helper_ns;       /* that thread's time in ranges within the place … */
	int64_t helper_usual_ns; /* … and the middle rank's */
	int64_t own_tid;         /* the thread of the place itself */
};

/*
 * Finds a place for each rank that is slow (ra_rank_delay_is_slow). Candidates are the ranges,
 * except steps, on any thread that account for most of the rank's excess; the one with the least
 * time is the place. If the GPU is slower, does so for kernels. O(n log n).
 *
 * @places: one for each rank.
 */
void ra_rank_places_find(struct ra_rank_place *places, const struct ra_rank_delays *delays,
                         const struct ra_files *files);

#endif
