/* SPDX-License-Identifier: MIT */
/* Finds which role was active at which time, and how much of each step it took: our own figures, in
 * ns. */
#include "analyzer/steps/step-roles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/model/few-ranges.h"
#include "analyzer/steps/step-role-of.h"

/* The recording is handled in parts of its time. Times in a part are below 2^53 ns, which doubles
 * hold exactly, so the sums over the parts are exact. */
#define PARTS     8
#define PART_ROWS 4096               /* parts with fewer rows would take more time */
#define PART_NS   4503599627370496.0 /* 2^52 */

struct filling {
	const struct ra_steps *steps;
	const struct ra_model *model;
	struct ra_step_role_of role_of;
	bool has_kernels; /* some part has kernels that are not collectives */
	/* the steps and roles of a part, cut to the time from `from` to `to` */
	struct ra_step_times part;
	double from;
	double to;
};

static bool is_in_part(const struct filling *filling, int64_t start_ns, int64_t dur_ns)
{
	return (double) start_ns < filling->to && (double) (start_ns + dur_ns) > filling->from;
}

static void add_time(struct filling *filling, enum ra_role role, int64_t start_ns, int64_t dur_ns)
{
	const double start = (double) start_ns;
	const double end = (double) (start_ns + dur_ns);

	if (is_in_part(filling, start_ns, dur_ns)) {
		ra_stretches_join(&filling->part.roles[role],
		                  start > filling->from ? start : filling->from,
		                  end < filling->to ? end : filling->to);
	}
}

/* Adds the operations of a queue, which are ordered by start. */
static void add_ops(struct filling *filling, const struct ra_gpu_queue *queue)
{
	const struct ra_gpu_op *op = &filling->model->gpu.ops[queue->first_op];

	for (size_t left = queue->op_count; left > 0 && (double) op->start_ns < filling->to;
	     left--, op++) {
		if (is_in_part(filling, op->start_ns, op->dur_ns)) {
			add_time(filling, ra_step_role_of_op(&filling->role_of, op), op->start_ns,
			         op->dur_ns);
		}
	}
}

/* True if some part has kernels. */
static bool has_kernels(struct filling *filling)
{
	const struct ra_gpu *gpu = &filling->model->gpu;
	bool has = false;

	for (size_t i = 0; i < gpu->op_count && !has; i++) {
		has = ra_step_role_of_op(&filling->role_of, &gpu->ops[i]) == RA_ROLE_KERNEL;
	}
	return has;
}

static void add_gpu_roles(struct filling *filling)
{
	const struct ra_gpu *gpu = &filling->model->gpu;

	for (size_t q = 0; q < gpu->queue_count; q++) {
		add_ops(filling, &gpu->queues[q]);
	}
	if (filling->has_kernels && filling->part.roles[RA_ROLE_KERNEL].count == 0) {
		/* A stretch without length makes computation mean kernels in this part, too,
		 * because other parts have kernels. */
		ra_stretches_add(&filling->part.roles[RA_ROLE_KERNEL], filling->from, filling->from,
		                 0);
	}
	for (size_t i = 0; i < gpu->api_count; i++) {
		add_time(filling, RA_ROLE_RUNTIME, gpu->apis[i].start_ns, gpu->apis[i].dur_ns);
	}
}

static void add_cpu_role(struct filling *filling, int64_t start_ns, int64_t dur_ns, uint32_t name)
{
	add_time(filling, ra_step_role_of_range(&filling->role_of, name), start_ns, dur_ns);
}

static void add_range(struct filling *filling, size_t i)
{
	const struct ra_slices *slices = &filling->model->slices;

	if (!is_in_part(filling, slices->start_ns[i], slices->dur_ns[i]) ||
	    filling->steps->is_step[i] || (slices->flags[i] & RA_SLICE_WAIT) != 0) {
		return;
	}
	add_cpu_role(filling, slices->start_ns[i], slices->dur_ns[i], slices->name[i]);
}

/* Adds ranges and calls of tracks, which are ordered by start. */
static void add_cpu_roles(struct filling *filling)
{
	const struct ra_model *model = filling->model;

	for (size_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];
		const size_t end = track->first_slice + track->slice_count;

		for (size_t i = track->first_slice;
		     i < end && (double) model->slices.start_ns[i] < filling->to; i++) {
			add_range(filling, i);
		}
	}
}

static double cut(const struct filling *filling, double time)
{
	time = time > filling->from ? time : filling->from;
	return time < filling->to ? time : filling->to;
}

