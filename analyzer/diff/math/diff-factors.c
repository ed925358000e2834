/* SPDX-License-Identifier: MIT */
/* Checks whether all names of a machine changed by one factor, as another machine changes them. */
#include "analyzer/diff/math/diff-factors.h"

#include <math.h>

#include "analyzer/diff/math/diff-math.h"

/* Factors may differ by this logarithm, however small the change is: names vary by as much. */
#define LEAST_SPREAD 0.05

/* The quartiles of their logarithms may differ by this part of the median. */
#define MOST_SPREAD 0.5

/* The calls of CUDA follow the ranges if their median is at least this part of the ranges', and at
 * most its inverse. */
#define LEAST_FOLLOWED 0.5

static bool are_alike(const struct ra_diff_factors *factors, double of_ranges, double of_calls)
{
	const double size = fabs(of_ranges);

	if (factors->high - factors->low > fmax(MOST_SPREAD * size, LEAST_SPREAD)) {
		return false;
	}
	return fabs(of_calls - of_ranges) <= LEAST_SPREAD ||
	       (of_calls * of_ranges > 0 && fabs(of_calls) >= LEAST_FOLLOWED * size &&
	        fabs(of_calls) <= size / LEAST_FOLLOWED);
}

struct ra_diff_factors ra_diff_factors_find(double *values, size_t ranges, size_t calls)
{
	const size_t count = ranges + calls;
	struct ra_diff_factors factors = { .count = count, .are_alike = true };
	double of_ranges = ra_diff_math_median(values, ranges);
	double of_calls = ra_diff_math_median(values + ranges, calls);

	if (count < RA_DIFF_FACTORS_FEW) {
		return factors;
	}
	factors.middle = ra_diff_math_median(values, count); /* this sorts all of them */
	factors.low = values[count / 4];
	factors.high = values[count - 1 - count / 4];
	of_ranges = ranges > 0 ? of_ranges : factors.middle;
	of_calls = calls >= RA_DIFF_FACTORS_FEW ? of_calls : of_ranges;
	factors.are_alike = are_alike(&factors, of_ranges, of_calls);
	return factors;
}
