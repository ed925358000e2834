/* SPDX-License-Identifier: MIT */
/* Treats runs as samples: takes a figure per row and run, and estimates the difference of the two
 * sides. */
#include "analyzer/diff/diff-runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/search.h"
#include "analyzer/diff/math/diff-math.h"
#include "analyzer/diff/math/diff-shuffle.h"

/* If a machine has fewer rows than this, their common difference is not computed. */
#define COMMON_ROWS 3u

/* The smallest deviation that is assumed among runs: 0.1 %. */
#define LEAST_DEVIATION 1e-3

/* If the sides are equal, all rows together get a verdict in at most this share of comparisons. */
#define MISTAKEN_CHANGE 0.02

/* For a row, the variance of other rows has at most the weight of this many runs. */
#define MOST_SHARED 12.0

void ra_diff_runs_init(struct ra_diff_runs *runs, size_t rows, size_t before, size_t after)
{
	const size_t columns = before + after;

	memset(runs, 0, sizeof(*runs));
	runs->rows = rows;
	runs->runs[0] = before;
	runs->runs[1] = after;
	runs->values = ra_alloc_zeros(rows * columns + 1, sizeof(*runs->values));
	runs->family = ra_alloc_zeros(rows + 1, sizeof(*runs->family));
	runs->common = ra_alloc_zeros(rows + 1, sizeof(*runs->common));
	runs->least = ra_alloc_zeros(rows + 1, sizeof(*runs->least));
	for (size_t i = 0; i < rows * columns; i++) {
		runs->values[i] = NAN;
	}
}

void ra_diff_runs_fini(struct ra_diff_runs *runs)
{
	free(runs->values);
	free(runs->family);
	free(runs->common);
	free(runs->least);
	memset(runs, 0, sizeof(*runs));
}

double *ra_diff_runs_row(const struct ra_diff_runs *runs, size_t row)
{
	return runs->values + row * (runs->runs[0] + runs->runs[1]);
}

/* Sums over the runs of one side. */
struct side {
	size_t count;
	double mean;
	double squares; /* sum of the squared distances from the mean */
};

static struct side sum_side(const double *values, size_t count)
{
	struct side side = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (!isnan(values[i])) {
			side.mean += values[i];
			side.count++;
		}
	}
	side.mean /= side.count > 0 ? (double) side.count : 1;
	for (size_t i = 0; i < count; i++) {
		if (!isnan(values[i])) {
			side.squares += (values[i] - side.mean) * (values[i] - side.mean);
		}
	}
	return side;
}

static bool is_whole(const double *values, size_t count)
{
	size_t i = 0;

	while (i < count && !isnan(values[i])) {
		i++;
	}
	return i == count;
}

/* Finds the center of a row, which is halfway between the medians of its sides. */
static double find_center(const struct ra_diff_runs *runs, const double *values, double *sorted)
{
	double sum = 0;

	for (size_t side = 0; side < 2; side++) {
		memcpy(sorted, values + side * runs->runs[0], runs->runs[side] * sizeof(*sorted));
		sum += ra_diff_math_median(sorted, runs->runs[side]);
	}
	return sum / 2;
}

static void find_centers(const struct ra_diff_runs *runs, unsigned common,
                         struct ra_diff_drift *drift)
{
	const size_t columns = runs->runs[0] + runs->runs[1];
	double *sorted = ra_alloc_zeros(columns + 1, sizeof(*sorted));

	for (size_t row = 0; row < runs->rows; row++) {
		const double *values = ra_diff_runs_row(runs, row);

		drift->centers[row] = NAN;
		if (runs->common[row] == common && is_whole(values, columns)) {
			drift->centers[row] = find_center(runs, values, sorted);
			drift->rows++;
		}
	}
	free(sorted);
}

/* Lists the distances of all rows from their centers in one run. */
static void collect_run(const struct ra_diff_runs *runs, const struct ra_diff_drift *drift,
                        size_t run, double *distances)
{
	size_t count = 0;

	for (size_t row = 0; row < runs->rows; row++) {
		if (!isnan(drift->centers[row])) {
			distances[count++] = ra_diff_runs_row(runs, row)[run] - drift->centers[row];
		}
	}
}

