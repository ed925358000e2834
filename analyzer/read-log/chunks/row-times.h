/* SPDX-License-Identifier: MIT */
/* The times of a batch's rows. */
#ifndef RA_ROW_TIMES_H
#define RA_ROW_TIMES_H

#include <stdbool.h>

#include "analyzer/clock/clock.h"
#include "format/batch.h"

/* ns since time 0, by row, of those that were converted. */
struct ra_row_times {
	int64_t *ns; /* owned */
	size_t capacity;
};

/* Zero is one without rows. */
void ra_row_times_fini(struct ra_row_times *times);

/* Ways to convert ticks to times, as below. */
struct ra_row_times_source {
	const struct ra_clock *clock; /* borrowed */
	int64_t zero_ns;
	size_t *segment; /* borrowed */
};

/*
 * Converts `count` times to ns since time 0.
 *
 * @way: of those that this machine has, all of the same result; 0 is the fastest.
 * Return: false: there are not so many ways.
 */
bool ra_row_times_convert_by(unsigned way, int64_t *ns, const struct ra_row_times_source *source,
                             const uint64_t *ticks, size_t count);

/* Converts times in the fastest way. */
void ra_row_times_convert_some(int64_t *ns, const struct ra_clock *clock, int64_t zero_ns,
                               const uint64_t *ticks, size_t count, size_t *segment);

/*
 * Converts those of the rows from `first` on.
 *
 * @zero_ns: CLOCK_MONOTONIC of time 0.
 * @segment: a cursor of the caller, as of ra_clock_convert().
 */
void ra_row_times_convert(struct ra_row_times *times, const struct ra_clock *clock, int64_t zero_ns,
                          const struct rlog_batch *batch, size_t first, size_t *segment);

#endif
