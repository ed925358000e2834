/* SPDX-License-Identifier: MIT */
/* Finds how likely it is by chance that the largest difference of all rows is as large, by
 * shuffling runs. */
#include "analyzer/diff/math/diff-shuffle.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/diff/math/diff-math.h"

/* If there are fewer ways to choose the runs of a side, shuffling can't show a chance of 1 %. */
#define FEWEST_WAYS 100.0

/* If there are at most this many ways, all are tried, else a sample of this many. */
#define MOST_WAYS 10000u

/* At most this many values are looked at in all. So with many rows fewer ways are tried, but never
 * fewer than FEW_WAYS. */
#define MOST_VALUES 4e8
#define FEW_WAYS    1000.0

double ra_diff_shuffle_variance(const struct ra_diff_shuffle_row *row, double squares)
{
	return (squares + row->prior_squares) / (row->freedom + fmax(row->prior_freedom, 0.01));
}

/* Finds |t| of a row as if the chosen runs were those before. Return: 0 if the row would not
 * count. */
static double find_t(const struct ra_diff_shuffle_row *row, const bool *is_before, size_t columns)
{
	double sums[2] = { 0, 0 };
	double counts[2] = { 0, 0 };
	double squares = 0;
	double change;
	double error;

	for (size_t i = 0; i < columns; i++) {
		const double value = row->values[i];

		if (!isnan(value)) {
			sums[!is_before[i]] += value;
			counts[!is_before[i]] += 1;
			squares += value * value;
		}
	}
	if (counts[0] < 1 || counts[1] < 1 || row->freedom < 1) {
		return 0;
	}
	squares -= sums[0] * sums[0] / counts[0] + sums[1] * sums[1] / counts[1];
	error = sqrt(ra_diff_shuffle_variance(row, fmax(squares, 0)) *
	             (1 / counts[0] + 1 / counts[1]));
	change = fabs(sums[1] / counts[1] - sums[0] / counts[0]);
	return change < row->least + row->critical * error && row->least > 0 ? 0 : change / error;
}

/* Finds the gap of a row. One disturbed run makes deviations large, but does not close a gap. */
static double find_gap(const struct ra_diff_shuffle_row *row, const bool *is_before, size_t columns)
{
	double least[2] = { INFINITY, INFINITY };
	double most[2] = { -INFINITY, -INFINITY };

	for (size_t i = 0; i < columns; i++) {
		const double value = row->values[i];
		const int side = !is_before[i];

		if (isnan(value)) {
			return 0;
		}
		least[side] = fmin(least[side], value);
		most[side] = fmax(most[side], value);
	}
	return fmax(fmax(least[1] - most[0], least[0] - most[1]), 0);
}

/* True if any row has a gap that counts, as if the chosen runs were those before. */
static bool has_gap(const struct ra_diff_shuffle_row *rows, size_t count, const bool *is_before,
                    size_t columns)
{
	for (size_t i = 0; i < count; i++) {
		if (rows[i].least > 0 && find_gap(&rows[i], is_before, columns) > rows[i].least) {
			return true;
		}
	}
	return false;
}

static double find_largest(const struct ra_diff_shuffle_row *rows, size_t count,
                           const bool *is_before, size_t columns)
{
	double largest = 0;

	for (size_t i = 0; i < count; i++) {
		largest = fmax(largest, find_t(&rows[i], is_before, columns));
	}
	return largest;
}

/* Changes the choice to the next one with as many runs. Return: false after the last one. */
static bool take_next(bool *is_before, size_t columns)
{
	size_t moved = 0;
	size_t at = columns;

	while (at > 0 && is_before[at - 1]) { /* the chosen runs at the end … */
		at--;
		moved++;
	}
	while (at > 0 && !is_before[at - 1]) {
		at--;
	}
	if (at == 0) {
		return false;
	}
	is_before[at - 1] = false; /* … will follow the chosen run before them, which moves on by
	                              one */
	for (size_t i = at; i < columns; i++) {
		is_before[i] = i < at + moved + 1;
	}
	return true;
}

