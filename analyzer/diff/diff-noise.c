/* SPDX-License-Identifier: MIT */
/* Decides whether durations got longer or shorter by more than noise (doc/metrics.md, section
 * 25). */
#include "analyzer/diff/diff-noise.h"

#include <math.h>

/* The largest chance that any row of a comparison gets a verdict although durations are random. */
#define MISTAKEN 0.05

/* A row must change by this multiple of the unevenness of its quantiles' changes, and by this
 * multiple of the mean unevenness of all rows. */
#define OWN_TIMES 4
#define RUN_TIMES 5

/* For repeated work, a change must also exceed this multiple of the spread of the faster three
 * quarters of the durations. */
#define SPREAD_TIMES 2

/* The quantiles that are compared. Slower calls were disturbed, perhaps by the program itself. */
static const unsigned permilles[] = { 10, 50, 100, 250 };

/* Of all pairs of a duration before and one after, returns the share in which the one after is
 * longer; ties count half. Durations in the same bucket, within 0.4 %, count as equal. */
static double find_share(const struct ra_sum_stat *before, const struct ra_sum_stat *after)
{
	double pairs = 0;
	double below = 0;
	size_t at = 0;

	for (size_t i = 0; i < after->bucket_count; i++) {
		const struct ra_sum_stat_bucket *bucket = &after->buckets[i];
		double equal = 0;

		while (at < before->bucket_count && before->buckets[at].bucket < bucket->bucket) {
			below += (double) before->buckets[at++].count;
		}
		if (at < before->bucket_count && before->buckets[at].bucket == bucket->bucket) {
			equal = (double) before->buckets[at].count;
		}
		pairs += (double) bucket->count * (below + equal / 2);
	}
	return pairs / ((double) before->count * (double) after->count);
}

static bool is_beyond_percent(int64_t before_ns, int64_t after_ns, double percent)
{
	return fabs((double) after_ns - (double) before_ns) * 100 > percent * (double) before_ns;
}

static bool is_beyond(const int64_t time_ns[2], const struct ra_diff_limits *limits)
{
	const int64_t change_ns = time_ns[1] - time_ns[0];

	return (change_ns < 0 ? -change_ns : change_ns) > limits->time_ns &&
	       is_beyond_percent(time_ns[0], time_ns[1], limits->percent);
}

/* True if the number of calls per unit changed by more than the limit, and by more than random
 * variation, such as that of polling calls. The latter is three times the square root, as for
 * counts in general. */
bool ra_diff_noise_has_other_calls(const struct ra_diff_times *times, double percent)
{
	const double before = (double) times->calls[0] / (double) times->units[0];
	const double after = (double) times->calls[1] / (double) times->units[1];
	const double change = fabs(after - before);
	const double chance =
		3 * sqrt(before / (double) times->units[0] + after / (double) times->units[1]);

	return change > chance && change * 100 > percent * before;
}

/* Does the rank test of Mann and Whitney by the normal distribution, corrected for the number of
 * rows. */
static bool is_significant(const struct ra_sum_stat *const stats[2], double share, size_t rows)
{
	const double before = (double) stats[0]->count;
	const double after = (double) stats[1]->count;
	const double deviation = sqrt((before + after + 1) / (12 * before * after));

	return erfc(fabs(share - 0.5) / deviation / sqrt(2)) * (double) rows <= MISTAKEN;
}

void ra_diff_find_move(struct ra_diff_move *move, const struct ra_diff_times *times)
{
	const bool is_slower = times->time_ns[1] > times->time_ns[0];
	const struct ra_sum_stat *shorter = times->stats[is_slower ? 0 : 1];
	const struct ra_sum_stat *longer = times->stats[is_slower ? 1 : 0];

	*move = (struct ra_diff_move){ 0 };
	for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
		const double from_ns = (double) ra_sum_stat_quantile(shorter, permilles[i]);
		const double to_ns = (double) ra_sum_stat_quantile(longer, permilles[i]);
		const double part = (to_ns - from_ns) / (from_ns > 1 ? from_ns : 1);

		if (i == 0 || part < move->least) {
			move->least = part;
			move->least_ns = to_ns - from_ns;
		}
		if (i == 0 || part > move->most) {
			move->most = part;
		}
	}
}

/* Returns the spread of the faster three quarters of the calls: from the fastest to the slowest of
 * them, as a part of the fastest. Of both sides the larger one. */
static double find_spread(const struct ra_diff_times *times)
{
	double most = 0;

	for (int side = 0; side < 2; side++) {
		const double fast_ns = (double) ra_sum_stat_quantile(times->stats[side], 10);
		const double slow_ns = (double) ra_sum_stat_quantile(times->stats[side], 750);
		const double part = (slow_ns - fast_ns) / (fast_ns > 1 ? fast_ns : 1);

		most = part > most ? part : most;
	}
	return most;
}

/*
 * True if the fast end of a distribution changed, and all of it by about as much: even the quantile
 * that changed least exceeds the limits. Disturbances make calls longer, but not all by the same
 * amount, and hardly the fastest. How unevenly the rows of two runs changed shows how much the runs
 * were disturbed. Other processes can slow down memory accesses for a whole run, but then durations
 * vary within the runs as well.
 */
static bool has_moved(const struct ra_diff_times *times, const struct ra_diff_limits *limits,
                      double noise)
{
	struct ra_diff_move move;

	ra_diff_find_move(&move, times);
	return move.least * 100 > limits->percent &&
	       move.least_ns * (double) times->calls[0] / (double) times->units[0] >
	               (double) limits->time_ns &&
	       move.least > OWN_TIMES * (move.most - move.least) &&
	       move.least > RUN_TIMES * noise &&
	       (!times->is_repeated || move.least > SPREAD_TIMES * find_spread(times));
}

enum ra_diff_verdict ra_diff_judge(const struct ra_diff_times *times,
                                   const struct ra_diff_limits *limits,
                                   const struct ra_diff_run_facts *run)
{
	const struct ra_sum_stat *const *stats = times->stats;
	const bool is_slower = times->time_ns[1] > times->time_ns[0];
	const enum ra_diff_verdict verdict = is_slower ? RA_DIFF_SLOWER : RA_DIFF_FASTER;
	double share;

	if (!is_beyond(times->time_ns, limits)) {
		return RA_DIFF_SAME;
	}
	if ((times->calls[1] > times->calls[0]) == is_slower &&
	    ra_diff_noise_has_other_calls(times, limits->percent)) {
		return verdict;
	}
	if (stats[0]->count < RA_DIFF_FEW || stats[1]->count < RA_DIFF_FEW) {
		return RA_DIFF_UNSURE;
	}
	share = find_share(stats[0], stats[1]);
	if ((share > 0.5) != is_slower) {
		return RA_DIFF_SAME;
	}
	if (!is_significant(stats, share, run->rows)) {
		/* So few durations could not give a verdict, even if all of one side were
		 * longer. */
		return is_significant(stats, 1, run->rows) ? RA_DIFF_SAME : RA_DIFF_UNSURE;
	}
	return has_moved(times, limits, run->noise) ? verdict : RA_DIFF_UNSURE;
}
