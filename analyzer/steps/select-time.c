/* SPDX-License-Identifier: MIT */
/* Makes the view of the time of chosen steps: the time between these is cut out of the time
 * axis. */
#include "analyzer/base/alloc.h"
#include "analyzer/base/order/search.h"
#include "analyzer/steps/select.h"

#include <stdlib.h>

/* Makes windows of the steps. Steps without a gap between them form one window. */
static void make_windows(struct ra_select *select, const struct ra_steps *steps)
{
	size_t count = 0;

	select->windows = ra_alloc_zeros(steps->times.step_count + 1, sizeof(*select->windows));
	for (size_t i = 0; i < steps->times.step_count; i++) {
		const int64_t start_ns = (int64_t) steps->times.steps[i].start;
		const int64_t end_ns = (int64_t) steps->times.steps[i].end;

		if (count > 0 && start_ns <= select->windows[count - 1].end_ns) {
			select->windows[count - 1].end_ns = end_ns;
		} else {
			select->windows[count++] = (struct ra_window){ start_ns, end_ns };
		}
	}
	select->time.windows = select->windows;
	select->time.window_count = count;
}

/* A window, and where it begins on the new axis. */
struct place {
	struct ra_window window;
	int64_t at_ns;
};

struct axis {
	struct place *places; /* owned */
	size_t count;
	int64_t length_ns;
};

static void make_axis(struct axis *axis, const struct ra_model *view)
{
	*axis = (struct axis){ ra_alloc_zeros(view->window_count + 1, sizeof(*axis->places)),
		               view->window_count, 0 };
	for (size_t i = 0; i < axis->count; i++) {
		axis->places[i] = (struct place){ view->windows[i], axis->length_ns };
		axis->length_ns += view->windows[i].end_ns - view->windows[i].start_ns;
	}
}

/* The index of the first window that ends after a time; `count`: none. */
static size_t find_place(const struct axis *axis, int64_t time_ns)
{
	struct ra_search at = ra_search_in(0, axis->count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, axis->places[at.middle].window.end_ns <= time_ns);
	}
	return at.low;
}

static int64_t project(const struct axis *axis, int64_t time_ns)
{
	const size_t i = find_place(axis, time_ns);
	const struct place *place = &axis->places[i];

	if (i == axis->count) {
		return axis->length_ns;
	}
	return time_ns > place->window.start_ns ? place->at_ns + time_ns - place->window.start_ns
	                                        : place->at_ns;
}

/* Moves a stretch to the new axis. Return: false if no part of it is in the steps. A stretch
 * without duration is in the steps if its start is. */
static bool move(const struct axis *axis, int64_t *start_ns, int64_t *dur_ns)
{
	const int64_t from_ns = project(axis, *start_ns);
	const int64_t to_ns = project(axis, *start_ns + *dur_ns);
	const size_t i = find_place(axis, *start_ns);
	const bool is_in = to_ns > from_ns || (*dur_ns == 0 && i < axis->count &&
	                                       axis->places[i].window.start_ns <= *start_ns);

	*start_ns = from_ns;
	*dur_ns = to_ns - from_ns;
	return is_in;
}

/* Moves ranges and calls to the new axis. They keep their indices, because reports look up what
 * threads did at a time. */
static void move_cpu(struct ra_model *view, const struct ra_model *model, const struct axis *axis)
{
	const size_t count = model->slices.count;

	view->slices.start_ns = ra_alloc_bytes((count + 1) * sizeof(*view->slices.start_ns));
	view->slices.dur_ns = ra_alloc_bytes((count + 1) * sizeof(*view->slices.dur_ns));
	view->gpu.apis = ra_alloc_bytes((model->gpu.api_count + 1) * sizeof(*view->gpu.apis));
	for (size_t i = 0; i < count; i++) {
		view->slices.start_ns[i] = model->slices.start_ns[i];
		view->slices.dur_ns[i] = model->slices.dur_ns[i];
		(void) move(axis, &view->slices.start_ns[i], &view->slices.dur_ns[i]);
	}
	for (size_t i = 0; i < model->gpu.api_count; i++) {
		view->gpu.apis[i] = model->gpu.apis[i];
		(void) move(axis, &view->gpu.apis[i].start_ns, &view->gpu.apis[i].dur_ns);
	}
}

static void move_gpu(struct ra_model *view, const struct ra_model *model, const struct axis *axis)
{
	const struct ra_gpu *from = &model->gpu;
	struct ra_gpu *to = &view->gpu;

	to->ops = ra_alloc_zeros(from->op_count + 1, sizeof(*to->ops));
	to->queues = ra_alloc_zeros(from->queue_count + 1, sizeof(*to->queues));
	to->syncs = ra_alloc_zeros(from->sync_count + 1, sizeof(*to->syncs));
	to->op_count = to->sync_count = to->section_count =
		0; /* sections are dropped, because they refer to operations by index */
	for (size_t q = 0; q < from->queue_count; q++) {
		const struct ra_gpu_queue *queue = &from->queues[q];

		to->queues[q] = *queue;
		to->queues[q].first_op = to->op_count;
		for (size_t i = queue->first_op; i < queue->first_op + queue->op_count; i++) {
			struct ra_gpu_op *op = &to->ops[to->op_count];

			*op = from->ops[i];
			to->op_count += move(axis, &op->start_ns, &op->dur_ns);
		}
		to->queues[q].op_count = to->op_count - to->queues[q].first_op;
	}
	for (size_t i = 0; i < from->sync_count; i++) {
		struct ra_gpu_sync *sync = &to->syncs[to->sync_count];

		*sync = from->syncs[i];
		to->sync_count += move(axis, &sync->start_ns, &sync->dur_ns);
	}
}

void ra_select_make_time(struct ra_select *select, const struct ra_model *model,
                         const struct ra_steps *steps)
{
	struct ra_model *view = &select->time;
	struct axis axis = { 0 };

	/* The view must not point to arrays of the model of which it will own copies. */
	*view = *model;
	view->part = NULL;
	view->slices.start_ns = NULL;
	view->slices.dur_ns = NULL;
	view->gpu.apis = NULL;
	view->gpu.ops = NULL;
	view->gpu.queues = NULL;
	view->gpu.syncs = NULL;
	make_windows(select, steps);
	make_axis(&axis, view);
	move_cpu(view, model, &axis);
	move_gpu(view, model, &axis);
	view->end_ns = axis.length_ns;
	free(axis.places);
}

void ra_select_free_time(struct ra_select *select)
{
	struct ra_model *view = &select->time;

	free(view->slices.start_ns);
	free(view->slices.dur_ns);
	free(view->gpu.apis);
	free(view->gpu.ops);
	free(view->gpu.queues);
	free(view->gpu.syncs);
	free(select->windows);
}

int64_t ra_select_real(const struct ra_model *model, int64_t time_ns)
{
	int64_t at_ns = 0;

	for (size_t i = 0; i < model->window_count; i++) {
		const struct ra_window *window = &model->windows[i];
		const int64_t length_ns = window->end_ns - window->start_ns;

		/* A time at the border of two windows is taken as that of the later window, because
		 * a gap is reported by its start. */
		if (time_ns < at_ns + length_ns || i + 1 == model->window_count) {
			return window->start_ns + (time_ns - at_ns);
		}
		at_ns += length_ns;
	}
	return time_ns;
}