static double find_change(const struct ra_diff_runs *runs, const double *values)
{
	return sum_side(values + runs->runs[0], runs->runs[1]).mean -
	       sum_side(values, runs->runs[0]).mean;
}

/* Finds the difference of the sides in each row, and the median of these. Uses means over runs,
 * which vary less than single runs. So rows that really changed shift the median less. */
static void collect_changes(const struct ra_diff_runs *runs, struct ra_diff_drift *drift)
{
	size_t count = 0;

	for (size_t row = 0; row < runs->rows; row++) {
		if (!isnan(drift->centers[row])) {
			drift->changes[count++] = find_change(runs, ra_diff_runs_row(runs, row));
		}
	}
	drift->between = ra_diff_math_median(drift->changes, count);
}

/* Finds the median of the other values, without `value`. */
static double find_middle_of_others(const double *sorted, size_t count, double value)
{
	struct ra_search at = ra_search_in(0, count);
	size_t low = (count - 2) / 2;
	size_t high = (count - 1) / 2;

	while (ra_search_next(&at)) {
		ra_search_tell(&at, sorted[at.middle] < value);
	}
	low += low >= at.low;
	high += high >= at.low;
	return (sorted[low] + sorted[high]) / 2;
}

/* Finds the median distance of rows from their centers over all rows and runs. @is_out: subtracts
 * the distance that the other rows show. */
static double find_spread(const struct ra_diff_drift *drift, size_t columns, bool is_out)
{
	const size_t count = drift->rows * columns;
	double *distances = ra_alloc_zeros(count + 1, sizeof(*distances));
	double spread;

	for (size_t run = 0; run < columns; run++) {
		const double *sorted = drift->sorted + run * drift->rows;

		for (size_t i = 0; i < drift->rows; i++) {
			distances[run * drift->rows + i] =
				fabs(sorted[i] -
			             (is_out ? find_middle_of_others(sorted, drift->rows, sorted[i])
			                     : 0));
		}
	}
	spread = ra_diff_math_median(distances, count);
	free(distances);
	return spread;
}

/* Judges whether the common part of the rows differs between the sides by more than between runs of
 * the same side. */
static void judge_between(const struct ra_diff_runs *runs, struct ra_diff_drift *drift,
                          double limit)
{
	const struct side before = sum_side(drift->of_run, runs->runs[0]);
	const struct side after = sum_side(drift->of_run + runs->runs[0], runs->runs[1]);
	const double freedom = (double) (before.count + after.count) - 2;
	const double variance = (before.squares + after.squares) / freedom;
	const double deviation = fmax(sqrt(variance), LEAST_DEVIATION) *
	                         sqrt(1 / (double) before.count + 1 / (double) after.count);

	drift->half = ra_diff_math_t(0.05, freedom) * deviation;
	drift->chance = ra_diff_math_chance(drift->between / deviation, freedom);
	drift->is_large = fabs(drift->between) > limit;
	drift->is_change = drift->is_large && drift->chance < MISTAKEN_CHANGE;
}

void ra_diff_runs_find_drift(const struct ra_diff_runs *runs, unsigned common, double limit,
                             struct ra_diff_drift *drift)
{
	const size_t columns = runs->runs[0] + runs->runs[1];

	memset(drift, 0, sizeof(*drift));
	drift->of_run = ra_alloc_zeros(columns + 1, sizeof(*drift->of_run));
	drift->centers = ra_alloc_zeros(runs->rows + 1, sizeof(*drift->centers));
	find_centers(runs, common, drift);
	drift->sorted = ra_alloc_zeros(drift->rows * columns + 1, sizeof(*drift->sorted));
	drift->changes = ra_alloc_zeros(drift->rows + 1, sizeof(*drift->changes));
	if (drift->rows < COMMON_ROWS) {
		return;
	}
	for (size_t run = 0; run < columns; run++) {
		double *sorted = drift->sorted + run * drift->rows;

		collect_run(runs, drift, run, sorted);
		drift->of_run[run] = ra_diff_math_median(sorted, drift->rows);
	}
	collect_changes(runs, drift);
	judge_between(runs, drift, limit);
	drift->is_told = find_spread(drift, columns, true) < find_spread(drift, columns, false);
}

