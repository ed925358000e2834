/* SPDX-License-Identifier: MIT */
/* Decides whether durations got longer or shorter by more than noise (doc/metrics.md, section
 * 25). */
#ifndef RA_DIFF_NOISE_H
#define RA_DIFF_NOISE_H

#include <stdbool.h>

#include "analyzer/summary-file/sum-stat.h"

/* The limits. A difference must exceed both to count. */
struct ra_diff_limits {
	double percent; /* per cent of the time before */
	int64_t time_ns;
};

enum ra_diff_verdict {
	RA_DIFF_SAME,  /* within the limits, or perhaps noise */
	RA_DIFF_EQUAL, /* surely within the limits */
	RA_DIFF_FASTER,
	RA_DIFF_SLOWER,
	RA_DIFF_UNSURE, /* beyond the limits, but it may be noise */
	RA_DIFF_NEW,
	RA_DIFF_GONE,
};

/* Both sides need at least this many durations to tell a difference from noise. */
#define RA_DIFF_FEW 5u

/* A row, before and after. */
struct ra_diff_times {
	int64_t time_ns[2];                 /* per unit, ns */
	uint64_t calls[2];                  /* number of calls in all units */
	uint64_t units[2];                  /* number of units; not 0 */
	const struct ra_sum_stat *stats[2]; /* borrowed: the distributions of the durations */
	bool is_repeated; /* all durations are of the same work, so their variation is noise */
};

/* By how much the fast quantiles of the longer side exceed those of the shorter side, as parts of
 * the latter. */
struct ra_diff_move {
	double least;
	double most;
	double least_ns; /* the difference in ns at the quantile whose part is least */
};

/* Facts about two runs that all of their rows show. */
struct ra_diff_run_facts {
	size_t rows;  /* number of rows that are judged: the more there are, the more each must
	                 show */
	double noise; /* (most - least) of a row's moves: the mean over all rows, weighted by
	                 time */
};

/* Finds how the fast quantiles moved. Both sides must have durations. */
void ra_diff_find_move(struct ra_diff_move *move, const struct ra_diff_times *times);

/* True if the number of calls per unit changed by more than the limit, and by more than the random
 * variation of such numbers. */
bool ra_diff_noise_has_other_calls(const struct ra_diff_times *times, double percent);

/* Judges a row. Both sides must have durations, unless the times are equal. */
enum ra_diff_verdict ra_diff_judge(const struct ra_diff_times *times,
                                   const struct ra_diff_limits *limits,
                                   const struct ra_diff_run_facts *run);

#endif
