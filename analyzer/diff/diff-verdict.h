/* SPDX-License-Identifier: MIT */
/* Verdicts from intervals: slower, faster, equal, or that more runs are needed (doc/metrics.md,
 * section 25). */
#ifndef RA_DIFF_VERDICT_H
#define RA_DIFF_VERDICT_H

#include "analyzer/diff/diff-noise.h"
#include "analyzer/diff/math/diff-factors.h"

/* The method behind a verdict. */
enum ra_diff_method {
	RA_DIFF_BY_BUCKETS, /* distributions of durations: no interval */
	RA_DIFF_BY_PAIRS,   /* the i-th call of one side against that of the other */
	RA_DIFF_BY_CALLS,   /* durations of calls, in any order */
	RA_DIFF_BY_TOTALS,  /* the time of runs */
	RA_DIFF_BY_COUNTS,  /* instructions, if times leave it unsure */
	RA_DIFF_BY_STEPS,   /* the order of few steps, which are longer on one side */
};

/* Why a row is unsure, although its interval may lie to one side of 0. */
enum ra_diff_doubt {
	RA_DIFF_DOUBT_NONE,
	RA_DIFF_DOUBT_WIDE,    /* the interval contains 0 */
	RA_DIFF_DOUBT_SMALL,   /* its near end is within half of the limits */
	RA_DIFF_DOUBT_CHANCE,  /* among so many rows, one differs as clearly by chance */
	RA_DIFF_DOUBT_SHARED,  /* it may be the machine, which all rows share */
	RA_DIFF_DOUBT_UNEVEN,  /* not all fast calls show it */
	RA_DIFF_DOUBT_OPPOSED, /* the time of all calls moved the other way */
	RA_DIFF_DOUBT_LONGER,  /* the longer calls moved differently */
	RA_DIFF_DOUBTS,
};

struct ra_diff_evidence {
	enum ra_diff_method method;
	bool has;      /* there is an interval */
	double change; /* logarithm of after / before; so are the next two … */
	double low;    /* … ends of the 95 % interval */
	double high;
	double chance;  /* chance that any of the rows differs as clearly at random */
	size_t runs[2]; /* runs that it is based on */
	bool is_small;  /* equal only by the limit in time: the interval exceeds the limit in % */
	enum ra_diff_doubt doubt; /* of an unsure row */
	size_t more; /* further runs of each side that would settle an unsure row; 0: not known */
};

/* What is done with the difference that all rows of one machine have in common. */
enum ra_diff_share {
	RA_DIFF_SHARE_NONE,   /* it is not known */
	RA_DIFF_SHARE_OUT,    /* small: subtracted from the rows */
	RA_DIFF_SHARE_OPEN,   /* large, and due to the machine or to the program */
	RA_DIFF_SHARE_CHANGE, /* too large and too sure for the machine: left in the rows */
	RA_DIFF_SHARE_UNLIKE, /* large, but each name changed by a factor of its own: left in */
};

struct ra_diff_common {
	enum ra_diff_share share;
	enum ra_diff_verdict verdict; /* of all rows together; also UNSURE if the cause is open */
	struct ra_diff_evidence evidence;
	struct ra_diff_factors factors;
};

/* @before_ns: the time before, per unit, ns. */
enum ra_diff_verdict ra_diff_verdict_judge(struct ra_diff_evidence *evidence, int64_t before_ns,
                                           const struct ra_diff_limits *limits);

/*
 * Judges a row that shares something with others. Its evidence is the difference without the shared
 * part or, if that part is left in, with it. If the program may be the cause of the shared part,
 * the interval is widened by that part and its uncertainty. A row that differs from all others
 * still gets a verdict, and the near end of its interval stays.
 */
enum ra_diff_verdict ra_diff_verdict_judge_beside(struct ra_diff_evidence *evidence,
                                                  const struct ra_diff_common *common,
                                                  int64_t before_ns,
                                                  const struct ra_diff_limits *limits);

/* The logarithm that the near end of an interval must exceed to be slower or faster. */
double ra_diff_verdict_find_least(int64_t before_ns, const struct ra_diff_limits *limits);

/* True if the verdict is slower or faster. */
bool ra_diff_verdict_is_call(enum ra_diff_verdict verdict);

/* The interval's largest distance from no change, as a part of the time before. */
double ra_diff_verdict_find_reach(const struct ra_diff_evidence *evidence);

#endif
