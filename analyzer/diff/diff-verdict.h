/* SPDX-License-Identifier: MIT */
/* Makes verdicts from intervals: slower, faster, equal, or unsure, if more runs are needed
 * (doc/metrics.md, section 25). */
#ifndef RA_DIFF_VERDICT_H
#define RA_DIFF_VERDICT_H

#include "analyzer/diff/diff-noise.h"
#include "analyzer/diff/math/diff-factors.h"

/* The method behind a verdict. */
enum ra_diff_method {
	RA_DIFF_BY_BUCKETS, /* distributions of durations; there is no interval */
	RA_DIFF_BY_PAIRS,   /* the i-th call of one side against the i-th call of the other */
	RA_DIFF_BY_CALLS,   /* durations of calls, in any order */
	RA_DIFF_BY_TOTALS,  /* the total time in each run */
	RA_DIFF_BY_COUNTS,  /* numbers of instructions, if times leave the row unsure */
	RA_DIFF_BY_STEPS,   /* the order of few steps by length */
};

/* Why a row is unsure, although its interval may not contain 0. */
enum ra_diff_doubt {
	RA_DIFF_DOUBT_NONE,
	RA_DIFF_DOUBT_WIDE,    /* the interval contains 0 */
	RA_DIFF_DOUBT_SMALL,   /* the near end of the interval is within half of the limits */
	RA_DIFF_DOUBT_CHANCE,  /* among so many rows, one may differ as clearly by chance */
	RA_DIFF_DOUBT_SHARED,  /* it may come from the machine, because all rows share it */
	RA_DIFF_DOUBT_UNEVEN,  /* not all fast calls changed as much */
	RA_DIFF_DOUBT_OPPOSED, /* the time of all calls changed in the other direction */
	RA_DIFF_DOUBT_LONGER,  /* the longer calls changed differently */
	RA_DIFF_DOUBTS,
};

struct ra_diff_evidence {
	enum ra_diff_method method;
	bool has;      /* there is an interval */
	double change; /* logarithm of after / before, as are low and high … */
	double low;    /* … the ends of the 95 % interval */
	double high;
	double chance;  /* the chance that any of the rows differs as clearly at random */
	size_t runs[2]; /* number of runs of each side on which it is based */
	bool is_small;  /* equal only by the limit in time, because the interval exceeds the limit
	                   in per cent */
	enum ra_diff_doubt doubt; /* why the row is unsure */
	size_t more; /* further runs of each side that would settle an unsure row; 0: not known */
};

/* What is done with the difference that all rows of one machine have in common. */
enum ra_diff_share {
	RA_DIFF_SHARE_NONE,   /* it is not known */
	RA_DIFF_SHARE_OUT,    /* it is small: subtracted from the rows */
	RA_DIFF_SHARE_OPEN,   /* it is large, and may come from the machine or from the program */
	RA_DIFF_SHARE_CHANGE, /* it is too large and too sure to come from the machine: it stays in
	                         the rows */
	RA_DIFF_SHARE_UNLIKE, /* it is large, but each name changed by another factor: it stays in
	                         the rows */
};

struct ra_diff_common {
	enum ra_diff_share share;
	enum ra_diff_verdict verdict; /* verdict on all rows together; UNSURE also if the cause may
	                                 be the machine */
	struct ra_diff_evidence evidence;
	struct ra_diff_factors factors;
};

/* Judges a row by its interval, and sets the other members of the evidence. @before_ns: the time
 * before, per unit. */
enum ra_diff_verdict ra_diff_verdict_judge(struct ra_diff_evidence *evidence, int64_t before_ns,
                                           const struct ra_diff_limits *limits);

/*
 * Judges a row that shares a part of its difference with others. @evidence: the difference without
 * the shared part or, if that part stays in the rows, with it. If the program may be the cause of
 * the shared part, the interval is widened by that part and its uncertainty. A row that differs
 * from all others still gets a verdict; then the near end of its interval stays.
 */
enum ra_diff_verdict ra_diff_verdict_judge_beside(struct ra_diff_evidence *evidence,
                                                  const struct ra_diff_common *common,
                                                  int64_t before_ns,
                                                  const struct ra_diff_limits *limits);

/* Returns the logarithm that the near end of an interval must exceed for a verdict of slower or
 * faster. */
double ra_diff_verdict_find_least(int64_t before_ns, const struct ra_diff_limits *limits);

/* True if the verdict is slower or faster. */
bool ra_diff_verdict_is_call(enum ra_diff_verdict verdict);

/* Returns the interval's largest distance from no change, as a part of the time before. */
double ra_diff_verdict_find_reach(const struct ra_diff_evidence *evidence);

#endif
