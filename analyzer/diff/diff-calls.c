/* SPDX-License-Identifier: MIT */
/* Matches the calls of one run with those of another, and compares them. */
#include "analyzer/diff/diff-calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/diff/math/diff-math.h"

/* Shares of time that are trimmed from the mean of a run's differences. Other processes make calls
 * longer, hardly ever shorter. Sometimes half of the calls of a run are longer. */
#define LEAVE_LOW  0.05
#define LEAVE_HIGH 0.75

/* A call's time in the fast runs is its shortest time if there are fewer than 8 runs, the second
 * shortest if there are fewer than 16, else the third. */
#define FAST_EVERY 8u
#define FAST_RUNS  3u

/* If a side has fewer runs than this, they do not show which calls were disturbed. */
#define FEW_RUNS 3u

/* The high share if calls are not matched. It is lower, because then a few calls say less about the
 * others. */
#define LEAVE_HIGH_OF_CALLS 0.6

/* Shares that are trimmed to look at the longer calls: the faster calls, and the longest ones,
 * which anything may have disturbed. */
#define LEAVE_LOW_OF_LONGER  0.5
#define LEAVE_HIGH_OF_LONGER 0.05

/* Shares for the stretches of a single run. They are lower, because the differences of the
 * stretches must show. */
#define LEAVE_LOW_OF_ONE  0.1
#define LEAVE_HIGH_OF_ONE 0.3
#define LEAVE_PAIRS       0.25

/* The share of pairs that are used: those whose differences are densest. In a pair of two runs,
 * either call may be disturbed. The differences of disturbed pairs are scattered, while the others
 * are close together. */
#define DENSE 0.4

/* The most stretches into which a sequence of calls is cut, because a disturbance may hit several
 * consecutive calls. Each has several calls, so that an outlier is trimmed from its mean. */
#define STRETCHES     20u
#define FEW_STRETCHES 6u
#define STRETCH_CALLS 5u

/* With fewer pairs in a stretch, no dense part can be found. */
#define FEW_DENSE 20u

/* Pairs are used if calls at one place vary by less than this part of the variation within a
 * run. */
#define ALIKE 0.8

void ra_diff_calls_fini(struct ra_diff_calls *pairs)
{
	free(pairs->values);
	memset(pairs, 0, sizeof(*pairs));
}

static double take_logarithm(const struct ra_sum_series_call *call)
{
	return log(call->dur_ns > 1 ? (double) call->dur_ns : 1);
}

static bool has_same_places(const struct ra_diff_calls_run *a, const struct ra_diff_calls_run *b)
{
	bool is_same = a->count == b->count;

	for (size_t i = 0; i < a->count && is_same; i++) {
		is_same = a->calls[i].place == b->calls[i].place;
	}
	return is_same;
}

struct placed {
	uint32_t place;
	uint32_t index;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *left = a;
	const struct placed *right = b;
	const int order = RA_ORDER_UP(left, right, place);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, index));
}

static struct placed *order_places(const struct ra_diff_calls_run *run)
{
	struct placed *rows = ra_alloc_zeros(run->count + 1, sizeof(*rows));

	for (uint32_t i = 0; i < run->count; i++) {
		rows[i] = (struct placed){ run->calls[i].place, i };
	}
	RA_SORT(rows, run->count, compare_placed);
	return rows;
}

/* Matches the calls of a run with those of the first run. Return: how many are at the same
 * place. */
static size_t join(struct ra_diff_calls *pairs, const struct placed *first,
                   const struct ra_diff_calls_run *run, size_t column)
{
	struct placed *other = order_places(run);
	size_t at = 0;
	size_t found = 0;

	for (size_t i = 0; i < pairs->calls; i++) {
		while (at < run->count && other[at].place < first[i].place) {
			at++;
		}
		if (at < run->count && other[at].place == first[i].place) {
			pairs->values[first[i].index * pairs->runs + column] =
				take_logarithm(&run->calls[other[at].index]);
			found++;
			at++;
		}
	}
	free(other);
	return found;
}

