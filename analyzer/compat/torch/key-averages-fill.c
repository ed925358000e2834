/* SPDX-License-Identifier: MIT */
/* Makes the rows of key_averages() by our own rules, from the model. */
#include "analyzer/compat/torch/key-averages-impl.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/compat/torch/flops.h"
#include "analyzer/compat/torch/events.h"
#include "analyzer/base/util.h"

/* ---- rows ---- */

/* Returns the trace's event from which a slice was made; RA_KINETO_NONE for our own logs. */
static uint32_t find_event(const struct ra_model *m, size_t slice)
{
	return m->kineto != NULL ? m->kineto->slice_event[slice] : RA_KINETO_NONE;
}

static uint64_t make_range_key(bool is_step, bool is_span, uint32_t label)
{
	if (is_step) {
		return ra_key_averages_make_key(is_span ? RA_KEY_ROW_SPAN_STEP : RA_KEY_ROW_STEP,
		                                0);
	}
	return ra_key_averages_make_key(is_span ? RA_KEY_ROW_SPAN : RA_KEY_ROW_RANGE, label);
}

static uint32_t find_range_row(struct ra_key_making *making, size_t slice, bool is_span)
{
	const struct ra_model *m = making->model;
	const unsigned by = making->input->group_by;
	const struct ra_labels *labels = making->input->labels;
	const struct rlog_string raw = ra_model_string(m, m->slices.name[slice]);
	const uint32_t event = find_event(m, slice);
	const bool is_profiler_step = ra_torch_events_is_step(raw);
	const uint32_t label = ra_labels_find(making->input->labels, m->slices.name[slice]);
	uint32_t shape = 0;
	uint32_t stack = 0;
	uint32_t row;
	bool is_new;

	if (event != RA_KINETO_NONE) {
		shape = ra_key_averages_shape(m->kineto, event, by);
		stack = (by & RA_GROUP_BY_STACK) != 0
		                ? ra_python_stacks_find(&making->stacks, event)
		                : 0;
	}
	row = ra_key_averages_find(making->averages, &making->finder,
	                           make_range_key(is_profiler_step, is_span, label), shape, stack,
	                           &is_new);
	if (is_new) {
		struct ra_key_average *new = &making->averages->rows[row];

		new->is_span = is_span;
		new->name = is_profiler_step ? ra_util_string("ProfilerStep*")
		            : labels != NULL ? ra_labels_name(labels, label)
		                             : raw;
		if (event != RA_KINETO_NONE) {
			new->shapes = m->kineto->strings[shape];
			new->stack = ra_python_stacks_text(&making->stacks, stack, making->table);
		} else if (labels != NULL && (by & RA_GROUP_BY_SHAPE) != 0) {
			new->shapes = ra_labels_shape(labels, label);
		}
	}
	if (event != RA_KINETO_NONE) {
		double flops;

		/* Takes the number from the trace, if it has one. A number above 1e300 can only be
		 * a mistake. */
		if (!ra_kineto_get_real(m->kineto, event, RA_KINETO_ARG_FLOPS, &flops) ||
		    !(flops > 0 && flops < 1e300)) {
			flops = ra_flops_of_event(m->kineto, event);
		}
		making->averages->rows[row].flops += flops;
	}
	return row;
}

static uint32_t find_api_row(struct ra_key_making *making, const struct ra_gpu_api *api)
{
	bool is_new;
	const uint32_t row = ra_key_averages_find(
		making->averages, &making->finder,
		ra_key_averages_make_key(RA_KEY_ROW_API, api->name), 0, 0, &is_new);

	if (is_new) {
		making->averages->rows[row].name = ra_model_string(making->model, api->name);
	}
	return row;
}

/* Makes room in `covers` for a row that may be new. */
static void need_cover(struct ra_key_making *making, uint32_t row)
{
	const size_t before = making->cover_capacity;

	ra_util_grow(&making->covers, &making->cover_capacity, (size_t) row + 1,
	             sizeof(*making->covers));
	if (making->cover_capacity > before) {
		memset(making->covers + before, 0,
		       (making->cover_capacity - before) * sizeof(*making->covers));
	}
}

