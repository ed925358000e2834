/* SPDX-License-Identifier: MIT */
/* Sums how long the ranges and calls of some roles took on the CPU in each step, whether or not GPU
 * work hides them. */
#include "analyzer/steps/step-ranges.h"

#include <string.h>

#include "analyzer/steps/step-role-of.h"

bool ra_step_ranges_has(size_t role)
{
	return role == RA_ROLE_RUNTIME || role == RA_ROLE_DATALOADER || role == RA_ROLE_CPU_EXEC;
}

static void join(struct ra_stretches *list, int64_t start_ns, int64_t dur_ns)
{
	ra_stretches_join(list, (double) start_ns, (double) start_ns + (double) dur_ns);
}

/* Collects the stretches of each role from all threads, merged. */
static void collect(struct ra_stretches *roles, const struct ra_steps *steps,
                    const struct ra_model *model)
{
	const struct ra_slices *slices = &model->slices;
	struct ra_step_role_of role_of;

	ra_step_role_of_init(&role_of, model);
	for (size_t i = 0; i < slices->count; i++) {
		if (!steps->is_step[i] && (slices->flags[i] & RA_SLICE_WAIT) == 0) {
			join(&roles[ra_step_role_of_range(&role_of, slices->name[i])],
			     slices->start_ns[i], slices->dur_ns[i]);
		}
	}
	for (size_t i = 0; i < model->gpu.api_count; i++) {
		join(&roles[RA_ROLE_RUNTIME], model->gpu.apis[i].start_ns,
		     model->gpu.apis[i].dur_ns);
	}
	ra_step_role_of_fini(&role_of);
	for (size_t role = 0; role < RA_ROLES; role++) {
		ra_stretches_merge(&roles[role]);
	}
}

/* Gives calls made inside a loader to the loader. */
static void take_loaders(struct ra_stretches *roles)
{
	const struct ra_stretches *loaders = &roles[RA_ROLE_DATALOADER];
	struct ra_stretches holes = { 0 };

	for (size_t i = 0; i < loaders->count; i++) {
		ra_stretches_add(&holes, loaders->rows[i].start, loaders->rows[i].end, 0);
	}
	ra_stretches_take(&roles[RA_ROLE_CPU_EXEC], &holes);
	ra_stretches_fini(&holes);
}

/* The part of a list's time that is in a stretch. @first: the first row that may reach into the
 * stretch. */
static double sum_within(const struct ra_stretches *list, size_t first, double start, double end)
{
	double sum = 0;

	for (size_t i = first; i < list->count && list->rows[i].start < end; i++) {
		const double from = list->rows[i].start > start ? list->rows[i].start : start;
		const double to = list->rows[i].end < end ? list->rows[i].end : end;

		sum += to > from ? to - from : 0;
	}
	return sum;
}

static void fill_role(const struct ra_steps *steps, const struct ra_stretches *list, size_t role,
                      struct ra_step_ranges *rows)
{
	size_t first = 0;

	for (size_t i = 0; i < steps->times.step_count; i++) {
		const double start = (double) steps->hosts[i].start_ns;
		const double end = (double) steps->hosts[i].end_ns;
		const double begin = steps->times.steps[i].start;

		while (first < list->count && list->rows[first].end <= start) {
			first++;
		}
		rows[i].took_ns[role] = sum_within(list, first, start, end);
		rows[i].hidden_ns[role] = sum_within(list, first, start, begin < end ? begin : end);
	}
}

void ra_step_ranges_fill(const struct ra_steps *steps, const struct ra_model *model,
                         struct ra_step_ranges *rows)
{
	struct ra_stretches roles[RA_ROLES] = { 0 };

	memset(rows, 0, steps->times.step_count * sizeof(*rows));
	collect(roles, steps, model);
	take_loaders(roles);
	for (size_t role = 0; role < RA_ROLES; role++) {
		if (ra_step_ranges_has(role)) {
			fill_role(steps, &roles[role], role, rows);
		}
		ra_stretches_fini(&roles[role]);
	}
	for (size_t i = 0; i < steps->times.step_count; i++) {
		rows[i].lead_ns = steps->times.steps[i].start - (double) steps->hosts[i].start_ns;
	}
}
