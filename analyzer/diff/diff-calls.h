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

/* Logarithms of durations: a row for each call, a column for each run; NAN: the run lacks the
 * call. */
struct ra_diff_calls {
	double *values; /* owned */
	size_t calls;
	size_t runs;
	size_t before; /* number of runs of the first side */
};

/* With fewer calls than this, no verdict is based on single calls. */
#define RA_DIFF_CALLS_FEW 5u

/*
 * Finds the calls that runs have in common. If all runs make the same calls, the i-th calls are
 * paired, else calls at the same place. Fails if a run and the first run have less than nine tenths
 * of the calls of the smaller one in common.
 *
 * Return: true if there are pairs. Call fini in any case.
 */
bool ra_diff_calls_pair(struct ra_diff_calls *pairs, const struct ra_diff_calls_run *runs,
                        size_t count, size_t before);
void ra_diff_calls_fini(struct ra_diff_calls *pairs);

/*
 * Compares the calls of each run with the undisturbed times of the same calls in other runs.
 *
 * @figures: gets a logarithm for each run, NAN if the run has no calls.
 * Return: true if calls at one place are more alike than the calls of one run.
 */
bool ra_diff_calls_find_figures(const struct ra_diff_calls *pairs, double *figures);

/* Returns how long the calls of a run take: a trimmed mean of the logarithms of their durations.
 * Return: NAN without calls. */
double ra_diff_calls_find_level(const struct ra_sum_stat *stat);

/* Returns the same for the longer half of the calls, without the longest twentieth. */
double ra_diff_calls_find_longer(const struct ra_sum_stat *stat);

/* Returns the time of all calls in ns, as if the longest twentieth were as long as the mean of the
 * others. */
double ra_diff_calls_find_usual(const struct ra_sum_stat *stat);

/* The difference of two runs, one on each side, and how sure it is. */
struct ra_diff_calls_estimate {
	double change;    /* logarithm of after / before */
	double deviation; /* deviation of `change`, estimated from stretches of consecutive calls
	                     … */
	double freedom;   /* … and its degrees of freedom, from the number of stretches */
	double firm;      /* the part of the change that nearly all calls show: other processes make
	                     only some calls longer, while more work makes all longer */
	bool is_by_pairs;
};

/* Compares the calls of two runs. @pairs: the pairs of the two runs; NULL: there are none. Return:
 * false if there are too few calls. */
bool ra_diff_calls_compare(const struct ra_diff_calls *pairs,
                           const struct ra_diff_calls_run runs[2],
                           struct ra_diff_calls_estimate *estimate);

#endif