/* Finds the row's cover on the current thread. need_cover() must have made room for it. */
static struct ra_key_cover *find_cover(struct ra_key_making *making, uint32_t row, size_t track)
{
	struct ra_key_cover *cover = &making->covers[row];

	if (cover->track != track + 1) {
		*cover = (struct ra_key_cover){ INT64_MIN, INT64_MIN, track + 1 };
	}
	return cover;
}

/* ---- CPU times ---- */

/* Adds the time until `to_ns` to the open interval that began last. */
static void advance(struct ra_key_making *making, int64_t to_ns)
{
	while (making->now_ns < to_ns && making->open_count > 0) {
		const struct ra_key_open *top = &making->open[making->open_count - 1];
		const int64_t until_ns = top->end_ns < to_ns ? top->end_ns : to_ns;

		if (top->end_ns <= making->now_ns) {
			making->open_count--;
			continue;
		}
		making->averages->rows[top->row].ns[RA_KEY_CPU_SELF] += until_ns - making->now_ns;
		making->now_ns = until_ns;
	}
	making->now_ns = making->now_ns < to_ns ? to_ns : making->now_ns;
}

/* Begins an interval of a thread. */
static void begin(struct ra_key_making *making, size_t track, uint32_t row, int64_t start_ns,
                  int64_t dur_ns)
{
	struct ra_key_average *average = &making->averages->rows[row];
	const int64_t end_ns = start_ns + dur_ns;
	struct ra_key_cover *cover;
	int64_t from_ns;

	need_cover(making, row);
	ra_util_grow(&making->open, &making->open_capacity, making->open_count + 1,
	             sizeof(*making->open));
	advance(making, start_ns);
	making->open[making->open_count++] = (struct ra_key_open){ end_ns, row };
	cover = find_cover(making, row, track);
	from_ns = start_ns > cover->until_ns ? start_ns : cover->until_ns;
	average->calls++;
	average->calls_ns = ra_util_add_time(average->calls_ns, dur_ns);
	if (end_ns > from_ns) {
		average->ns[RA_KEY_CPU_TOTAL] =
			ra_util_add_time(average->ns[RA_KEY_CPU_TOTAL], end_ns - from_ns);
		cover->until_ns = end_ns;
	}
}

static void begin_slice(struct ra_key_making *making, size_t track, size_t slice)
{
	const struct ra_slices *s = &making->model->slices;
	const uint32_t row = find_range_row(making, slice, false);

	need_cover(making, row);
	making->row_of[slice] = row;
	making->is_outermost[slice] = true;
	if ((s->flags[slice] & RA_SLICE_CROSSING) == 0) {
		const int64_t end_ns = s->start_ns[slice] + s->dur_ns[slice];
		struct ra_key_cover *cover = find_cover(making, row, track);

		making->is_outermost[slice] = s->start_ns[slice] >= cover->tree_ns;
		cover->tree_ns = end_ns > cover->tree_ns ? end_ns : cover->tree_ns;
	}
	begin(making, track, row, s->start_ns[slice], s->dur_ns[slice]);
}

/* Handles the ranges and calls of one thread, ordered by start, longer ones first. */
static void sweep_thread(struct ra_key_making *making, size_t t, size_t *next_api)
{
	const struct ra_model *m = making->model;
	const struct ra_track *track = &m->tracks[t];
	const size_t end = track->first_slice + track->slice_count;
	size_t slice = track->first_slice;

	making->open_count = 0;
	making->now_ns = INT64_MIN;
	for (;;) {
		const struct ra_gpu_api *api =
			*next_api < m->gpu.api_count && m->gpu.apis[*next_api].track == t
				? &m->gpu.apis[*next_api]
				: NULL;

		if (slice < end && (api == NULL || m->slices.start_ns[slice] < api->start_ns ||
		                    (m->slices.start_ns[slice] == api->start_ns &&
		                     m->slices.dur_ns[slice] >= api->dur_ns))) {
			begin_slice(making, t, slice++);
		} else if (api != NULL) {
			begin(making, t, find_api_row(making, api), api->start_ns, api->dur_ns);
			(*next_api)++;
		} else {
			break;
		}
	}
	advance(making, INT64_MAX);
}

