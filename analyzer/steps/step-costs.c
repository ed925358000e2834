/* SPDX-License-Identifier: MIT */
/* Where the time of each step went: every instant to one role, the first that was active. */
#include "analyzer/steps/step-costs.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/search.h"
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

/* What is left of the steps for the next role. */
struct sweep {
	struct ra_stretches left;
	struct ra_stretches cost; /* of the role at hand */
};

static void fill_left(struct sweep *sweep, const struct ra_step_times *times)
{
	sweep->left.count = 0;
	for (size_t i = 0; i < times->step_count; i++) {
		ra_stretches_add(&sweep->left, times->steps[i].start, times->steps[i].end, 0);
	}
	ra_stretches_merge(&sweep->left);
}

static void copy_stretches(struct ra_stretches *to, const struct ra_stretches *from)
{
	for (size_t i = 0; i < from->count; i++) {
		ra_stretches_add(to, from->rows[i].start, from->rows[i].end, 0);
	}
}

/* Gives a role what it gets. The first role gets all its time, also outside of the steps: each step
 * is cut out of it later. */
static void take_role(struct sweep *sweep, const struct ra_step_times *times, size_t role)
{
	struct ra_stretches rest = { 0 };

	if (sweep->left.count == 0 && (role == 0 || times->restarts)) {
		copy_stretches(&sweep->cost, &times->roles[role]);
		fill_left(sweep, times);
	} else {
		ra_stretches_intersect(&sweep->cost, &sweep->left, &times->roles[role]);
	}
	ra_stretches_subtract(&rest, &sweep->left, &sweep->cost);
	ra_stretches_fini(&sweep->left);
	sweep->left = rest;
}

/* The part of a list that lies in a step. O(log n + stretches in the step). */
static double measure(const struct ra_step *step, const struct ra_stretches *list)
{
	struct ra_search at = ra_search_in(0, list->count);
	double sum = 0;

	while (ra_search_next(&at)) {
		ra_search_tell(&at, list->rows[at.middle].end <= step->start);
	}
	for (size_t i = at.low; i < list->count && list->rows[i].start < step->end; i++) {
		const struct ra_stretch *row = &list->rows[i];

		sum += (row->end < step->end ? row->end : step->end) -
		       (row->start > step->start ? row->start : step->start);
	}
	return sum;
}

/* What computation and communication have in common, and each of them. */
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

static void fill_role(const struct ra_step_times *times, const struct ra_stretches *cost,
                      size_t role, struct ra_step_cost *rows)
{
	for (size_t i = 0; i < times->step_count; i++) {
		rows[i].role[role] = measure(&times->steps[i], cost);
	}
}

/* Each role's stretches go when its turn is over: there may be one for each event. */
static void run_sweep(struct sweep *sweep, struct ra_step_times *times, struct ra_step_cost *rows)
{
	for (size_t role = 0; role < RA_ROLE_OTHER; role++) {
		take_role(sweep, times, role);
		fill_role(times, &sweep->cost, role, rows);
		ra_stretches_fini(&sweep->cost);
		ra_stretches_fini(&times->roles[role]);
	}
	fill_role(times, &sweep->left, RA_ROLE_OTHER, rows);
}

void ra_step_costs_fill(struct ra_step_times *times, struct ra_step_cost *rows,
                        struct ra_step_cost *mean)
{
	struct sweep sweep = { 0 };

	for (size_t role = 0; role < RA_ROLE_OTHER; role++) {
		ra_stretches_merge(&times->roles[role]);
	}
	memset(mean, 0, sizeof(*mean));
	fill_overlaps(times, rows);
	run_sweep(&sweep, times, rows);
	for (size_t i = 0; i < times->step_count; i++) {
		rows[i].role[RA_ROLE_TOTAL] = times->steps[i].end - times->steps[i].start;
		for (size_t role = 0; role < RA_ROLES; role++) {
			mean->role[role] += rows[i].role[role];
		}
	}
	for (size_t role = 0; role < RA_ROLES && times->step_count > 0; role++) {
		mean->role[role] /= (double) times->step_count;
	}
	ra_stretches_fini(&sweep.left);
	ra_stretches_fini(&sweep.cost);
}
