/* SPDX-License-Identifier: MIT */
/* Sums runs of ranges that nest. */
#ifndef RA_RANGE_RUNS_H
#define RA_RANGE_RUNS_H

#include "analyzer/figures/ranges/range-part.h"
#include "analyzer/figures/ranges/self-time.h"

/*
 * For each level, the range that is open while a run is summed up; entry 0 stands for "no range". A
 * range adds its duration to the inner time of the range around it. If the outer range ends in the
 * run, its inner time is its group's; if it stays open, its inner time is in open_ns.
 * Zero-initialise.
 */
struct ra_range_levels {
	uint64_t **inner_ns; /* owned: for each level, the place to which durations are added */
	uint64_t *open_ns;   /* owned: inner time of "no range", and of the ranges that stay open */
	size_t capacity;
	size_t open_capacity;
};

void ra_range_levels_fini(struct ra_range_levels *levels);

/*
 * Adds a run to the sums of a part. The caller has reserved room for the run's names.
 *
 * @self: as before the run; it is not changed.
 * @levels: afterwards, their open_ns is that of this run.
 * Return: as take_run() of a sink.
 */
int64_t ra_range_runs_sum(struct ra_range_part *part, const struct ra_slice_run *run,
                          const struct ra_self_time *self, struct ra_range_levels *levels);

/* Adds the run to the self times. Call once, after the sums. */
void ra_range_runs_keep_self(struct ra_self_time *self, const struct ra_slice_run *run,
                             const struct ra_range_levels *levels);

/* Adds a run in a further pass, which narrows the medians. */
void ra_range_runs_narrow(struct ra_range_part *part, const struct ra_slice_run *run);

/* Finds the covered time of a run without sums. Return: as take_run() of a sink. */
int64_t ra_range_runs_cover(const struct ra_slice_run *run);

#endif
