/* SPDX-License-Identifier: MIT */
/* How likely chance makes the largest difference of all rows as large: by shuffling runs. */
#ifndef RA_DIFF_SHUFFLE_H
#define RA_DIFF_SHUFFLE_H

#include <stddef.h>

/* A row with a value for each run. */
struct ra_diff_shuffle_row {
	const double *values; /* borrowed; those before first; NAN: the run does not have it */
	unsigned family;
	double variance;      /* within the sides */
	double freedom;       /* of that; 0: there are too few runs */
	double prior_squares; /* of other rows: as many squares … */
	double prior_freedom; /* … as if so many runs more had given them */
	double least; /* of equal sides the row is not mistaken for another one, be its t as large,
	                 unless the near end of its interval is beyond this; 0: it always is */
	double critical; /* so many deviations make the interval */
	double t;        /* |difference| by its deviation */
	double chance;   /* found here, as the next two */
	double gap;   /* from the nearest run of one side to that of the other, if all runs of one
	                 are beyond all of the other; else 0 */
	double apart; /* how likely, of equal sides, any row has a gap that is more than its least;
	                 0 if none has */
};

/* The variance, from the sum of the squares within the sides and what other rows tell. */
double ra_diff_shuffle_variance(const struct ra_diff_shuffle_row *row, double squares);

/*
 * Sets each row's chance: how likely, of equal sides, any of the rows has a t as large (Westfall
 * and Young's max-T), and a difference that would count. Of few runs it is Student's, times the
 * number of rows, and gaps tell nothing.
 */
void ra_diff_shuffle_find_chances(struct ra_diff_shuffle_row *rows, size_t count,
                                  const size_t runs[2]);

#endif