bool ra_diff_calls_pair(struct ra_diff_calls *pairs, const struct ra_diff_calls_run *runs,
                        size_t count, size_t before)
{
	struct placed *first = NULL;
	bool has_pairs = true;

	*pairs = (struct ra_diff_calls){ .calls = runs[0].count, .runs = count, .before = before };
	pairs->values = ra_alloc_zeros(pairs->calls * count + 1, sizeof(*pairs->values));
	for (size_t i = 0; i < pairs->calls * count; i++) {
		pairs->values[i] = NAN;
	}
	for (size_t column = 0; column < count && has_pairs; column++) {
		const struct ra_diff_calls_run *run = &runs[column];

		if (has_same_places(&runs[0], run)) {
			for (size_t i = 0; i < run->count; i++) {
				pairs->values[i * count + column] = take_logarithm(&run->calls[i]);
			}
			continue;
		}
		first = first == NULL ? order_places(&runs[0]) : first;
		has_pairs = 10 * join(pairs, first, run, column) >=
		            9 * (run->count < pairs->calls ? run->count : pairs->calls);
	}
	free(first);
	return has_pairs && pairs->calls >= RA_DIFF_CALLS_FEW;
}

/* Finds a call's time in the fast runs of a side, without the run `without`. See FAST_EVERY.
 * Return: NAN if no run has the call. */
static double find_fast_run(const double *values, size_t runs, size_t without)
{
	double least[FAST_RUNS] = { INFINITY, INFINITY, INFINITY };
	size_t count = 0;
	size_t nth;

	for (size_t i = 0; i < runs; i++) {
		double value = values[i];

		if (i == without || isnan(value)) {
			continue;
		}
		for (size_t at = 0; at < FAST_RUNS; at++) {
			const double longer = fmax(least[at], value);

			least[at] = fmin(least[at], value);
			value = longer;
		}
		count++;
	}
	nth = count / FAST_EVERY;
	return count > 0 ? least[nth < FAST_RUNS ? nth : FAST_RUNS - 1] : NAN;
}

/* Finds the median of a call over all runs. Return: NAN if no run has it. */
static double find_middle_run(const double *values, size_t runs, double *sorted)
{
	size_t count = 0;

	for (size_t i = 0; i < runs; i++) {
		if (!isnan(values[i])) {
			sorted[count++] = values[i];
		}
	}
	return count > 0 ? ra_diff_math_median(sorted, count) : NAN;
}

/*
 * Finds the undisturbed time of each call, as the reference for one run. In each run many calls are
 * disturbed, but not the same ones. The reference is half-way between the sides, so that it is
 * nearer to neither. It comes from the other runs, so that the fastest run is not compared with
 * itself. If a side has few runs, it is the median of all runs.
 */
static void find_references(const struct ra_diff_calls *pairs, size_t run, double *references)
{
	const size_t before = pairs->before;
	const size_t after = pairs->runs - before;
	double *sorted = ra_alloc_zeros(pairs->runs + 1, sizeof(*sorted));

	for (size_t i = 0; i < pairs->calls; i++) {
		const double *values = &pairs->values[i * pairs->runs];

		references[i] = before < FEW_RUNS || after < FEW_RUNS
		                        ? find_middle_run(values, pairs->runs, sorted)
		                        : (find_fast_run(values, before, run) +
		                           find_fast_run(values + before, after, run - before)) /
		                                  2;
	}
	free(sorted);
}

/* Returns the spread of the faster half of the values. Sorts them. */
static double find_spread(double *values, size_t count)
{
	(void) ra_diff_math_median(values, count);
	return count == 0 ? 0 : values[count * 9 / 20] - values[count / 20];
}

/* Compares a run's calls with the references. Return: how many could be compared. */
static size_t collect_run(const struct ra_diff_calls *pairs, const double *references, size_t run,
                          struct ra_diff_math_weighed *rows)
{
	size_t count = 0;

