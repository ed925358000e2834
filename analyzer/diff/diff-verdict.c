/* SPDX-License-Identifier: MIT */
/* Makes verdicts from intervals: slower, faster, equal, or unsure, if more runs are needed. */
#include "analyzer/diff/diff-verdict.h"

#include <math.h>

/* If the sides are equal, a row gets a verdict in at most this share of comparisons. */
#define MISTAKEN 0.02

/* More runs than this are not suggested. */
#define MOST_RUNS 1000.0

/* The near end of an interval must exceed this part of the limits. */
#define NEAR 0.5

/* True if a change exceeds this multiple of both limits, in either direction. */
static bool is_beyond(double change, double times, int64_t before_ns,
                      const struct ra_diff_limits *limits)
{
	const double part = fabs(expm1(change));

	return part * 100 > times * limits->percent &&
	       part * (double) before_ns > times * (double) limits->time_ns;
}

/* Finds the number of additional runs after which the interval would be within the limits if there
 * is no change. Its width falls with the square root of the number of runs. */
static size_t find_more(const struct ra_diff_evidence *evidence, int64_t before_ns,
                        const struct ra_diff_limits *limits)
{
	const size_t *runs = evidence->runs;
	const double time_part = before_ns > 0 ? (double) limits->time_ns / (double) before_ns : 0;
	const double limit = log1p(fmax(limits->percent / 100, time_part));
	const double half = (evidence->high - evidence->low) / 2;
	const double fewest = (double) (runs[0] < runs[1] ? runs[0] : runs[1]);
	double more;

	if (runs[0] + runs[1] < 3 || limit <= 0) {
		return 0;
	}
	more = ceil(fewest * (half / limit) * (half / limit) - fewest);
	return more < 1 ? 1 : more > MOST_RUNS ? 0 : (size_t) more;
}

static bool is_off_zero(const struct ra_diff_evidence *evidence)
{
	return evidence->low > 0 || evidence->high < 0;
}

enum ra_diff_verdict ra_diff_verdict_judge(struct ra_diff_evidence *evidence, int64_t before_ns,
                                           const struct ra_diff_limits *limits)
{
	const bool is_slower = evidence->change > 0;
	const double near = is_slower ? evidence->low : evidence->high;
	const double far = is_slower ? evidence->high : evidence->low;
	const bool is_off = is_slower ? near > 0 : near < 0;
	const bool is_large =
		is_beyond(near, NEAR, before_ns, limits) && is_beyond(far, 1, before_ns, limits);

	evidence->more = 0;
	evidence->doubt = RA_DIFF_DOUBT_NONE;
	evidence->is_small = ra_diff_verdict_find_reach(evidence) * 100 > limits->percent;
	if (!is_beyond(evidence->low, 1, before_ns, limits) &&
	    !is_beyond(evidence->high, 1, before_ns, limits)) {
		return RA_DIFF_EQUAL;
	}
	if (is_off && is_large && evidence->chance <= MISTAKEN) {
		return is_slower ? RA_DIFF_SLOWER : RA_DIFF_FASTER;
	}
	evidence->doubt = !is_off    ? RA_DIFF_DOUBT_WIDE
	                  : is_large ? RA_DIFF_DOUBT_CHANCE
	                             : RA_DIFF_DOUBT_SMALL;
	evidence->more = find_more(evidence, before_ns, limits);
	return RA_DIFF_UNSURE;
}

double ra_diff_verdict_find_least(int64_t before_ns, const struct ra_diff_limits *limits)
{
	const double time_part = before_ns > 0 ? (double) limits->time_ns / (double) before_ns : 0;

	return log1p(NEAR * fmax(limits->percent / 100, time_part));
}

bool ra_diff_verdict_is_call(enum ra_diff_verdict verdict)
{
	return verdict == RA_DIFF_SLOWER || verdict == RA_DIFF_FASTER;
}

/* Widens the interval by the shared part. If there is a verdict, widens only the end that is
 * farther from no change. */
static void reach_over(struct ra_diff_evidence *evidence, const struct ra_diff_evidence *shared,
                       enum ra_diff_verdict called)
{
	if (called != RA_DIFF_SLOWER) {
		evidence->low += fmin(shared->low, 0);
	}
	if (called != RA_DIFF_FASTER) {
		evidence->high += fmax(shared->high, 0);
	}
}

enum ra_diff_verdict ra_diff_verdict_judge_beside(struct ra_diff_evidence *evidence,
                                                  const struct ra_diff_common *common,
                                                  int64_t before_ns,
                                                  const struct ra_diff_limits *limits)
{
	const struct ra_diff_evidence *shared = &common->evidence;
	enum ra_diff_verdict verdict;

	if (common->share == RA_DIFF_SHARE_CHANGE) {
		/* Combines two independent errors. */
		const double half = hypot((evidence->high - evidence->low) / 2,
		                          (shared->high - shared->low) / 2);

		evidence->low = evidence->change - half;
		evidence->high = evidence->change + half;
		evidence->chance = fmax(evidence->chance, shared->chance);
	}
	verdict = ra_diff_verdict_judge(evidence, before_ns, limits);
	if (common->share == RA_DIFF_SHARE_OPEN) {
		reach_over(evidence, shared,
		           ra_diff_verdict_is_call(verdict) ? verdict : RA_DIFF_SAME);
		if (!ra_diff_verdict_is_call(verdict)) {
			/* The shared part alone gives no verdict, however large it is. */
			verdict = ra_diff_verdict_judge(evidence, before_ns, limits);
			if (verdict != RA_DIFF_EQUAL) {
				evidence->doubt = is_off_zero(evidence) ? RA_DIFF_DOUBT_SHARED
				                                        : RA_DIFF_DOUBT_WIDE;
				evidence->more = find_more(evidence, before_ns, limits);
				verdict = RA_DIFF_UNSURE;
			}
		}
	}
	return verdict;
}

double ra_diff_verdict_find_reach(const struct ra_diff_evidence *evidence)
{
	return fmax(fabs(expm1(evidence->low)), fabs(expm1(evidence->high)));
}
