/* SPDX-License-Identifier: MIT */
/* Decides whether durations got longer or shorter by more than noise (doc/metrics.md, section
 * 25). */
#ifndef RA_DIFF_NOISE_H
#define RA_DIFF_NOISE_H

#include <stdbool.h>

#include "analyzer/summary-file/sum-stat.h"

/* Limits: a difference must exceed both to count. */
struct ra_diff_limits {
	double percent; /* of the time before */
	int64_t time_ns;
};

enum ra_diff_verdict {
	RA_DIFF_SAME,  /* within the limits, or noise */
	RA_DIFF_EQUAL, /* surely within the limits */
	RA_DIFF_FASTER,
	RA_DIFF_SLOWER,
	RA_DIFF_UNSURE, /* beyond the limits, but perhaps noise */
	RA_DIFF_NEW,
	RA_DIFF_GONE,
};

/* Number of durations that both sides need to judge noise. */
#define RA_DIFF_FEW 5u

/* One row, before and after. */
struct ra_diff_times {
	int64_t time_ns[2];                 /* per unit */
	uint64_t calls[2];                  /* of all units */
	uint64_t units[2];                  /* not 0 */
	const struct ra_sum_stat *stats[2]; /* borrowed: the single durations */
	bool is_repeated; /* all durations are of the same work: their variation is noise */
};

/* How far the longer side's fast quantiles exceed those of the shorter, as parts of the latter. */
struct ra_diff_move {
	double least;
	double most;
	double least_ns; /* at the quantile with the smallest part */
};

/* Facts about two runs that all of their rows show. */
struct ra_diff_run_facts {
	size_t rows;  /* number of rows judged: the more, the more each must show */
	double noise; /* most - least of a row's moves: mean of all rows, weighted by time */
};

/* Both sides have durations. */
void ra_diff_find_move(struct ra_diff_move *move, const struct ra_diff_times *times);

/* True if the number of calls per unit changed: beyond the limit, and beyond the random
 * variation of such numbers. */
bool ra_diff_noise_has_other_calls(const struct ra_diff_times *times, double percent);

/* Both sides have durations, unless the times are equal. */
enum ra_diff_verdict ra_diff_judge(const struct ra_diff_times *times,
                                   const struct ra_diff_limits *limits,
                                   const struct ra_diff_run_facts *run);

#endif
