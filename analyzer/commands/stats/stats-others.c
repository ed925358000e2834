/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE --steps N: says how that step differs from the others. */
#include "analyzer/commands/stats/stats-others.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/diff/print/diff-words.h"
#include "analyzer/report/report-steps.h"
#include "analyzer/steps/steps.h"
#include "analyzer/steps/step-roles.h"

static int compare_times(const void *left, const void *right)
{
	const double *a = left;
	const double *b = right;

	return RA_ORDER(*a, *b);
}

/* Finds the median. With an even number of values, it is the mean of the two middle values. */
static double find_median(double *values, size_t count)
{
	RA_SORT(values, count, compare_times);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

int64_t ra_cmd_others_median(const struct ra_steps *steps)
{
	double *values = ra_alloc_zeros(steps->times.step_count + 1, sizeof(*values));
	size_t count = 0;
	double median_ns;

	for (size_t i = 0; i < steps->times.step_count; i++) {
		if (steps->times.step_count == 1 || !ra_steps_is_filling(steps, i)) {
			values[count++] = steps->times.steps[i].end - steps->times.steps[i].start;
		}
	}
	median_ns = find_median(values, count);
	free(values);
	return llround(median_ns);
}

/* Finds for each part the median of the other steps, so that a disturbed step or a warm-up step
 * does not count. @values: room for a value of each other step. */
static void fill_medians(struct ra_cmd_others *others, const struct ra_steps *steps,
                         const struct ra_step_cost *costs, const char *only, double *values)
{
	for (size_t role = 0; role < RA_ROLES; role++) {
		size_t count = 0;

		for (size_t i = others->lacks_first ? 1 : 0; i < steps->times.step_count; i++) {
			if (!ra_steps_is_chosen(steps->times.steps[i].name, only)) {
				values[count++] = costs[i].role[role];
			}
		}
		others->median_ns[role] = find_median(values, count);
	}
}

/* Compares the chosen step with the others. Return: false unless one step is chosen and there are
 * others. */
static bool compare(struct ra_cmd_others *others, const struct ra_steps *steps,
                    const struct ra_step_cost *costs, const char *only)
{
	size_t chosen = 0;

	for (size_t i = 0; i < steps->times.step_count; i++) {
		const struct rlog_string name = steps->times.steps[i].name;
		const bool is_chosen = ra_steps_is_chosen(name, only);
		const struct ra_step *step = &steps->times.steps[i];

		if (!is_chosen && ra_steps_is_filling(steps, i)) {
			others->lacks_first = true;
			continue;
		}
		if (ra_steps_is_filling(steps, i)) {
			others->range_ns = ra_steps_length(steps, 0);
		}
		chosen += is_chosen;
		others->count += !is_chosen;
		if (is_chosen) {
			snprintf(others->name, sizeof(others->name), "%.*s", (int) name.length,
			         name.bytes);
			others->number = ra_report_steps_number(step).u.number;
			others->index = i;
		}
		for (size_t role = 0; role < RA_ROLES && is_chosen; role++) {
			others->own_ns[role] += costs[i].role[role];
		}
	}
	if (others->count > 0) {
		double *values = ra_alloc_zeros(others->count, sizeof(*values));

		fill_medians(others, steps, costs, only, values);
		free(values);
	}
	return chosen == 1 && others->count > 0;
}

/* Finds the part with the largest difference that was not mentioned yet. If the difference is
 * small, finds none. */
size_t ra_cmd_others_next(const struct ra_cmd_others *others, bool *is_told)
{
	size_t most = RA_ROLES;
	double most_ns = others->median_ns[RA_ROLE_TOTAL] / 1000;

	for (size_t role = 0; role < RA_ROLE_TOTAL; role++) {
		const double more_ns = fabs(others->own_ns[role] - others->median_ns[role]);

		if (!is_told[role] && more_ns > most_ns) {
			most = role;
			most_ns = more_ns;
		}
	}
	if (most < RA_ROLES) {
		is_told[most] = true;
	}
	return most;
}

/* Finds the median of one figure of the other steps' ranges. @values: as for fill_medians(). @at:
 * the offset of the figure in struct ra_step_ranges. */
static double find_range_median(const struct ra_cmd_others *others, const struct ra_steps *steps,
                                const struct ra_step_ranges *ranges, size_t at, double *values)
{
	size_t count = 0;

	for (size_t i = others->lacks_first ? 1 : 0; i < steps->times.step_count; i++) {
		if (i != others->index) {
			memcpy(&values[count++], (const char *) &ranges[i] + at, sizeof(*values));
		}
	}
	return find_median(values, count);
}

/* Compares the step with the others by the durations of its ranges. */
static void compare_ranges(struct ra_cmd_others *others, const struct ra_steps *steps,
                           const struct ra_model *model)
{
	const size_t slowest = ra_steps_longest(steps);
	const size_t slow = ra_cmd_others_find_slow(steps, slowest);
	struct ra_step_ranges *ranges = ra_alloc_zeros(steps->times.step_count, sizeof(*ranges));
	double *values = ra_alloc_zeros(others->count, sizeof(*values));

	ra_step_ranges_fill(steps, model, ranges);
	others->own_ranges = ranges[others->index];
	for (size_t at = 0; at < sizeof(*ranges); at += sizeof(double)) {
		const double median_ns = find_range_median(others, steps, ranges, at, values);

		memcpy((char *) &others->median_ranges + at, &median_ns, sizeof(median_ns));
	}
	if (others->index == slowest && slow != slowest) {
		const struct rlog_string name = steps->times.steps[slow].name;

		snprintf(others->slow_name, sizeof(others->slow_name), "%.*s", (int) name.length,
		         name.bytes);
		others->slow_ns = steps->hosts[slow].end_ns - steps->hosts[slow].start_ns;
	}
	free(values);
	free(ranges);
}

/* Fills only how long each step lasts, for a model that does not hold the other steps' ranges. */
static void fill_totals(const struct ra_steps *steps, struct ra_step_cost *costs)
{
	for (size_t i = 0; i < steps->times.step_count; i++) {
		const struct ra_step *step = &steps->times.steps[i];

		costs[i].role[RA_ROLE_TOTAL] = step->end - step->start;
	}
}

bool ra_cmd_others_find(struct ra_cmd_others *others, const struct ra_model *model,
                        const struct ra_settings *settings)
{
	const struct ra_steps_options all = { settings->step_range, NULL };
	struct ra_step_cost *costs;
	struct ra_step_cost mean;
	struct ra_steps steps;
	bool is_found = false;

	*others = (struct ra_cmd_others){ .count = 0 };
	if (settings->steps == NULL) {
		return false;
	}
	ra_steps_init(&steps, model, &all);
	if (!steps.is_whole) {
		costs = ra_alloc_zeros(steps.times.step_count + 1, sizeof(*costs));
		if (model->part != NULL) {
			fill_totals(&steps, costs);
			others->lacks_parts = true;
		} else {
			ra_step_roles_fill(&steps, model, costs, &mean);
		}
		is_found = compare(others, &steps, costs, settings->steps);
		if (is_found && model->part == NULL) {
			compare_ranges(others, &steps, model);
		}
		free(costs);
	}
	ra_steps_fini(&steps);
	return is_found;
}

void ra_cmd_others_put(struct ra_util_text *text, const struct ra_cmd_others *others)
{
	bool is_told[RA_ROLES] = { false };
	size_t role;

	ra_util_text_format(text, "step ");
	ra_util_text_format(text, "%s", others->name);
	ra_util_text_format(text, " takes ");
	ra_util_text_put_time(text, (int64_t) (others->own_ns[RA_ROLE_TOTAL] + 0.5));
	if (others->range_ns > 0) {
		ra_util_text_format(text, " to the end of its GPU work (its range ");
		ra_util_text_put_time(text, others->range_ns);
		ra_util_text_format(text, ": the first step fills the GPU's queue)");
	}
	if (others->count == 1) {
		ra_util_text_format(text, ", the other one");
	} else {
		ra_util_text_format(text, ", the median of the other %zu", others->count);
	}
	ra_util_text_format(text, others->lacks_first ? " (without the first) " : " ");
	ra_util_text_put_time(text, llround(others->median_ns[RA_ROLE_TOTAL]));
	if (others->lacks_parts) {
		ra_util_text_format(text, " (in which parts: analyzer why --steps %s)",
		                    others->name);
	}
	for (size_t i = 0; i < RA_CMD_OTHERS_PARTS; i++) {
		role = ra_cmd_others_next(others, is_told);
		if (role == RA_ROLES) {
			break;
		}
		ra_util_text_format(text, "%s%s %s", i == 0 ? ": " : ", ", ra_diff_words_role(role),
		                    others->own_ns[role] > others->median_ns[role] ? "+" : "-");
		ra_util_text_put_time(
			text,
			(int64_t) (fabs(others->own_ns[role] - others->median_ns[role]) + 0.5));
	}
}

void ra_cmd_stats_put_others(struct ra_util_text *text, const struct ra_cmd_stats *options,
                             const struct ra_model *model)
{
	struct ra_cmd_others others;
	size_t start;

	if (options->selects != NULL && ra_cmd_others_find(&others, model, &options->settings)) {
		ra_cmd_others_put(text, &others);
		ra_util_text_put_char(text, '\n');
		start = text->length;
		ra_cmd_others_put_hidden(text, &others);
		if (text->length > start) {
			text->bytes[text->length - 1] = '\n'; /* replaces the last blank */
		}
	}
}
