/* SPDX-License-Identifier: MIT */
/* Treats runs as samples for a rule: finds the interval of the ratio of a figure to the figure that
 * it is compared with (doc/metrics.md, section 26). */
#ifndef RA_CHECK_RUNS_H
#define RA_CHECK_RUNS_H

#include "analyzer/check/check-rules.h"
#include "analyzer/diff/diff-side.h"

struct ra_check_interval {
	bool has;     /* there are enough runs */
	double ratio; /* the estimate, and the bounds of its 95 % interval */
	double low;
	double high;
	size_t runs[2]; /* number of runs used: of the baseline's side, and of the inputs' side */
	size_t more;    /* further runs of each side that would settle an unsure rule; 0: not
	                   known */
};

/*
 * Compares a figure with a baseline's by the runs of both sides. Compares it with another figure of
 * the same inputs by the pairs, because each run has both.
 *
 * @baseline: NULL: the rule has none.
 */
void ra_check_runs_find(const struct ra_check_rule *rule, const struct ra_diff_side *side,
                        const struct ra_diff_side *baseline, struct ra_check_interval *interval);

#endif
