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
	RA_DIFF_BY_COUNTS,  /* instructions, where times leave it unsure */
};

/* Why an unsure row is, though its interval may lie to one side of 0. */
enum ra_diff_doubt {
	RA_DIFF_DOUBT_NONE,
	RA_DIFF_DOUBT_WIDE,    /* the interval holds 0 */
	RA_DIFF_DOUBT_SMALL,   /* its near end is within half of the limits */
	RA_DIFF_DOUBT_CHANCE,  /* one of so many rows differs as clearly by chance */
	RA_DIFF_DOUBT_SHARED,  /* it may be the machine, which all rows share */
	RA_DIFF_DOUBT_UNEVEN,  /* the fast calls do not all show it */
	RA_DIFF_DOUBT_OPPOSED, /* the time of all calls moved the other way */
	RA_DIFF_DOUBT_LONGER,  /* the longer calls moved otherwise */
	RA_DIFF_DOUBTS,
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
	enum ra_diff_doubt doubt; /* of an unsure one */
	size_t more; /* runs of either side that would settle an unsure one; 0: not known */
};

/* What rows of one machine have in common: they are as much slower or faster, all of them. */
enum ra_diff_share {
	RA_DIFF_SHARE_NONE,   /* nothing is known of it */
	RA_DIFF_SHARE_OUT,    /* little: taken out of the rows */
	RA_DIFF_SHARE_OPEN,   /* much, and the machine may be it, or the program */
	RA_DIFF_SHARE_CHANGE, /* too much and too surely for the machine: left in the rows */
};

struct ra_diff_common {
	enum ra_diff_share share;
	enum ra_diff_verdict verdict; /* of all rows together; UNSURE, too, if it is open */
	struct ra_diff_evidence evidence;
};

/* @before_ns: the time before, per unit. */
enum ra_diff_verdict ra_diff_verdict_judge(struct ra_diff_evidence *evidence, int64_t before_ns,
                                           const struct ra_diff_limits *limits);

/*
 * The same of a row that shares something with others: its evidence is what it differs by beside
 * that, and where that is left in, with it. If the program may be what is shared, the interval
 * reaches over it and what it is unsure by; a row that differs from all others is called
 * nevertheless, and the near end of its interval stays.
 */
enum ra_diff_verdict ra_diff_verdict_judge_beside(struct ra_diff_evidence *evidence,
                                                  const struct ra_diff_common *common,
                                                  int64_t before_ns,
                                                  const struct ra_diff_limits *limits);

/* What the near end of an interval must be beyond to be slower or faster: a logarithm. */
double ra_diff_verdict_find_least(int64_t before_ns, const struct ra_diff_limits *limits);

/* Whether it is slower or faster. */
bool ra_diff_verdict_is_call(enum ra_diff_verdict verdict);

/* How far from no change at all the interval reaches: a part of the time before. */
double ra_diff_verdict_find_reach(const struct ra_diff_evidence *evidence);

#endif