	for (size_t i = 0; i < pairs->calls; i++) {
		const double value = pairs->values[i * pairs->runs + run];

		if (!isnan(value) && !isnan(references[i])) {
			rows[count++] = (struct ra_diff_math_weighed){ value - references[i],
				                                       exp(references[i]) };
		}
	}
	return count;
}

bool ra_diff_calls_find_figures(const struct ra_diff_calls *pairs, double *figures)
{
	double *references = ra_alloc_zeros(pairs->calls + 1, sizeof(*references));
	double *values = ra_alloc_zeros(pairs->calls + pairs->runs + 1, sizeof(*values));
	struct ra_diff_math_weighed *rows = ra_alloc_zeros(pairs->calls + 1, sizeof(*rows));
	double alike = 0;
	double within = 0;

	for (size_t run = 0; run < pairs->runs; run++) {
		size_t count;

		find_references(pairs, run, references);
		count = collect_run(pairs, references, run, rows);

		for (size_t i = 0; i < count; i++) {
			values[i] = rows[i].value;
		}
		alike += find_spread(values, count);
		for (size_t i = 0, at = 0; i < pairs->calls; i++) {
			const double value = pairs->values[i * pairs->runs + run];

			at = isnan(value) ? at : (values[at] = value, at + 1);
		}
		within += find_spread(values, count);
		figures[run] =
			count == 0 ? NAN
				   : ra_diff_math_trimmed_mean(rows, count, LEAVE_LOW, LEAVE_HIGH);
	}
	free(references);
	free(values);
	free(rows);
	/* If there are few runs, a reference is close to each of them: correct for that. */
	alike *= pairs->runs > 1 ? sqrt((double) pairs->runs / ((double) pairs->runs - 1)) : 1;
	return alike <= ALIKE * within;
}

static double find_level(const struct ra_sum_stat *stat, double leave_low, double leave_high)
{
	struct ra_diff_math_weighed *rows = ra_alloc_zeros(stat->bucket_count + 1, sizeof(*rows));
	double level;

	for (size_t i = 0; i < stat->bucket_count; i++) {
		const uint32_t bucket = stat->buckets[i].bucket;
		const double middle = ((double) ra_sum_stat_floor(bucket) +
		                       (double) ra_sum_stat_floor(bucket + 1)) /
		                      2;

		rows[i] = (struct ra_diff_math_weighed){ log(fmax(middle, 1)),
			                                 (double) stat->buckets[i].count };
	}
	level = ra_diff_math_trimmed_mean(rows, stat->bucket_count, leave_low, leave_high);
	free(rows);
	return stat->bucket_count == 0 ? NAN : level;
}

double ra_diff_calls_find_level(const struct ra_sum_stat *stat)
{
	return find_level(stat, LEAVE_LOW, LEAVE_HIGH_OF_CALLS);
}

double ra_diff_calls_find_longer(const struct ra_sum_stat *stat)
{
	return find_level(stat, LEAVE_LOW_OF_LONGER, LEAVE_HIGH_OF_LONGER);
}

double ra_diff_calls_find_usual(const struct ra_sum_stat *stat)
{
	double sum = 0;
	uint64_t left = stat->count - stat->count / 20;
	uint64_t count = left;

	for (size_t i = 0; i < stat->bucket_count && left > 0; i++) {
		const uint64_t here = stat->buckets[i].count < left ? stat->buckets[i].count : left;

		sum += (double) ra_sum_stat_floor(stat->buckets[i].bucket) * (double) here;
		left -= here;
	}
	return count == 0 ? 0 : sum / (double) count * (double) stat->count;
}

/* The mean of a sequence of calls, and its variance from the means of its stretches. */
struct sequence {
	double mean;
	double variance; /* of `mean` */
	double freedom;
};

