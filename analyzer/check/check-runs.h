/* SPDX-License-Identifier: MIT */
/* Runs as samples of a rule: the interval of the ratio of a figure to the other figure
 * (doc/metrics.md, section 26). */
#ifndef RA_CHECK_RUNS_H
#define RA_CHECK_RUNS_H

#include "analyzer/check/check-rules.h"
#include "analyzer/diff/diff-side.h"

struct ra_check_interval {
	bool has;     /* there are enough runs */
	double ratio; /* the estimate, and the bounds of its 95 % interval */
	double low;
	double high;
	size_t runs[2]; /* number of runs used: of the baseline, and of the inputs */
	size_t more;    /* runs of each side that would settle an unsure rule; 0: not known */
};

/*
 * Against a baseline's figure: the runs of two sides. Against another figure of the same inputs:
 * each run has both.
 *
 * @baseline: NULL: there is none.
 */
void ra_check_runs_find(const struct ra_check_rule *rule, const struct ra_diff_side *side,
                        const struct ra_diff_side *baseline, struct ra_check_interval *interval);

#endif