void ra_diff_runs_fini_drift(struct ra_diff_drift *drift)
{
	free(drift->of_run);
	free(drift->sorted);
	free(drift->changes);
	free(drift->centers);
	memset(drift, 0, sizeof(*drift));
}

/* Finds from the other rows how slow or fast each run was. */
static void find_others(const struct ra_diff_drift *drift, const double *values, double center,
                        size_t columns, double *of_run)
{
	for (size_t run = 0; run < columns; run++) {
		of_run[run] = isnan(center)
		                      ? drift->of_run[run]
		                      : find_middle_of_others(drift->sorted + run * drift->rows,
		                                              drift->rows, values[run] - center);
	}
}

void ra_diff_runs_take_drift(struct ra_diff_runs *runs, size_t row,
                             const struct ra_diff_drift *drift)
{
	const size_t columns = runs->runs[0] + runs->runs[1];
	const double center = drift->centers[row];
	double *of_run = ra_alloc_zeros(columns + 1, sizeof(*of_run));
	double *values = ra_diff_runs_row(runs, row);
	double between = drift->between;
	size_t at = 0;

	find_others(drift, values, center, columns, of_run);
	if (!isnan(center)) {
		between = find_middle_of_others(drift->changes, drift->rows,
		                                find_change(runs, values));
	}
	between = drift->is_change ? 0 : between;
	for (size_t side = 0; side < 2; side++) {
		const double mean = sum_side(of_run + at, runs->runs[side]).mean;

		/* Aligns the runs of each side with each other, then the sides. */
		for (size_t i = 0; i < runs->runs[side]; i++, at++) {
			values[at] -= of_run[at] - mean + (side == 0 ? -between : between) / 2;
		}
	}
	free(of_run);
}

/* The variance that a row of a family is expected to have, before the row's own runs are looked
 * at. */
struct prior {
	double variance;
	double freedom;
};

/* Finds the x whose trigamma function is y. */
static double invert_trigamma(double y)
{
	double low = 1e-3;
	double high = 1e6;

	for (int i = 0; i < 200; i++) {
		const double middle = sqrt(low * high);

		if (ra_diff_math_trigamma(middle) > y) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return sqrt(low * high);
}

/* Finds the prior of a family from the moments of the logarithms of the rows' variances, after
 * Smyth (2004). If rows vary alike, the variance of each is better estimated from all of them. */
static struct prior find_prior(const struct ra_diff_shuffle_row *rows, size_t count,
                               unsigned family)
{
	struct prior prior = { 0, 0 };
	double sum = 0;
	double squares = 0;
	double expected = 0;
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		const struct ra_diff_shuffle_row *row = &rows[i];
		const double half = row->freedom / 2;
		double level;

		if (row->family != family || row->freedom < 1) {
			continue;
		}
		level = log(fmax(row->variance, LEAST_DEVIATION * LEAST_DEVIATION / 100)) -
		        ra_diff_math_digamma(half) + log(half);
		sum += level;
		squares += level * level;
		expected += ra_diff_math_trigamma(half);
		used++;
	}
	if (used >= COMMON_ROWS) {
		const double mean = sum / (double) used;
		const double more =
			(squares - sum * mean) / ((double) used - 1) - expected / (double) used;

		prior.freedom =
			more > 0 ? fmin(2 * invert_trigamma(more), MOST_SHARED) : MOST_SHARED;
		prior.variance = exp(mean + ra_diff_math_digamma(prior.freedom / 2) -
		                     log(prior.freedom / 2));
	}
	return prior;
}