static size_t choose_stretches(size_t count)
{
	const size_t few = count < FEW_STRETCHES ? count : FEW_STRETCHES;
	const size_t fit = count / STRETCH_CALLS;

	return fit > STRETCHES ? STRETCHES : fit < few ? few : fit;
}

/* Finds the middle of a stretch's values. In pairs either call may be disturbed, so both ends are
 * trimmed alike. */
static double find_middle(struct ra_diff_math_weighed *rows, size_t count, bool is_pairs)
{
	if (is_pairs && count >= FEW_DENSE) {
		return ra_diff_math_find_dense(rows, count, DENSE).mean;
	}
	return is_pairs ? ra_diff_math_trimmed_mean(rows, count, LEAVE_PAIRS, LEAVE_PAIRS)
	                : ra_diff_math_trimmed_mean(rows, count, LEAVE_LOW_OF_ONE,
	                                            LEAVE_HIGH_OF_ONE);
}

static struct sequence find_sequence(const struct ra_diff_math_weighed *rows, size_t count,
                                     bool is_pairs)
{
	const size_t stretches = choose_stretches(count);
	struct ra_diff_math_weighed *copy = ra_alloc_zeros(count + 1, sizeof(*copy));
	struct sequence sequence = { .freedom = (double) stretches - 1 };
	double means[STRETCHES] = { 0 };
	double sum = 0;

	for (size_t i = 0; i < stretches; i++) {
		const size_t from = count * i / stretches;
		const size_t part = count * (i + 1) / stretches - from;

		memcpy(copy, rows + from, part * sizeof(*copy));
		means[i] = find_middle(copy, part, is_pairs);
		sum += means[i];
	}
	for (size_t i = 0; i < stretches; i++) {
		const double distance = means[i] - sum / (double) stretches;

		sequence.variance += distance * distance;
	}
	sequence.variance /= (double) stretches * sequence.freedom;
	memcpy(copy, rows, count * sizeof(*copy));
	/* The densest part of all pairs together would vary more than the mean of the stretches'
	 * densest parts. */
	sequence.mean = is_pairs ? sum / (double) stretches : find_middle(copy, count, is_pairs);
	free(copy);
	return sequence;
}

/* Lists the differences of pairs, with equal weights, because long calls are disturbed most.
 * Return: how many there are. */
static size_t collect_pairs(const struct ra_diff_calls *pairs, struct ra_diff_math_weighed *rows)
{
	size_t count = 0;

	for (size_t i = 0; i < pairs->calls; i++) {
		const double *values = &pairs->values[2 * i];

		if (!isnan(values[0]) && !isnan(values[1])) {
			rows[count++] = (struct ra_diff_math_weighed){ values[1] - values[0], 1 };
		}
	}
	return count;
}

/* Finds the change that nine tenths of the differences reach or exceed, in the direction of the
 * change. For few differences. */
static double find_firm(struct ra_diff_math_weighed *rows, size_t count, double change)
{
	const size_t apart = count / 10;

	(void) ra_diff_math_find_dense(rows, count, 1); /* this sorts them */
	return change > 0 ? fmax(rows[apart].value, 0) : fmin(rows[count - 1 - apart].value, 0);
}

/* Finds the smallest difference between the fast calls of the two runs. */
static double find_fast(const struct ra_diff_calls_run runs[2], double change)
{
	static const unsigned percents[] = { 5, 10, 25 };
	double *values[2];
	double firm = change;

	for (size_t side = 0; side < 2; side++) {
		values[side] = ra_alloc_zeros(runs[side].count + 1, sizeof(**values));
		for (size_t i = 0; i < runs[side].count; i++) {
			values[side][i] = take_logarithm(&runs[side].calls[i]);
		}
		(void) ra_diff_math_median(values[side], runs[side].count);
	}
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		const double moved = values[1][runs[1].count * percents[i] / 100] -
		                     values[0][runs[0].count * percents[i] / 100];

		firm = change > 0 ? fmax(fmin(firm, moved), 0) : fmin(fmax(firm, moved), 0);
	}
	free(values[0]);
	free(values[1]);
	return firm;
}

