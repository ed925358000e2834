/* SPDX-License-Identifier: MIT */
/* Matches the calls of one run with those of another, and compares them. */
#ifndef RA_DIFF_CALLS_H
#define RA_DIFF_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyzer/summary-file/build/sum-series.h"

/* The calls of a run. */
struct ra_diff_calls_run {
	const struct ra_sum_series_call *calls; /* borrowed */
	size_t count;
};

/* Durations as logarithms: a row for each call, a column for each run; NAN: the run lacks it. */
struct ra_diff_calls {
	double *values; /* owned */
	size_t calls;
	size_t runs;
	size_t before; /* number of runs of the first side */
};

/* With fewer calls than this, single calls give no verdict. */
#define RA_DIFF_CALLS_FEW 5u

/*
 * Finds the calls that runs have in common: the i-th if all runs make the same calls, else calls at
 * the same place. Fails if a run and the first one share less than nine tenths of the calls of the
 * smaller.
 *
 * Return: true if there are pairs; fini in any case.
 */
bool ra_diff_calls_pair(struct ra_diff_calls *pairs, const struct ra_diff_calls_run *runs,
                        size_t count, size_t before);
void ra_diff_calls_fini(struct ra_diff_calls *pairs);

/*
 * Compares the calls of each run with the undisturbed times of the same calls in other runs.
 *
 * @figures: logarithms, one for each run, NAN if it has no calls.
 * Return: true if calls at one place are more alike than calls of one run.
 */
bool ra_diff_calls_find_figures(const struct ra_diff_calls *pairs, double *figures);

/* Returns how long calls of a run take: a trimmed mean of the logarithms. Return: NAN without
 * calls. */
double ra_diff_calls_find_level(const struct ra_sum_stat *stat);

/* Returns this level for the longer half of the calls, without the longest twentieth. */
double ra_diff_calls_find_longer(const struct ra_sum_stat *stat);

/* Returns the time of all calls, ns, as if the longest twentieth were as long as the others. */
double ra_diff_calls_find_usual(const struct ra_sum_stat *stat);

/* The difference of two runs and how sure it is, estimated from one run on each side. */
struct ra_diff_calls_estimate {
	double change;    /* logarithm of after / before */
	double deviation; /* of the change, from stretches of consecutive calls … */
	double freedom;   /* … and the number of stretches */
	double firm;      /* the part of change that nearly all calls show: other processes lengthen
	                     some calls, more work lengthens all */
	bool is_by_pairs;
};

/* Return: false if there are too few calls. @pairs: of two runs; NULL: there are none. */
bool ra_diff_calls_compare(const struct ra_diff_calls *pairs,
                           const struct ra_diff_calls_run runs[2],
                           struct ra_diff_calls_estimate *estimate);

#endif
