/* SPDX-License-Identifier: MIT */
/* Checks whether both sides did the same work, that is, made as many calls of each operator. */
#include "analyzer/diff/diff-work.h"

#include <math.h>

/* With fewer names of ranges than this, the work is not judged. */
#define FEW_NAMES 5u

/* The work is the same if at least this part of all calls is of names with as many calls on both
 * sides. It is other work if at most 1 - this part is of such names, … */
#define MOST_CALLS 0.9

/* … and if at least this part is of names whose numbers of calls surely differ. */
#define HALF 0.5

static bool has_equal_calls(const struct ra_diff *diff, const struct ra_diff_row *row)
{
	return (ra_sum_u128) row->calls[0] * diff->units[1] ==
	       (ra_sum_u128) row->calls[1] * diff->units[0];
}

/* Returns the calls per step, on the side that has more. */
static double find_calls(const struct ra_diff *diff, const struct ra_diff_row *row)
{
	return fmax((double) row->calls[0] / (double) diff->units[0],
	            (double) row->calls[1] / (double) diff->units[1]);
}

struct ra_diff_work ra_diff_work_find(const struct ra_diff *diff)
{
	struct ra_diff_work work = { 0 };
	double all = 0;
	double equal = 0;
	double other = 0;

	for (size_t i = 0; i < diff->count && diff->has_steps; i++) {
		const struct ra_diff_row *row = &diff->rows[i];
		const double calls = find_calls(diff, row);

		if (row->table != RA_SUM_RANGES) {
			continue;
		}
		work.names++;
		all += calls;
		if (has_equal_calls(diff, row)) {
			work.equal++;
			equal += calls;
		} else if (row->calls[0] == 0 || row->calls[1] == 0 ||
		           ra_diff_has_other_calls(diff, row, diff->limits.percent)) {
			other += calls;
		}
	}
	if (work.names < FEW_NAMES) {
		return (struct ra_diff_work){ 0 };
	}
	work.is_same = equal >= MOST_CALLS * all;
	work.is_other = equal <= (1 - MOST_CALLS) * all && other >= HALF * all;
	return work;
}
