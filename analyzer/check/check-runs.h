/* SPDX-License-Identifier: MIT */
/* Runs as samples of a rule: the interval of how many times the other figure a figure is
 * (doc/metrics.md, section 26). */
#ifndef RA_CHECK_RUNS_H
#define RA_CHECK_RUNS_H

#include "analyzer/check/check-rules.h"
#include "analyzer/diff/diff-side.h"

struct ra_check_interval {
	bool has;     /* there are runs enough */
	double ratio; /* the estimate, and the ends of its 95 % interval */
	double low;
	double high;
	size_t runs[2]; /* that it is from: of the baseline, and of the inputs */
	size_t more; /* runs on either side that would settle a rule that is unsure; 0: not known */
};

/*
 * A figure against a baseline's: runs of two sides. Against another figure of the same inputs: each
 * run has both.
 *
 * @baseline: NULL: there is none.
 */
void ra_check_runs_find(const struct ra_check_rule *rule, const struct ra_diff_side *side,
                        const struct ra_diff_side *baseline, struct ra_check_interval *interval);

#endif
