/* SPDX-License-Identifier: MIT */
/* Divides the time of each step among roles: each moment is given to the first role that is
 * active. */
#include "analyzer/steps/step-costs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"

void ra_step_times_fini(struct ra_step_times *times)
{
	for (size_t role = 0; role < RA_ROLE_OTHER; role++) {
		ra_stretches_fini(&times->roles[role]);
	}
	free(times->steps);
	memset(times, 0, sizeof(*times));
}

void ra_step_times_add(struct ra_step_times *times, const struct ra_step *step)
{
	RA_UTIL_APPEND(times->steps, times->step_count, times->step_capacity, *step);
}

/* The first stretch of a list that ends in the step or after it. */
static size_t find_first(const struct ra_step *step, const struct ra_stretches *list)
{
	struct ra_search at = ra_search_in(0, list->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, list->rows[at.middle].end <= step->start);
	}
	return at.low;
}

static double cut(const struct ra_step *step, double start, double end)
{
	return (end < step->end ? end : step->end) - (start > step->start ? start : step->start);
}

/* How much time of a list is in the step. O(log n + stretches in the step). */
static double measure(const struct ra_step *step, const struct ra_stretches *list)
{
	double sum = 0;

	for (size_t i = find_first(step, list); i < list->count && list->rows[i].start < step->end;
	     i++) {
		sum += cut(step, list->rows[i].start, list->rows[i].end);
	}
	return sum;
}

/* How much time of the intersection of two lists is in the step. The result is that of
 * ra_stretches_intersect() and measure(). */
static double measure_common(const struct ra_step *step, const struct ra_stretches *a,
                             const struct ra_stretches *b)
{
	size_t i = find_first(step, a);
	size_t k = find_first(step, b);
	struct ra_stretch common;
	double sum = 0;

	while (ra_stretches_find_common(a, b, &i, &k, &common) && common.start < step->end) {
		sum += cut(step, common.start, common.end);
	}
	return sum;
}

/* Computes for each step how much computation and communication overlap, and the time of each. */
static void fill_overlaps(const struct ra_step_times *times, struct ra_step_cost *rows)
{
	const struct ra_stretches *communication = &times->roles[RA_ROLE_COMMUNICATION];
	const struct ra_stretches *computation = &times->roles[RA_ROLE_KERNEL];
	struct ra_stretches common = { 0 };

	if (computation->count == 0) {
		computation = &times->roles[RA_ROLE_CPU_EXEC];
	}
	ra_stretches_intersect(&common, computation, communication);
	for (size_t i = 0; i < times->step_count; i++) {
		const struct ra_step *step = &times->steps[i];
		struct ra_step_overlap *overlap = &rows[i].overlap;

		overlap->overlap = measure(step, &common);
		overlap->computation = measure(step, computation);
		overlap->communication = measure(step, communication);
		overlap->other = step->end - step->start + overlap->overlap - overlap->computation -
		                 overlap->communication;
	}
	ra_stretches_fini(&common);
}

static void fill_left(struct ra_stretches *left, const struct ra_step_times *times)
{
	left->count = 0;
	for (size_t i = 0; i < times->step_count; i++) {
		ra_stretches_add(left, times->steps[i].start, times->steps[i].end, 0);
	}
	ra_stretches_merge(left);
}

/* Gives a role its part of the time that is left, and subtracts that part. Before the first role
 * nothing was subtracted, so its time in each step is simply measured. */
static void take_role(struct ra_stretches *left, struct ra_step_times *times, size_t role,
                      struct ra_step_cost *rows)
{
	struct ra_stretches *own = &times->roles[role];
	const bool is_first = left->count == 0 && (role == 0 || times->restarts);

	if (is_first) {
		fill_left(left, times);
	}
	for (size_t i = 0; i < times->step_count; i++) {
		const struct ra_step *step = &times->steps[i];

		rows[i].role[role] =
			is_first ? measure(step, own) : measure_common(step, left, own);
	}
	ra_stretches_take(left, own);
}

/* Computes the time of all roles. `left` reuses the memory of each role's stretches, because there
 * may be one stretch per event. */
static void run_sweep(struct ra_step_times *times, struct ra_step_cost *rows)
{
	struct ra_stretches left = { 0 };

	for (size_t role = 0; role < RA_ROLE_OTHER; role++) {
		take_role(&left, times, role, rows);
	}
	for (size_t i = 0; i < times->step_count; i++) {
		rows[i].role[RA_ROLE_OTHER] = measure(&times->steps[i], &left);
	}
	ra_stretches_fini(&left);
}

void ra_step_costs_fill(struct ra_step_times *times, struct ra_step_cost *rows,
                        struct ra_step_cost *mean)
{
	for (size_t role = 0; role < RA_ROLE_OTHER; role++) {
		ra_stretches_merge(&times->roles[role]);
	}
	memset(mean, 0, sizeof(*mean));
	fill_overlaps(times, rows);
	run_sweep(times, rows);
	for (size_t i = 0; i < times->step_count; i++) {
		rows[i].role[RA_ROLE_TOTAL] = times->steps[i].end - times->steps[i].start;
		for (size_t role = 0; role < RA_ROLES; role++) {
			mean->role[role] += rows[i].role[role];
		}
	}
	for (size_t role = 0; role < RA_ROLES && times->step_count > 0; role++) {
		mean->role[role] /= (double) times->step_count;
	}
}
