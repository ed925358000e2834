/* SPDX-License-Identifier: MIT */
/* Computes each rank's own time from one collective to the next, without its waits for other
 * ranks. */
#ifndef RA_RANK_STRETCHES_H
#define RA_RANK_STRETCHES_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/figures/collectives.h"

/* A collective of a rank that others took part in, and the stretch of work before it. */
struct ra_rank_stretch {
	const struct ra_collective *call;
	uint32_t before;   /* match of the rank's collective before it, RA_NONE: none */
	int64_t launch_ns; /* when the call that launched it began; its own start if not known */
	bool has_launch;
	int64_t own_ns; /* how long the rank would take from `before` to this one if its thread
	                 * began only when `before` ended; 0 if that is not known. Without launches:
	                 * how long it took on the GPU */
	int64_t gpu_ns; /* time in which kernels and copies launched meanwhile ran, no collectives
	                 */
};

/* Of one rank, in the order of their launches. */
struct ra_rank_stretches {
	struct ra_rank_stretch *rows; /* owned */
	size_t count;
	struct ra_intervals held; /* when calls of its threads waited for the end of a collective */
};

/* `collectives` and the model are borrowed. O(n log n) in operations and calls. */
void ra_rank_stretches_init(struct ra_rank_stretches *stretches, const struct ra_model *model,
                            const struct ra_collectives_rank *rank);
void ra_rank_stretches_fini(struct ra_rank_stretches *stretches);

#endif
