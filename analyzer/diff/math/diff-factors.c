/* SPDX-License-Identifier: MIT */
/* Checks whether all names of a machine changed by one factor, as they do on another machine. */
#include "analyzer/diff/math/diff-factors.h"

#include <math.h>

#include "analyzer/diff/math/diff-math.h"

/* The quartiles may always differ by this logarithm, even if the change is small, because names
 * vary by as much. */
#define LEAST_SPREAD 0.05

/* The quartiles of the factors' logarithms may differ by this part of the median. */
#define MOST_SPREAD 0.5

/* Calls of CUDA changed as the ranges did if their median is at least this part of the ranges'
 * median, and at most the inverse. */
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
	factors.middle = ra_diff_math_median(values, count); /* this sorts all values */
	factors.low = values[count / 4];
	factors.high = values[count - 1 - count / 4];
	of_ranges = ranges > 0 ? of_ranges : factors.middle;
	of_calls = calls >= RA_DIFF_FACTORS_FEW ? of_calls : of_ranges;
	factors.are_alike = are_alike(&factors, of_ranges, of_calls);
	return factors;
}
