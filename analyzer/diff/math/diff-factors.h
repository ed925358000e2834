/* SPDX-License-Identifier: MIT */
/* Checks whether all names changed by one factor, as they do on another machine (doc/metrics.md,
 * section 25). */
#ifndef RA_DIFF_FACTORS_H
#define RA_DIFF_FACTORS_H

#include <stdbool.h>
#include <stddef.h>

/* With fewer names than this, their factors are not judged, and the names count as alike. */
#define RA_DIFF_FACTORS_FEW 3u

/* The factors of names, as logarithms of after / before. */
struct ra_diff_factors {
	size_t count; /* number of names; if it is below RA_DIFF_FACTORS_FEW, the rest is 0 */
	double low;   /* a quarter of the names is below this */
	double middle;
	double high; /* a quarter of the names is above this */
	bool are_alike;
};

/*
 * Finds the quartiles, and whether the names are alike.
 *
 * @values: logarithms: first those of ranges or GPU work, then those of calls of CUDA. The function
 * sorts them.
 */
struct ra_diff_factors ra_diff_factors_find(double *values, size_t ranges, size_t calls);

#endif
