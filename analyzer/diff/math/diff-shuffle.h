/* SPDX-License-Identifier: MIT */
/* Finds how likely chance makes the largest difference of all rows this large, by shuffling
 * runs. */
#ifndef RA_DIFF_SHUFFLE_H
#define RA_DIFF_SHUFFLE_H

#include <stddef.h>

/* A row with a value for each run. */
struct ra_diff_shuffle_row {
	const double *values; /* borrowed; runs before first; NAN: the run lacks it */
	unsigned family;
	double variance;      /* within the sides */
	double freedom;       /* degrees of freedom of that; 0: there are too few runs */
	double prior_squares; /* from other rows: this sum of squares … */
	double prior_freedom; /* … as if this many more runs had given it */
	double least;    /* however large its t, the row only counts if the near end of its interval
	                    exceeds this; 0: it always counts */
	double critical; /* the interval is this many deviations to either side */
	double t;        /* |difference| / its deviation */
	double chance;   /* found here; so are the next two */
	double gap;      /* distance of the nearest runs of both sides, if all runs of one are
	                    beyond all of the other; else 0 */
	double apart;    /* how likely any row of equal sides has a gap larger than its least; 0 if
	                    none has */
};

/* The variance, from the squares within the sides and those of other rows. */
double ra_diff_shuffle_variance(const struct ra_diff_shuffle_row *row, double squares);

/*
 * Sets each row's chance: how likely, with equal sides, any of the rows has a t as large (Westfall
 * and Young's max-T) and a difference that would count. With few runs it is Student's, times the
 * number of rows, and gaps tell nothing.
 */
void ra_diff_shuffle_find_chances(struct ra_diff_shuffle_row *rows, size_t count,
                                  const size_t runs[2]);

#endif
