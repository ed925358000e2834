/* SPDX-License-Identifier: MIT */
/* analyzer stats FILE --steps N: how that step differs from the others. */
#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/commands/stats/stats-parts.h"
#include "analyzer/diff/diff-words.h"
#include "analyzer/steps/steps.h"

#define MOST_PARTS 3

/* Where a step's time went, and of the others the mean. */
struct others {
	struct rlog_string name;
	size_t count;
	bool lacks_first; /* it would tell of the host's lead, not of its work */
	double own_ns[RA_ROLES];
	double mean_ns[RA_ROLES];
};

/* Return: false if there is not one chosen step among others. */
static bool find_others(struct others *others, const struct ra_steps *steps,
                        const struct ra_step_cost *costs, const char *only)
{
	size_t chosen = 0;

	for (size_t i = 0; i < steps->times.step_count; i++) {
		const struct rlog_string name = steps->times.steps[i].name;
		const bool is_chosen = ra_steps_is_chosen(name, only);
		const struct ra_step *step = &steps->times.steps[i];

		if (i == 0 && !is_chosen &&
		    step->end - step->start > (double) ra_steps_length(steps, 0)) {
			others->lacks_first = true;
			continue;
		}
		chosen += is_chosen;
		others->count += !is_chosen;
		others->name = is_chosen ? name : others->name;
		for (size_t role = 0; role < RA_ROLES; role++) {
			double *sum_ns = is_chosen ? others->own_ns : others->mean_ns;

			sum_ns[role] += costs[i].role[role];
		}
	}
	for (size_t role = 0; role < RA_ROLES && others->count > 0; role++) {
		others->mean_ns[role] /= (double) others->count;
	}
	return chosen == 1 && others->count > 0;
}

/* The part that differs most of those that do so by less than the one before; RA_ROLES: none that
 * is worth a word. */
static size_t find_part(const struct others *others, const bool *is_told)
{
	size_t most = RA_ROLES;
	double most_ns = others->mean_ns[RA_ROLE_TOTAL] / 1000;

	for (size_t role = 0; role < RA_ROLE_TOTAL; role++) {
		const double more_ns = fabs(others->own_ns[role] - others->mean_ns[role]);

		if (!is_told[role] && more_ns > most_ns) {
			most = role;
			most_ns = more_ns;
		}
	}
	return most;
}

static void put_others(struct ra_util_text *text, const struct others *others)
{
	bool is_told[RA_ROLES] = { false };
	size_t role;

	ra_util_text_format(text, "step ");
	ra_util_text_put_name(text, others->name, RA_TEXT_TERMINAL);
	ra_util_text_format(text, " takes ");
	ra_util_text_put_time(text, (int64_t) (others->own_ns[RA_ROLE_TOTAL] + 0.5));
	if (others->count == 1) {
		ra_util_text_format(text, ", the other one");
	} else {
		ra_util_text_format(text, ", the mean of the other %zu", others->count);
	}
	ra_util_text_format(text, others->lacks_first ? " (without the first) " : " ");
	ra_util_text_put_time(text, llround(others->mean_ns[RA_ROLE_TOTAL]));
	for (size_t i = 0; i < MOST_PARTS; i++) {
		role = find_part(others, is_told);
		if (role == RA_ROLES) {
			break;
		}
		is_told[role] = true;
		ra_util_text_format(text, "%s%s %s", i == 0 ? ": " : ", ", ra_diff_words_role(role),
		                    others->own_ns[role] > others->mean_ns[role] ? "+" : "-");
		ra_util_text_put_time(
			text, (int64_t) (fabs(others->own_ns[role] - others->mean_ns[role]) + 0.5));
	}
	ra_util_text_put_char(text, '\n');
}

void ra_cmd_stats_put_others(struct ra_util_text *text, const struct ra_cmd_stats *options,
                             const struct ra_model *model)
{
	const struct ra_steps_options all = { options->settings.step_range, NULL };
	struct ra_step_cost *costs = NULL;
	struct ra_step_cost mean;
	struct ra_steps steps;
	struct others others = { .count = 0 };

	if (options->selects == NULL) {
		return;
	}
	ra_steps_init(&steps, model, &all);
	if (!steps.is_whole) {
		costs = ra_alloc_zeros(steps.times.step_count + 1, sizeof(*costs));
		ra_step_costs_fill(&steps.times, costs, &mean);
		if (find_others(&others, &steps, costs, options->settings.steps)) {
			put_others(text, &others);
		}
	}
	free(costs);
	ra_steps_fini(&steps);
}