static double find_width(struct ra_diff_math_weighed *rows, size_t count)
{
	const struct ra_diff_math_dense dense = ra_diff_math_find_dense(rows, count, DENSE);

	return dense.high - dense.low;
}

/* True if pairs are more alike than the calls of a run. Compares the widths of their densest
 * parts. */
static bool has_alike(const struct ra_diff_math_weighed *pairs, size_t count,
                      const struct ra_diff_calls_run *run)
{
	struct ra_diff_math_weighed *rows = ra_alloc_zeros(count + run->count + 1, sizeof(*rows));
	double alike;
	double within;

	memcpy(rows, pairs, count * sizeof(*rows));
	alike = find_width(rows, count) / sqrt(2); /* the square root: the expected width if the two
	                                              calls have nothing in common */
	for (size_t i = 0; i < run->count; i++) {
		rows[i] = (struct ra_diff_math_weighed){ take_logarithm(&run->calls[i]), 1 };
	}
	within = find_width(rows, run->count);
	free(rows);
	return alike <= ALIKE * within;
}

static bool compare_pairs(const struct ra_diff_calls *pairs, const struct ra_diff_calls_run runs[2],
                          struct ra_diff_calls_estimate *estimate)
{
	struct ra_diff_math_weighed *rows = ra_alloc_zeros(pairs->calls + 1, sizeof(*rows));
	const size_t count = collect_pairs(pairs, rows);
	const bool is_taken = count >= RA_DIFF_CALLS_FEW && has_alike(rows, count, &runs[0]);

	if (is_taken) {
		const struct sequence sequence = find_sequence(rows, count, true);

		*estimate = (struct ra_diff_calls_estimate){
			.change = sequence.mean,
			.deviation = sqrt(sequence.variance),
			.freedom = sequence.freedom,
			/* The densest calls may be those that waited for their turn. The fast calls
			 * did not wait. */
			.firm = count < FEW_DENSE ? find_firm(rows, count, sequence.mean)
			                          : find_fast(runs, sequence.mean),
			.is_by_pairs = true,
		};
	}
	free(rows);
	return is_taken;
}

static struct sequence find_run(const struct ra_diff_calls_run *run)
{
	struct ra_diff_math_weighed *rows = ra_alloc_zeros(run->count + 1, sizeof(*rows));
	struct sequence sequence;

	for (size_t i = 0; i < run->count; i++) {
		rows[i] = (struct ra_diff_math_weighed){ take_logarithm(&run->calls[i]), 1 };
	}
	sequence = find_sequence(rows, run->count, false);
	free(rows);
	return sequence;
}

bool ra_diff_calls_compare(const struct ra_diff_calls *pairs,
                           const struct ra_diff_calls_run runs[2],
                           struct ra_diff_calls_estimate *estimate)
{
	struct sequence sides[2];
	double variance;

	if (runs[0].count < RA_DIFF_CALLS_FEW || runs[1].count < RA_DIFF_CALLS_FEW) {
		return false;
	}
	if (pairs != NULL && compare_pairs(pairs, runs, estimate)) {
		return true;
	}
	sides[0] = find_run(&runs[0]);
	sides[1] = find_run(&runs[1]);
	variance = sides[0].variance + sides[1].variance;
	*estimate = (struct ra_diff_calls_estimate){
		.change = sides[1].mean - sides[0].mean,
		.deviation = sqrt(variance),
		.freedom = variance > 0 ? variance * variance /
		                                  (sides[0].variance * sides[0].variance /
		                                           sides[0].freedom +
		                                   sides[1].variance * sides[1].variance /
		                                           sides[1].freedom)
		                        : sides[0].freedom,
	};
	estimate->firm = find_fast(runs, estimate->change);
	return true;
}
