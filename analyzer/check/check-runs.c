/* SPDX-License-Identifier: MIT */
/* Runs as samples of a rule: the interval of the ratio of a figure to the other figure. */
#include "analyzer/check/check-runs.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/check/check-figure.h"
#include "analyzer/diff/math/diff-math.h"
#include "analyzer/diff/diff-runs.h"

/* The error of a ratio of two quantiles, each known within 0.4 %. In 19 of 20 cases it is
 * smaller. */
#define QUANTILE_ERROR 0.006

/* More runs than this are not suggested. */
#define MOST_RUNS 1000.0

/* Finds the logarithm of a figure of a run. It is NAN if the run lacks the figure. Return: false if
 * the figure has no logarithm. */
static bool find_value(const struct ra_check_term *term, const struct ra_diff_run *run,
                       double *value)
{
	const struct ra_check_value figure = ra_check_figure_find(term, &run->set);
	double part = figure.value;

	*value = NAN;
	if (figure.none != NULL) {
		return true;
	}
	if (ra_check_figure_is_sum(term) && run->set.source_count > 0) {
		part /= (double) run->set.source_count;
	}
	if (!(part > 0)) {
		return false;
	}
	*value = log(part);
	return true;
}

static bool find_values(const struct ra_check_term *term, const struct ra_diff_side *side,
                        double *values)
{
	size_t i = 0;

	while (i < side->run_count && find_value(term, &side->runs[i], &values[i])) {
		i++;
	}
	return i == side->run_count;
}

/* The mean and the interval are those of logarithms of ratios. */
struct estimate {
	double change;
	double half; /* half of the interval's width */
};

/* Compares two sides. Assumes that the runs of both vary alike. */
static bool compare_sides(const struct ra_check_rule *rule, const struct ra_diff_side *side,
                          const struct ra_diff_side *baseline, struct estimate *estimate,
                          size_t counts[2])
{
	struct ra_diff_estimate found = { 0 };
	struct ra_diff_runs runs;
	double *values;

	if (side->run_count + baseline->run_count < 3) {
		return false;
	}
	ra_diff_runs_init(&runs, 1, baseline->run_count, side->run_count);
	values = ra_diff_runs_row(&runs, 0);
	if (find_values(&rule->left, baseline, values) &&
	    find_values(&rule->left, side, values + baseline->run_count)) {
		ra_diff_runs_compare(&runs, &found);
	}
	ra_diff_runs_fini(&runs);
	*estimate = (struct estimate){ found.change, (found.high - found.low) / 2 };
	counts[0] = found.runs[0];
	counts[1] = found.runs[1];
	return found.has;
}

/* Compares two figures of each run. If something makes both longer in a run, that cancels out. */
static bool compare_figures(const struct ra_check_rule *rule, const struct ra_diff_side *side,
                            struct estimate *estimate, size_t counts[2])
{
	double *left = ra_alloc_zeros(side->run_count + 1, sizeof(*left));
	double *right = ra_alloc_zeros(side->run_count + 1, sizeof(*right));
	const bool is_known =
		find_values(&rule->left, side, left) && find_values(&rule->other, side, right);
	double squares = 0;
	size_t count = 0;

	*estimate = (struct estimate){ 0 };
	for (size_t i = 0; i < side->run_count && is_known; i++) {
		const double change = left[i] - right[i];

		if (!isnan(change)) {
			const double off = change - estimate->change;

			count++;
			estimate->change += off / (double) count;
			squares += off * (change - estimate->change);
		}
	}
	free(left);
	free(right);
	counts[0] = count;
	counts[1] = count;
	if (count < 2) {
		return false;
	}
	estimate->half = ra_diff_math_t(0.05, (double) count - 1) *
	                 sqrt(squares / (double) (count - 1) / (double) count);
	return true;
}

/* The number of further runs after which the interval would exclude the limit. The interval's width
 * falls with the square root of the number of runs. */
static size_t find_more(const struct estimate *estimate, double limit, const size_t counts[2])
{
	const double distance = fabs(log(limit) - estimate->change);
	const double times = estimate->half / distance;
	const double fewest = (double) (counts[0] < counts[1] ? counts[0] : counts[1]);
	const double more = ceil(fewest * times * times - fewest);

	return !(more <= MOST_RUNS) ? 0 : more < 1 ? 1 : (size_t) more;
}

void ra_check_runs_find(const struct ra_check_rule *rule, const struct ra_diff_side *side,
                        const struct ra_diff_side *baseline, struct ra_check_interval *interval)
{
	const struct ra_check_term *other = baseline != NULL ? &rule->left : &rule->other;
	struct estimate estimate;

	*interval = (struct ra_check_interval){ 0 };
	if (!ra_check_figure_varies(&rule->left) || !ra_check_figure_varies(other) ||
	    (rule->order != '<' && rule->order != '>')) {
		return;
	}
	interval->has = baseline != NULL
	                        ? compare_sides(rule, side, baseline, &estimate, interval->runs)
	                        : compare_figures(rule, side, &estimate, interval->runs);
	if (!interval->has) {
		return;
	}
	if (ra_check_figure_is_quantile(&rule->left) || ra_check_figure_is_quantile(other)) {
		estimate.half += log1p(QUANTILE_ERROR);
	}
	interval->ratio = exp(estimate.change);
	interval->low = exp(estimate.change - estimate.half);
	interval->high = exp(estimate.change + estimate.half);
	interval->more = find_more(&estimate, rule->limit, interval->runs);
}