/* Adds start/end ranges. These may overlap in any way, so they have no self time, and each duration
 * counts. */
static void count_spans(struct ra_key_making *making, const struct ra_track *track)
{
	const struct ra_slices *s = &making->model->slices;
	const size_t end = track->first_slice + track->slice_count;

	for (size_t i = track->first_slice; i < end; i++) {
		const uint32_t row = find_range_row(making, i, true);
		struct ra_key_average *average = &making->averages->rows[row];

		making->row_of[i] = row;
		making->is_outermost[i] = true;
		average->calls++;
		average->calls_ns = ra_util_add_time(average->calls_ns, s->dur_ns[i]);
		average->ns[RA_KEY_CPU_TOTAL] =
			ra_util_add_time(average->ns[RA_KEY_CPU_TOTAL], s->dur_ns[i]);
	}
}

/* Adds calls on unknown threads. No range is known around such a call. */
static void count_lone_call(struct ra_key_making *making, const struct ra_gpu_api *api)
{
	const uint32_t index = find_api_row(making, api);
	struct ra_key_average *row = &making->averages->rows[index];

	row->calls++;
	row->calls_ns = ra_util_add_time(row->calls_ns, api->dur_ns);
	row->ns[RA_KEY_CPU_SELF] = ra_util_add_time(row->ns[RA_KEY_CPU_SELF], api->dur_ns);
	row->ns[RA_KEY_CPU_TOTAL] = ra_util_add_time(row->ns[RA_KEY_CPU_TOTAL], api->dur_ns);
}

static void sweep_threads(struct ra_key_making *making)
{
	const struct ra_model *m = making->model;
	size_t next_api = 0;

	for (size_t t = 0; t < m->track_count; t++) {
		for (; next_api < m->gpu.api_count && m->gpu.apis[next_api].track < t; next_api++) {
			count_lone_call(making, &m->gpu.apis[next_api]);
		}
		if (m->tracks[t].kind == RA_TRACK_THREAD) {
			sweep_thread(making, t, &next_api);
		} else {
			count_spans(making, &m->tracks[t]);
		}
	}
	for (; next_api < m->gpu.api_count; next_api++) {
		count_lone_call(making, &m->gpu.apis[next_api]);
	}
}

static void sum_rows(struct ra_key_averages *averages)
{
	for (size_t i = 0; i < averages->count; i++) {
		const struct ra_key_average *row = &averages->rows[i];

		averages->cpu_ns = ra_util_add_time(averages->cpu_ns, row->ns[RA_KEY_CPU_SELF]);
		if (row->is_device) {
			averages->gpu_ns =
				ra_util_add_time(averages->gpu_ns, row->ns[RA_KEY_GPU_SELF]);
		}
	}
}

void ra_key_averages_init(struct ra_key_averages *averages, const struct ra_report_input *input,
                          struct ra_table *table)
{
	const size_t slices = input->model->slices.count;
	struct ra_key_making making = {
		.averages = averages,
		.input = input,
		.model = input->model,
		.table = table,
		.row_of = ra_alloc_zeros(slices + 1, sizeof(*making.row_of)),
		.is_outermost = ra_alloc_zeros(slices + 1, sizeof(*making.is_outermost)),
		.below = ra_alloc_zeros(slices + 1, sizeof(*making.below)),
	};

	*averages = (struct ra_key_averages){ 0 };
	if ((input->group_by & RA_GROUP_BY_STACK) != 0) {
		ra_python_stacks_init(&making.stacks, input->model);
	}
	sweep_threads(&making);
	ra_key_averages_add_gpu(&making);
	sum_rows(averages);
	free(making.row_of);
	free(making.is_outermost);
	free(making.below);
	free(making.covers);
	free(making.open);
	ra_python_stacks_fini(&making.stacks);
	ra_key_averages_fini_finder(&making.finder);
}
