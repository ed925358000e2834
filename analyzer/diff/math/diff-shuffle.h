/* SPDX-License-Identifier: MIT */
/* Finds how likely it is by chance that the largest difference of all rows is as large, by
 * shuffling runs. */
#ifndef RA_DIFF_SHUFFLE_H
#define RA_DIFF_SHUFFLE_H

#include <stddef.h>

/* A row with a value for each run. */
struct ra_diff_shuffle_row {
	const double *values; /* borrowed; the runs before come first; NAN: the run lacks the row */
	unsigned family;
	double variance;      /* variance within the sides */
	double freedom;       /* its degrees of freedom; 0: there are too few runs */
	double prior_squares; /* from other rows: this sum of squares is added … */
	double prior_freedom; /* … with the weight of this many runs */
	double least;    /* the row counts only if the near end of its interval exceeds this, even
	                    if its t is large; 0: it always counts */
	double critical; /* the interval reaches this many deviations to either side */
	double t;        /* |difference| / the deviation of the difference */
	double chance;   /* set by ra_diff_shuffle_find_chances(), as are gap and apart */
	double gap;      /* if all runs of one side are beyond all runs of the other: the distance
	                    of the nearest ones; else 0 */
	double apart;    /* how likely it is with equal sides that any row has a gap larger than its
	                    `least`; 0 if no row has one */
};

/* Returns the variance, computed from the squares within the sides and those of other rows. */
double ra_diff_shuffle_variance(const struct ra_diff_shuffle_row *row, double squares);

/*
 * Sets each row's chance: how likely it is with equal sides that any row has a t as large (Westfall
 * and Young's max-T) and a difference that counts. With few runs the chance is that of Student's t,
 * times the number of rows, and gaps are not used.
 */
void ra_diff_shuffle_find_chances(struct ra_diff_shuffle_row *rows, size_t count,
                                  const size_t runs[2]);

#endif