static void shuffle(bool *is_before, size_t columns, uint64_t *random)
{
	for (size_t i = columns; i > 1; i--) {
		const size_t other = (size_t) (ra_diff_math_next_random(random) >> 11) % i;
		const bool kept = is_before[i - 1];

		is_before[i - 1] = is_before[other];
		is_before[other] = kept;
	}
}

static double count_ways(const size_t runs[2])
{
	double ways = 1;

	for (size_t i = 1; i <= runs[0]; i++) {
		ways = ways * (double) (runs[1] + i) / (double) i;
	}
	return ways;
}

static int compare_largest(const void *a, const void *b)
{
	const double left = *(const double *) a;
	const double right = *(const double *) b;

	return RA_ORDER(left, right);
}

/* Finds the largest |t| for each way to choose the runs. The first way is the true one. @largest:
 * gets them, ascending. @apart: gets the number of ways in which a row has a gap. Return: how many
 * ways were tried. */
static size_t try_ways(struct ra_diff_shuffle_row *rows, size_t count, const size_t runs[2],
                       double *largest, size_t *apart)
{
	const size_t columns = runs[0] + runs[1];
	const bool is_sample = count_ways(runs) > MOST_WAYS;
	const double values = (double) (count * columns) + 1;
	const double sample = fmax(FEW_WAYS, fmin(MOST_WAYS, MOST_VALUES / values));
	bool *is_before = ra_alloc_zeros(columns + 1, sizeof(*is_before));
	uint64_t random = UINT64_C(0x2545F4914F6CDD1D);
	size_t tried = 0;
	bool has_next = true;
	bool is_apart;

	for (size_t i = 0; i < runs[0]; i++) {
		is_before[i] = true;
	}
	for (size_t i = 0; i < count; i++) {
		rows[i].gap = find_gap(&rows[i], is_before, columns);
	}
	*apart = 0;
	is_apart = has_gap(rows, count, is_before, columns);
	while (has_next) {
		/* If no row really has a gap, the chance of one is not needed. */
		*apart += is_apart && has_gap(rows, count, is_before, columns);
		largest[tried++] = find_largest(rows, count, is_before, columns);
		if (is_sample) {
			shuffle(is_before, columns, &random);
			has_next = (double) tried < sample;
		} else {
			has_next = take_next(is_before, columns);
		}
	}
	free(is_before);
	RA_SORT(largest, tried, compare_largest);
	return tried;
}

static void find_by_shuffling(struct ra_diff_shuffle_row *rows, size_t count, const size_t runs[2])
{
	double *largest = ra_alloc_zeros(MOST_WAYS + 1, sizeof(*largest));
	size_t apart = 0;
	const size_t ways = try_ways(rows, count, runs, largest, &apart);

	for (size_t i = 0; i < count; i++) {
		struct ra_search at = ra_search_in(0, ways);

		while (ra_search_next(&at)) {
			ra_search_tell(&at, largest[at.middle] < rows[i].t * (1 - 1e-9));
		}
		/* The true way always counts, even if its difference is too small. */
		rows[i].chance = fmax((double) (ways - at.low), 1) / (double) ways;
		rows[i].apart = (double) apart / (double) ways;
	}
	free(largest);
}

void ra_diff_shuffle_find_chances(struct ra_diff_shuffle_row *rows, size_t count,
                                  const size_t runs[2])
{
	size_t judged = 0;

	if (count_ways(runs) >= FEWEST_WAYS) {
		find_by_shuffling(rows, count, runs);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		judged += rows[i].freedom >= 1;
	}
	for (size_t i = 0; i < count; i++) {
		const double freedom = rows[i].freedom + rows[i].prior_freedom;

		rows[i].chance = rows[i].freedom < 1
		                         ? 1
		                         : fmin(1, (double) judged *
		                                           ra_diff_math_chance(rows[i].t, freedom));
	}
}
