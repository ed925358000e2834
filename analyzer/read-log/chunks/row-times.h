/* SPDX-License-Identifier: MIT */
/* Converts the times of a batch's rows. */
#ifndef RA_ROW_TIMES_H
#define RA_ROW_TIMES_H

#include <stdbool.h>

#include "analyzer/clock/clock.h"
#include "format/batch.h"

/* Converted times: ns since time 0, by row of the batch. */
struct ra_row_times {
	int64_t *ns; /* owned */
	size_t capacity;
};

/* Frees the times. An all-zero struct has no rows. */
void ra_row_times_fini(struct ra_row_times *times);

/* The clock by which the functions below convert ticks to times. */
struct ra_row_times_source {
	const struct ra_clock *clock; /* borrowed */
	int64_t zero_ns;
	size_t *segment; /* borrowed */
};

/*
 * Converts `count` times to ns since time 0.
 *
 * @way: index of one of the ways that this machine has; all give the same result; 0 is the fastest.
 * Return: false: the machine has no way with this index.
 */
bool ra_row_times_convert_by(unsigned way, int64_t *ns, const struct ra_row_times_source *source,
                             const uint64_t *ticks, size_t count);

/* Converts times in the fastest way. */
void ra_row_times_convert_some(int64_t *ns, const struct ra_clock *clock, int64_t zero_ns,
                               const uint64_t *ticks, size_t count, size_t *segment);

/*
 * Converts the times of the rows that begin at `first`.
 *
 * @zero_ns: CLOCK_MONOTONIC of time 0.
 * @segment: a cursor of the caller, as for ra_clock_convert().
 */
void ra_row_times_convert(struct ra_row_times *times, const struct ra_clock *clock, int64_t zero_ns,
                          const struct rlog_batch *batch, size_t first, size_t *segment);

#endif
