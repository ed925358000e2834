/* SPDX-License-Identifier: MIT */
/* The calls of a row in each run: which of one run is which of another, and what they tell. */
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

/* Durations as logarithms: a line for each call, a column for each run; NAN: it has none. */
struct ra_diff_calls {
	double *values; /* owned */
	size_t calls;
	size_t runs;
	size_t before; /* how many of them are of the first side */
};

/* Of fewer calls nothing is told by call. */
#define RA_DIFF_CALLS_FEW 5u

/*
 * Finds the calls that runs have in common: the i-th if all make the same calls, else those of one
 * place. Fails where less than nine tenths of the calls of the smaller of a run and the first are
 * in both.
 *
 * Return: whether there are pairs; fini in any case.
 */
bool ra_diff_calls_pair(struct ra_diff_calls *pairs, const struct ra_diff_calls_run *runs,
                        size_t count, size_t before);
void ra_diff_calls_fini(struct ra_diff_calls *pairs);

/*
 * What calls take in each run beside what the same calls take in other runs undisturbed.
 *
 * @figures: logarithms; gets one for each run, NAN if it has no calls.
 * Return: whether calls of one place are alike, by more than calls of a run are.
 */
bool ra_diff_calls_find_figures(const struct ra_diff_calls *pairs, double *figures);

/* How long calls of a run take: a trimmed mean of the logarithms. Return: NAN of none. */
double ra_diff_calls_find_level(const struct ra_sum_stat *stat);

/* The same of the longer half, without the longest twentieth. */
double ra_diff_calls_find_longer(const struct ra_sum_stat *stat);

/* The time of all calls, ns, if the longest twentieth were as the others. */
double ra_diff_calls_find_usual(const struct ra_sum_stat *stat);

/* What two runs differ by, and how surely, as far as one run each can tell. */
struct ra_diff_calls_estimate {
	double change;    /* logarithm of after / before */
	double deviation; /* of that, by stretches of calls, which follow each other … */
	double freedom;   /* … and how many there were */
	double firm;      /* the part of change that nearly all calls show: others' work makes some
	                     calls longer, more work all of them */
	bool is_by_pairs;
};

/* Return: false: there are too few calls. @pairs: of two runs; NULL: there are none. */
bool ra_diff_calls_compare(const struct ra_diff_calls *pairs,
                           const struct ra_diff_calls_run runs[2],
                           struct ra_diff_calls_estimate *estimate);

#endif