static void note_row(struct ra_diff_shuffle_row *row, const struct ra_diff_runs *runs, size_t at,
                     struct ra_diff_estimate *estimate)
{
	const double *values = ra_diff_runs_row(runs, at);
	const struct side before = sum_side(values, runs->runs[0]);
	const struct side after = sum_side(values + runs->runs[0], runs->runs[1]);
	const double freedom = (double) (before.count + after.count) - 2;

	*row = (struct ra_diff_shuffle_row){ .values = values, .family = runs->family[at] };
	estimate->runs[0] = before.count;
	estimate->runs[1] = after.count;
	estimate->change = after.mean - before.mean;
	if (before.count > 0 && after.count > 0 && freedom >= 1) {
		row->freedom = freedom;
		row->variance = (before.squares + after.squares) / freedom;
	}
}

/*
 * Takes the interval from a gap: all runs of one side are longer than all runs of the other, which
 * is unlikely by chance. The interval reaches from the nearest pair of runs to the farthest; the
 * estimate is the median of the pairs. It is used if deviations alone would not show the change,
 * because one run was disturbed.
 */
static void take_gap(struct ra_diff_estimate *estimate, const struct ra_diff_shuffle_row *row,
                     const size_t runs[2])
{
	const double near = fmax(estimate->low, -estimate->high);
	double *pairs;

	if (row->gap <= row->least || row->least <= 0 || row->apart > MISTAKEN_CHANGE ||
	    (near > row->least && row->chance <= MISTAKEN_CHANGE)) {
		return;
	}
	pairs = ra_alloc_zeros(runs[0] * runs[1] + 1, sizeof(*pairs));
	for (size_t i = 0; i < runs[0]; i++) {
		for (size_t j = 0; j < runs[1]; j++) {
			const double pair = row->values[runs[0] + j] - row->values[i];

			pairs[i * runs[1] + j] = pair;
			estimate->low = i + j == 0 ? pair : fmin(estimate->low, pair);
			estimate->high = i + j == 0 ? pair : fmax(estimate->high, pair);
		}
	}
	estimate->change = ra_diff_math_median(pairs, runs[0] * runs[1]);
	estimate->chance = row->apart;
	free(pairs);
}

void ra_diff_runs_compare(const struct ra_diff_runs *runs, struct ra_diff_estimate *estimates)
{
	const double least = LEAST_DEVIATION * LEAST_DEVIATION;
	struct ra_diff_shuffle_row *rows = ra_alloc_zeros(runs->rows + 1, sizeof(*rows));
	struct prior priors[RA_DIFF_FAMILIES];

	memset(estimates, 0, runs->rows * sizeof(*estimates));
	for (size_t i = 0; i < runs->rows; i++) {
		note_row(&rows[i], runs, i, &estimates[i]);
	}
	for (unsigned i = 0; i < RA_DIFF_FAMILIES; i++) {
		priors[i] = find_prior(rows, runs->rows, i);
		priors[i].variance = fmax(priors[i].variance, least);
	}
	for (size_t i = 0; i < runs->rows; i++) {
		const struct prior *prior = &priors[rows[i].family];
		struct ra_diff_estimate *estimate = &estimates[i];

		rows[i].prior_squares = fmax(prior->freedom, 0.01) * prior->variance;
		rows[i].prior_freedom = prior->freedom;
		if (rows[i].freedom >= 1) {
			const double error = sqrt(
				ra_diff_shuffle_variance(&rows[i],
			                                 rows[i].variance * rows[i].freedom) *
				(1 / (double) estimate->runs[0] + 1 / (double) estimate->runs[1]));

			estimate->has = true;
			rows[i].critical = ra_diff_math_t(0.05, rows[i].freedom + prior->freedom);
			rows[i].least = runs->least[i];
			estimate->low = estimate->change - error * rows[i].critical;
			estimate->high = estimate->change + error * rows[i].critical;
			rows[i].t = fabs(estimate->change) / error;
		}
	}
	ra_diff_shuffle_find_chances(rows, runs->rows, runs->runs);
	for (size_t i = 0; i < runs->rows; i++) {
		estimates[i].chance = rows[i].chance;
		take_gap(&estimates[i], &rows[i], runs->runs);
	}
	free(rows);
}
