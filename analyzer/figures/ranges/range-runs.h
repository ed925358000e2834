/* SPDX-License-Identifier: MIT */
/* Sums over runs of ranges that nest. */
#ifndef RA_RANGE_RUNS_H
#define RA_RANGE_RUNS_H

#include "analyzer/figures/ranges/range-part.h"
#include "analyzer/figures/ranges/self-time.h"

/*
 * The ranges that are open while a run is summed up, by level, after an entry for "no range". A
 * range adds its duration to the inner time of the range around it: to that of its group if the
 * outer range ends in the run, or to that of a stand-in if it stays open. Zero-initialise.
 */
struct ra_range_levels {
	uint64_t **inner_ns; /* owned: where durations go */
	uint64_t *open_ns;   /* owned: of no range, and of the ranges that stay open */
	size_t capacity;
	size_t open_capacity;
};

void ra_range_levels_fini(struct ra_range_levels *levels);

/*
 * Adds a run to the sums of a part; room for its names was reserved.
 *
 * @self: as it was before the run; it is not changed.
 * @levels: afterwards their open_ns is of this run.
 * Return: as take_run() of a sink.
 */
int64_t ra_range_runs_sum(struct ra_range_part *part, const struct ra_slice_run *run,
                          const struct ra_self_time *self, struct ra_range_levels *levels);

/* Adds the run to the self times. Call it once, after the sums. */
void ra_range_runs_keep_self(struct ra_self_time *self, const struct ra_slice_run *run,
                             const struct ra_range_levels *levels);

/* Adds a run in a further pass, which narrows the medians. */
void ra_range_runs_narrow(struct ra_range_part *part, const struct ra_slice_run *run);

/* Finds the covered time of a run without sums. Return: as above. */
int64_t ra_range_runs_cover(const struct ra_slice_run *run);

#endif