/* Adds the steps from `begin` to `end`. A step outside this part gets no length. */
static void add_steps(struct filling *filling, size_t begin, size_t end)
{
	const struct ra_step_times *times = &filling->steps->times;

	for (size_t i = begin; i < end; i++) {
		const struct ra_step step = { cut(filling, times->steps[i].start),
			                      cut(filling, times->steps[i].end),
			                      times->steps[i].name };

		ra_step_times_add(&filling->part, &step);
	}
}

static void add_cost(struct ra_step_cost *to, const struct ra_step_cost *from)
{
	for (size_t role = 0; role < RA_ROLES; role++) {
		to->role[role] += from->role[role];
	}
	to->overlap.computation += from->overlap.computation;
	to->overlap.communication += from->overlap.communication;
	to->overlap.overlap += from->overlap.overlap;
	to->overlap.other += from->overlap.other;
}

/* Adds the costs of a part to the rows, and empties the part. @rows: the row of the part's first
 * step. */
static void add_part(struct filling *filling, struct ra_step_cost *rows, struct ra_step_cost *mean)
{
	const size_t count = filling->part.step_count;
	struct ra_step_cost *costs = ra_alloc_zeros(count + 1, sizeof(*costs));
	struct ra_step_cost mean_of_part;

	ra_step_costs_fill(&filling->part, costs, &mean_of_part);
	for (size_t i = 0; i < count; i++) {
		add_cost(&rows[i], &costs[i]);
		add_cost(mean, &costs[i]);
	}
	free(costs);
	ra_step_times_fini(&filling->part);
}

static void take_part(struct filling *filling, struct ra_step_cost *rows, struct ra_step_cost *mean)
{
	add_steps(filling, 0, filling->steps->times.step_count);
	add_gpu_roles(filling);
	add_cpu_roles(filling);
	add_part(filling, rows, mean);
}

static size_t find_parts(const struct ra_model *model, double length_ns)
{
	const size_t rows = model->gpu.op_count + model->gpu.api_count + model->slices.count;

	return rows >= PART_ROWS && length_ns >= PARTS && length_ns < PART_NS ? PARTS : 1;
}

static void init(struct filling *filling, const struct ra_steps *steps,
                 const struct ra_model *model)
{
	*filling = (struct filling){ .steps = steps, .model = model };
	ra_step_role_of_init(&filling->role_of, model);
	filling->has_kernels = has_kernels(filling);
}

static void finish(struct filling *filling, struct ra_step_cost *mean)
{
	const size_t count = filling->steps->times.step_count;

	for (size_t role = 0; role < RA_ROLES && count > 0; role++) {
		mean->role[role] /= (double) count;
	}
	ra_step_role_of_fini(&filling->role_of);
}

void ra_step_roles_fill(const struct ra_steps *steps, const struct ra_model *model,
                        struct ra_step_cost *rows, struct ra_step_cost *mean)
{
	const struct ra_step_times *times = &steps->times;
	struct filling filling;
	double first = HUGE_VAL;
	double last = -HUGE_VAL;
	size_t parts;

	for (size_t i = 0; i < times->step_count; i++) {
		first = times->steps[i].start < first ? times->steps[i].start : first;
		last = times->steps[i].end > last ? times->steps[i].end : last;
	}
	memset(rows, 0, times->step_count * sizeof(*rows));
	memset(mean, 0, sizeof(*mean));
	init(&filling, steps, model);
	parts = find_parts(model, last - first);
	for (size_t i = 0; i < parts && times->step_count > 0; i++) {
		filling.from = first + floor((last - first) / (double) parts * (double) i);
		filling.to =
			i + 1 == parts
				? last
				: first + floor((last - first) / (double) parts * (double) (i + 1));
		take_part(&filling, rows, mean);
	}
	finish(&filling, mean);
}

/* ---- for ranges that come in order of time ---- */

struct ra_step_roles {
	struct filling filling;
	struct ra_step_cost *rows; /* borrowed */
	struct ra_step_cost mean;
	size_t step;                  /* the first step that has not ended */
	double last;                  /* end of the last step */
	struct ra_walk_range *ranges; /* owned; ranges that may reach into the next part */
	size_t count;
	size_t capacity;
};

