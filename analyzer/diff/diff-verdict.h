/* SPDX-License-Identifier: MIT */
/* What an interval says: slower, faster, equal, or that more runs are needed (doc/metrics.md,
 * section 25). */
#ifndef RA_DIFF_VERDICT_H
#define RA_DIFF_VERDICT_H

#include "analyzer/diff/diff-noise.h"

/* What a verdict rests on. */
enum ra_diff_method {
	RA_DIFF_BY_BUCKETS, /* distributions of durations: no interval */
	RA_DIFF_BY_PAIRS,   /* the i-th call of one side and that of the other */
	RA_DIFF_BY_CALLS,   /* how long calls take, whichever they are */
	RA_DIFF_BY_TOTALS,  /* the time of runs */
};

struct ra_diff_evidence {
	enum ra_diff_method method;
	bool has;      /* an interval */
	double change; /* logarithm of after / before, as the next two … */
	double low;    /* … ends of the 95 % interval */
	double high;
	double chance;  /* that one of all rows differs as clearly by chance */
	size_t runs[2]; /* that it is from */
	bool is_small;  /* equal only since the time is: the interval reaches beyond the limit in %
	                 */
	size_t more;    /* runs of either side that would settle an unsure one; 0: not known */
};

/* @before_ns: the time before, per unit. */
enum ra_diff_verdict ra_diff_verdict_judge(struct ra_diff_evidence *evidence, int64_t before_ns,
                                           const struct ra_diff_limits *limits);

/* How far from no change at all the interval reaches: a part of the time before. */
double ra_diff_verdict_find_reach(const struct ra_diff_evidence *evidence);

#endif
