/* SPDX-License-Identifier: MIT */
/* Whether all names of a machine changed by the same factor, as another machine changes them. */
#include "analyzer/diff/diff-factors.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/diff/diff-evidence.h"
#include "analyzer/diff/diff-math.h"

/* With fewer names nothing is said of their factors. */
#define FEW_NAMES 3u

/* Factors may differ by this logarithm, however small the change is: names vary by as much. */
#define LEAST_SPREAD 0.05

/* The quartiles of their logarithms may differ by this part of the median. */
#define MOST_SPREAD 0.5

/* The calls of CUDA follow the ranges if their median is at least this part of the ranges', and at
 * most its inverse. */
#define LEAST_FOLLOWED 0.5

/* The quantiles of a few logarithms. */
struct quartiles {
	double low;
	double middle;
	double high;
};

/* Sorts the array, which is not empty. */
static struct quartiles find_quartiles(double *values, size_t count)
{
	const double middle = ra_diff_math_median(values, count);

	return (struct quartiles){ values[count / 4], middle, values[count - 1 - count / 4] };
}

/* Calls of CUDA beside the rows that show what a machine's rows share. */
static bool is_named(const struct ra_diff_row *row, unsigned common,
                     const struct ra_diff_limits *limits)
{
	bool is_call = row->table == RA_SUM_APIS && common == RA_DIFF_COMMON_CPU;

	for (size_t side = 0; side < 2; side++) {
		is_call = is_call && row->calls[side] >= RA_DIFF_FEW && row->total_ns[side] > 0 &&
		          row->total_ns[side] >= limits->time_ns;
	}
	return is_call || (ra_diff_evidence_machine(row, limits) == common &&
	                   !(row->table == RA_SUM_KERNELS && row->kind == RA_SUM_COLLECTIVE));
}

static bool are_alike(const struct ra_diff_factors *factors, double of_ranges, double of_calls)
{
	const double spread = factors->high - factors->low;
	const double size = fabs(of_ranges);

	if (spread > fmax(MOST_SPREAD * size, LEAST_SPREAD)) {
		return false;
	}
	return fabs(of_calls - of_ranges) <= LEAST_SPREAD ||
	       (of_calls * of_ranges > 0 && fabs(of_calls) >= LEAST_FOLLOWED * size &&
	        fabs(of_calls) <= size / LEAST_FOLLOWED);
}

struct ra_diff_factors ra_diff_factors_find(const struct ra_diff *diff, unsigned common,
                                            const struct ra_diff_limits *limits)
{
	double *all = ra_alloc_zeros(3 * diff->count + 1, sizeof(*all));
	double *ranges = all + diff->count; /* on a GPU: all */
	double *calls = ranges + diff->count;
	struct ra_diff_factors factors = { .are_alike = true };
	size_t range_count = 0;
	size_t call_count = 0;

	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];
		double factor;

		if (!is_named(row, common, limits)) {
			continue;
		}
		factor = ra_diff_calls_find_level(row->stats[1]) -
		         ra_diff_calls_find_level(row->stats[0]);
		all[factors.count++] = factor;
		if (row->table == RA_SUM_APIS) {
			calls[call_count++] = factor;
		} else {
			ranges[range_count++] = factor;
		}
	}
	if (factors.count >= FEW_NAMES) {
		const struct quartiles quartiles = find_quartiles(all, factors.count);
		const double of_ranges = range_count > 0 ? ra_diff_math_median(ranges, range_count)
		                                         : quartiles.middle;
		const double of_calls = call_count >= FEW_NAMES
		                                ? ra_diff_math_median(calls, call_count)
		                                : of_ranges;

		factors.low = quartiles.low;
		factors.middle = quartiles.middle;
		factors.high = quartiles.high;
		factors.are_alike = are_alike(&factors, of_ranges, of_calls);
	}
	free(all);
	return factors;
}
