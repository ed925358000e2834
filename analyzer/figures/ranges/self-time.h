/* SPDX-License-Identifier: MIT */
/*
 * Finds the self time of push/pop ranges: a range's duration minus those of its direct children
 * (doc/metrics.md, section 3). Used for ranges in memory, for ranges of a walk, and for ranges that
 * are streamed past (range-stream.c subtracts the values of ra_self_time_take()). Two reports have
 * torch's figures with a similar name: Self host of operators, which leaves out CUDA calls
 * (reports/operators.c), and Self CPU of key_averages (compat/torch/).
 */
#ifndef RA_SELF_TIME_H
#define RA_SELF_TIME_H

#include "analyzer/model/slice-sink.h"

/* Adds a range to the self time of its group. @around_ns: self time of the group of the range
 * around it; NULL if no range is around it. Sums are modulo 2^64 until all ranges are added. */
static inline void ra_self_time_add(uint64_t *self_ns, uint64_t *around_ns, int64_t dur_ns)
{
	*self_ns += (uint64_t) dur_ns;
	if (around_ns != NULL) {
		*around_ns -= (uint64_t) dur_ns;
	}
}

/*
 * The time in the direct children of ranges that are streamed past. The time in a range that is
 * open at the end of a stretch is kept for the next stretch. Zero-initialise.
 */
struct ra_self_time {
	int64_t *inner_ns; /* owned; for each slice of the stretch, modulo 2^64 */
	size_t capacity;
	int64_t *open_ns; /* owned; for each slice that was open, the last slice first */
	size_t open_capacity;
	size_t open_count;
};

/*
 * Takes the next stretch of a thread.
 *
 * Return: for each slice of the stretch, the time in direct children, modulo 2^64; it is right for
 * slices that ended. Valid until the next call.
 */
const int64_t *ra_self_time_take(struct ra_self_time *self, const struct ra_slices *slices);

/* Returns the time kept for an open range, by its number among the open ranges, outermost first. */
static inline int64_t ra_self_time_open(const struct ra_self_time *self, size_t open)
{
	return open < self->open_count ? self->open_ns[self->open_count - 1 - open] : 0;
}

void ra_self_time_fini(struct ra_self_time *self);

#endif
