/* SPDX-License-Identifier: MIT */
/* Computes each rank's own time from one collective to the next, without the rank's waits for
 * others. */
#ifndef RA_RANK_STRETCHES_H
#define RA_RANK_STRETCHES_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/figures/collectives.h"

/* A collective of a rank in which other ranks took part, and the stretch of work before it. */
struct ra_rank_stretch {
	const struct ra_collective *call;
	uint32_t before;   /* match of the collective before, on the same rank; RA_NONE: none */
	int64_t launch_ns; /* start of the call that launched the collective; if not known, start of
	                      the collective */
	bool has_launch;
	int64_t own_ns; /* how long the rank would take from `before` to this collective if its
	                   thread began only when `before` ended; 0 if that is not known. Without
	                   launches: how long it took on the GPU */
	int64_t gpu_ns; /* time in which kernels and copies ran that were launched in the stretch,
	                   without collectives */
};

/* The stretches of one rank, in the order of the collectives' launches. */
struct ra_rank_stretches {
	struct ra_rank_stretch *rows; /* owned */
	size_t count;
	struct ra_intervals held; /* times when calls of the rank's threads waited for the end of a
	                             collective */
};

/* Computes the stretches of a rank. Borrows `collectives` and the model. O(n log n) in operations
 * and calls. */
void ra_rank_stretches_init(struct ra_rank_stretches *stretches, const struct ra_model *model,
                            const struct ra_collectives_rank *rank);
void ra_rank_stretches_fini(struct ra_rank_stretches *stretches);

#endif