struct ra_step_roles *ra_step_roles_begin(const struct ra_steps *steps,
                                          const struct ra_model *model, struct ra_step_cost *rows)
{
	struct ra_step_roles *roles = ra_alloc_zeros(1, sizeof(*roles));
	const struct ra_step_times *times = &steps->times;

	init(&roles->filling, steps, model);
	roles->rows = rows;
	roles->filling.to = times->step_count > 0 ? times->steps[0].start : 0;
	for (size_t i = 0; i < times->step_count; i++) {
		roles->last = times->steps[i].end > roles->last ? times->steps[i].end : roles->last;
	}
	memset(rows, 0, times->step_count * sizeof(*rows));
	return roles;
}

bool ra_step_roles_can_reach(int64_t first_ns, int64_t last_ns)
{
	return (double) first_ns >= -PART_NS && (double) last_ns <= PART_NS;
}

bool ra_step_roles_can(const struct ra_steps *steps)
{
	const struct ra_step_times *times = &steps->times;

	for (size_t i = 0; i < times->step_count; i++) {
		if (times->steps[i].start < -PART_NS || times->steps[i].end > PART_NS) {
			return false;
		}
	}
	return true;
}

void ra_step_roles_add(struct ra_step_roles *roles, const struct ra_walk_range *range)
{
	const double end = (double) (range->start_ns + range->dur_ns);

	if ((range->flags & RA_SLICE_WAIT) == 0 && end > roles->filling.to &&
	    (double) range->start_ns < roles->last) {
		RA_UTIL_APPEND(roles->ranges, roles->count, roles->capacity, *range);
	}
}

/* Adds the ranges of this part. Those that end after it are kept for the next part. */
static void add_ranges(struct ra_step_roles *roles)
{
	struct filling *filling = &roles->filling;
	size_t kept = 0;

	for (size_t i = 0; i < roles->count; i++) {
		const struct ra_walk_range *range = &roles->ranges[i];

		if (is_in_part(filling, range->start_ns, range->dur_ns)) {
			add_cpu_role(filling, range->start_ns, range->dur_ns, range->name);
		}
		if ((double) (range->start_ns + range->dur_ns) > filling->to) {
			roles->ranges[kept++] = *range;
		}
	}
	roles->count = kept;
}

void ra_step_roles_take(struct ra_step_roles *roles, int64_t until_ns)
{
	struct filling *filling = &roles->filling;
	const struct ra_step_times *times = &filling->steps->times;
	const double to = (double) until_ns < roles->last ? (double) until_ns : roles->last;
	size_t end;

	if (to <= filling->to || times->step_count == 0) {
		return;
	}
	filling->from = filling->to;
	filling->to = to;
	while (roles->step + 1 < times->step_count &&
	       times->steps[roles->step].end <= filling->from) {
		roles->step++;
	}
	for (end = roles->step + 1; end < times->step_count && times->steps[end].start < to;) {
		end++;
	}
	add_steps(filling, roles->step, end);
	add_ranges(roles);
	add_part(filling, &roles->rows[roles->step], &roles->mean);
}

void ra_step_roles_end(struct ra_step_roles *roles)
{
	finish(&roles->filling, &roles->mean);
	free(roles->ranges);
	free(roles);
}

/* ---- for all ranges of a walk ---- */

struct pass {
	const struct ra_steps *steps;
	const struct ra_model *view;
	struct ra_step_roles *roles;
	size_t *next; /* owned; see ra_few_ranges_find() */
};

static void take_ranges(void *context, const struct ra_walk_range *ranges, size_t count,
                        int64_t until_ns)
{
	const struct pass *pass = context;

	for (size_t i = 0; i < count; i++) {
		const uint32_t slice = ra_few_ranges_find(pass->view, pass->next, &ranges[i]);

		if (slice == RA_NONE || !pass->steps->is_step[slice]) {
			ra_step_roles_add(pass->roles, &ranges[i]);
		}
	}
	ra_step_roles_take(pass->roles, until_ns);
}

void ra_step_roles_fill_walk(const struct ra_steps *steps, const struct ra_model *view,
                             struct ra_step_cost *rows, struct ra_step_cost *mean)
{
	const size_t count = steps->times.step_count;
	struct pass pass = {
		.steps = steps,
		.view = view,
		.roles = ra_step_roles_begin(steps, view, rows),
		.next = ra_alloc_zeros(view->track_count + 1, sizeof(*pass.next)),
	};

	ra_walk_merge(view, take_ranges, &pass);
	ra_step_roles_end(pass.roles);
	free(pass.next);
	memset(mean, 0, sizeof(*mean));
	for (size_t i = 0; i < count; i++) {
		add_cost(mean, &rows[i]);
	}
	for (size_t role = 0; role < RA_ROLES && count > 0; role++) {
		mean->role[role] /= (double) count;
	}
}
