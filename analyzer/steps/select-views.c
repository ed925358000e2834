/* SPDX-License-Identifier: MIT */
/* Makes the view of the items in chosen steps: leaves out everything else, and renumbers
 * indices. */
#include "analyzer/base/alloc.h"
#include "analyzer/steps/select.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/model/model-part.h"

struct selecting {
	const struct ra_model *whole;
	struct ra_model *view;
	const struct ra_steps *steps;
	int64_t limit_ns; /* end of the last step on the CPU; ranges and calls that last longer are
	                     cut at this time */
	uint32_t *slices; /* owned; by old index: the new index; RA_NONE: left out */
	uint32_t *apis;   /* owned; by old index: the new index; RA_NONE: left out */
	uint32_t *ops;    /* owned; by old index: the new index; RA_NONE: left out */
	uint32_t *marks;  /* owned; by old index: the new index; RA_NONE: left out */
};

static uint32_t renumber(const uint32_t *news, uint32_t old)
{
	return old == RA_NONE ? RA_NONE : news[old];
}

static int64_t cut(const struct selecting *s, int64_t start_ns, int64_t dur_ns)
{
	const int64_t left_ns = s->limit_ns > start_ns ? s->limit_ns - start_ns : 0;

	return dur_ns < left_ns ? dur_ns : left_ns;
}

/* True if a range is kept. A range inside a kept range is kept, too, so that self times are right:
 * on other threads a range may last longer than a step. */
static bool keeps_slice(const struct selecting *s, uint32_t slice)
{
	const int64_t start_ns = s->whole->slices.start_ns[slice];
	const uint32_t parent = s->whole->slices.parent[slice];

	return ra_steps_is_open(s->steps, start_ns) ||
	       (renumber(s->slices, parent) != RA_NONE && start_ns < s->limit_ns);
}

static bool keeps_api(const struct selecting *s, const struct ra_gpu_api *api)
{
	return ra_steps_is_open(s->steps, api->start_ns) ||
	       (renumber(s->slices, api->slice) != RA_NONE && api->start_ns < s->limit_ns);
}

/* True if work is in the view. If it has a call, the call decides; if not, the work's own time
 * decides. */
static bool keeps_called(const struct selecting *s, uint32_t api, int64_t start_ns)
{
	return api != RA_NONE ? s->apis[api] != RA_NONE : ra_steps_is_open(s->steps, start_ns);
}

/* ---- ranges ---- */

static void make_slices(struct selecting *s)
{
	const struct ra_slices *from = &s->whole->slices;
	struct ra_slices *to = &s->view->slices;
	const size_t room = from->count + 1;

	*to = (struct ra_slices){
		.start_ns = ra_alloc_bytes(room * sizeof(*to->start_ns)),
		.dur_ns = ra_alloc_bytes(room * sizeof(*to->dur_ns)),
		.name = ra_alloc_bytes(room * sizeof(*to->name)),
		.parent = ra_alloc_bytes(room * sizeof(*to->parent)),
		.domain = ra_alloc_bytes(room * sizeof(*to->domain)),
		.flags = ra_alloc_bytes(room * sizeof(*to->flags)),
	};
	for (uint32_t i = 0; i < from->count; i++) {
		const size_t at = to->count;

		if (!keeps_slice(s, i)) {
			s->slices[i] = RA_NONE;
			continue;
		}
		s->slices[i] = (uint32_t) at;
		to->start_ns[at] = from->start_ns[i];
		to->dur_ns[at] = cut(s, from->start_ns[i], from->dur_ns[i]);
		to->name[at] = from->name[i];
		to->parent[at] = renumber(s->slices, from->parent[i]);
		to->domain[at] = from->domain[i];
		to->flags[at] = from->flags[i];
		to->count++;
	}
}

/* The new index of the first element that is kept, from `old` on. */
static size_t find_next(const uint32_t *news, size_t old, size_t old_count, size_t new_count)
{
	while (old < old_count && news[old] == RA_NONE) {
		old++;
	}
	return old < old_count ? news[old] : new_count;
}

static void extend(struct ra_track *track, int64_t start_ns, int64_t end_ns)
{
	track->first_ns = start_ns < track->first_ns ? start_ns : track->first_ns;
	track->last_ns = end_ns > track->last_ns ? end_ns : track->last_ns;
}

/* Makes the tracks. All tracks are kept, even empty ones. */
static void make_tracks(struct selecting *s)
{
	const struct ra_model *whole = s->whole;
	struct ra_model *view = s->view;
	size_t slice = 0;
	size_t mark = 0;

	view->tracks = ra_alloc_zeros(whole->track_count + 1, sizeof(*view->tracks));
	for (size_t t = 0; t < whole->track_count; t++) {
		const struct ra_track *from = &whole->tracks[t];
		struct ra_track *to = &view->tracks[t];

		*to = *from;
		to->first_slice = slice;
		to->first_mark = mark;
		slice = find_next(s->slices, from->first_slice + from->slice_count,
		                  whole->slices.count, view->slices.count);
		mark = find_next(s->marks, from->first_mark + from->mark_count, whole->mark_count,
		                 view->mark_count);
		to->slice_count = slice - to->first_slice;
		to->mark_count = mark - to->first_mark;
		if (to->slice_count + to->mark_count == 0) {
			continue;
		}
		to->first_ns = INT64_MAX;
		to->last_ns = INT64_MIN;
		for (size_t i = to->first_slice; i < slice; i++) {
			extend(to, view->slices.start_ns[i],
			       view->slices.start_ns[i] + view->slices.dur_ns[i]);
		}
		for (size_t i = to->first_mark; i < mark; i++) {
			extend(to, view->marks[i].time_ns, view->marks[i].time_ns);
		}
		to->end_ns = to->last_ns;
	}
}

static void make_marks(struct selecting *s)
{
	struct ra_model *view = s->view;

	view->marks = ra_alloc_zeros(s->whole->mark_count + 1, sizeof(*view->marks));
	view->mark_count = 0;
	for (size_t i = 0; i < s->whole->mark_count; i++) {
		const struct ra_mark *mark = &s->whole->marks[i];

		s->marks[i] = RA_NONE;
		if (ra_steps_is_open(s->steps, mark->time_ns)) {
			s->marks[i] = (uint32_t) view->mark_count;
			view->marks[view->mark_count++] = *mark;
		}
	}
}

struct attrs {
	struct ra_attr *rows;
	size_t count;
};

static void make_attrs(const struct attrs *from, const uint32_t *news, struct attrs *to)
{
	*to = (struct attrs){ ra_alloc_zeros(from->count + 1, sizeof(*to->rows)), 0 };
	for (size_t i = 0; i < from->count; i++) {
		if (news[from->rows[i].owner] != RA_NONE) {
			to->rows[to->count] = from->rows[i];
			to->rows[to->count++].owner = news[from->rows[i].owner];
		}
	}
}

static void make_data(const struct ra_data_list *from, const uint32_t *news,
                      struct ra_data_list *to)
{
	*to = (struct ra_data_list){ ra_alloc_zeros(from->count + 1, sizeof(*to->rows)), 0 };
	for (size_t i = 0; i < from->count; i++) {
		if (news[from->rows[i].owner] != RA_NONE) {
			to->rows[to->count] = from->rows[i];
			to->rows[to->count++].owner = news[from->rows[i].owner];
		}
	}
}

static void make_counts(struct selecting *s)
{
	const struct ra_model *whole = s->whole;
	struct ra_model *view = s->view;

	view->slice_counts =
		ra_alloc_zeros(whole->slice_count_count + 1, sizeof(*view->slice_counts));
	view->slice_count_count = 0;
	for (size_t i = 0; i < whole->slice_count_count; i++) {
		const uint32_t slice = s->slices[whole->slice_counts[i].slice];

		if (slice != RA_NONE) {
			view->slice_counts[view->slice_count_count] = whole->slice_counts[i];
			view->slice_counts[view->slice_count_count++].slice = slice;
		}
	}
}

/* Copies colours, categories, payloads and counter values of what is kept. */
static void make_details(struct selecting *s)
{
	const struct ra_model *whole = s->whole;
	struct ra_model *view = s->view;
	struct attrs attrs = { whole->slice_attrs, whole->slice_attr_count };
	struct attrs kept;

	make_attrs(&attrs, s->slices, &kept);
	view->slice_attrs = kept.rows;
	view->slice_attr_count = kept.count;
	make_counts(s);
	attrs = (struct attrs){ whole->mark_attrs, whole->mark_attr_count };
	make_attrs(&attrs, s->marks, &kept);
	view->mark_attrs = kept.rows;
	view->mark_attr_count = kept.count;
	make_data(&whole->slice_data, s->slices, &view->slice_data);
	make_data(&whole->mark_data, s->marks, &view->mark_data);
}

static void make_spans(struct selecting *s)
{
	struct ra_model *view = s->view;

	view->spans = ra_alloc_zeros(s->whole->span_count + 1, sizeof(*view->spans));
	view->span_count = 0;
	for (size_t i = 0; i < s->whole->span_count; i++) {
		const struct ra_span *span = &s->whole->spans[i];

		if (s->slices[span->slice] != RA_NONE) {
			view->spans[view->span_count] = *span;
			view->spans[view->span_count++].slice = s->slices[span->slice];
		}
	}
}

static void make_samples(struct selecting *s)
{
	struct ra_model *view = s->view;

	view->samples = ra_alloc_zeros(s->whole->sample_count + 1, sizeof(*view->samples));
	view->sample_count = 0;
	for (size_t i = 0; i < s->whole->sample_count; i++) {
		if (ra_steps_is_open(s->steps, s->whole->samples[i].time_ns)) {
			view->samples[view->sample_count++] = s->whole->samples[i];
		}
	}
}

static void add_sync_time(struct ra_sync_object *object, const struct ra_sync_time *time)
{
	if (time->kind == RA_SYNC_HOLD) {
		object->holds++;
		object->hold_ns = ra_util_add_time(object->hold_ns, time->dur_ns);
		object->hold_max_ns =
			time->dur_ns > object->hold_max_ns ? time->dur_ns : object->hold_max_ns;
		return;
	}
	if (time->kind == RA_SYNC_WAIT_OPEN) {
		object->open++;
		return;
	}
	object->waits++;
	object->failed += time->kind == RA_SYNC_WAIT_FAILED;
	object->wait_ns = ra_util_add_time(object->wait_ns, time->dur_ns);
	object->wait_max_ns =
		time->dur_ns > object->wait_max_ns ? time->dur_ns : object->wait_max_ns;
}

/* Makes the sync objects. All are kept; their figures are summed anew. */
static void make_sync_objects(struct selecting *s)
{
	const struct ra_model *whole = s->whole;
	struct ra_sync_object *objects =
		ra_alloc_zeros(whole->sync_object_count + 1, sizeof(*objects));

	s->view->sync_objects = objects;
	for (size_t i = 0; i < whole->sync_object_count; i++) {
		const struct ra_sync_object *from = &whole->sync_objects[i];

		objects[i] = (struct ra_sync_object){ .id = from->id,
			                              .name = from->name,
			                              .wait_name = from->wait_name,
			                              .domain = from->domain };
	}
	for (size_t i = 0; i < whole->sync_time_count; i++) {
		const struct ra_sync_time *time = &whole->sync_times[i];

		if (ra_steps_is_open(s->steps, time->start_ns)) {
			add_sync_time(&objects[time->object], time);
		}
	}
}

static void make_cpu(struct selecting *s)
{
	make_slices(s);
	make_marks(s);
	make_tracks(s);
	make_details(s);
	make_spans(s);
	make_samples(s);
	make_sync_objects(s);
}

/* ---- the GPU ---- */

static void make_apis(struct selecting *s)
{
	const struct ra_gpu *from = &s->whole->gpu;
	struct ra_gpu *to = &s->view->gpu;

	to->apis = ra_alloc_zeros(from->api_count + 1, sizeof(*to->apis));
	to->api_count = 0;
	for (size_t i = 0; i < from->api_count; i++) {
		const struct ra_gpu_api *api = &from->apis[i];
		struct ra_gpu_api *kept = &to->apis[to->api_count];

		s->apis[i] = RA_NONE;
		if (keeps_api(s, api)) {
			s->apis[i] = (uint32_t) to->api_count++;
			*kept = *api;
			kept->dur_ns = cut(s, api->start_ns, api->dur_ns);
			kept->slice = renumber(s->slices, api->slice);
		}
	}
}

/* True if an operation is in the view. Work without a known call belongs to the step that was open
 * when the work began. */
static bool keeps_op(const struct selecting *s, const struct ra_gpu_op *op)
{
	return op->api != RA_NONE ? s->apis[op->api] != RA_NONE
	                          : ra_steps_holds(s->steps, op->start_ns);
}

static void make_ops(struct selecting *s)
{
	const struct ra_gpu *from = &s->whole->gpu;
	struct ra_gpu *to = &s->view->gpu;

	to->ops = ra_alloc_zeros(from->op_count + 1, sizeof(*to->ops));
	to->queues = ra_alloc_zeros(from->queue_count + 1, sizeof(*to->queues));
	to->op_count = 0;
	memset(to->rule_ns, 0, sizeof(to->rule_ns));
	memset(to->rule_ops, 0, sizeof(to->rule_ops));
	for (size_t q = 0; q < from->queue_count; q++) {
		const struct ra_gpu_queue *queue = &from->queues[q];

		to->queues[q] = *queue;
		to->queues[q].first_op = to->op_count;
		for (size_t i = queue->first_op; i < queue->first_op + queue->op_count; i++) {
			struct ra_gpu_op *kept = &to->ops[to->op_count];

			s->ops[i] = RA_NONE;
			if (keeps_op(s, &from->ops[i])) {
				s->ops[i] = (uint32_t) to->op_count++;
				*kept = from->ops[i];
				kept->api = renumber(s->apis, kept->api);
				kept->slice = renumber(s->slices, kept->slice);
				kept->rule = kept->slice == RA_NONE ? RA_GPU_RULE_NONE : kept->rule;
				to->rule_ops[kept->rule]++;
				to->rule_ns[kept->rule] =
					ra_util_add_time(to->rule_ns[kept->rule], kept->dur_ns);
			}
		}
		to->queues[q].op_count = to->op_count - to->queues[q].first_op;
	}
}

static void make_others(struct selecting *s)
{
	const struct ra_gpu *from = &s->whole->gpu;
	struct ra_gpu *to = &s->view->gpu;

	to->syncs = ra_alloc_zeros(from->sync_count + 1, sizeof(*to->syncs));
	to->overheads = ra_alloc_zeros(from->overhead_count + 1, sizeof(*to->overheads));
	to->memories = ra_alloc_zeros(from->memory_count + 1, sizeof(*to->memories));
	to->sections = ra_alloc_zeros(from->section_count + 1, sizeof(*to->sections));
	s->view->os_calls = ra_alloc_zeros(s->whole->os_call_count + 1, sizeof(*s->view->os_calls));
	to->sync_count = to->overhead_count = to->memory_count = to->section_count = 0;
	s->view->os_call_count = 0;
	for (size_t i = 0; i < from->sync_count; i++) {
		if (keeps_called(s, from->syncs[i].api, from->syncs[i].start_ns)) {
			to->syncs[to->sync_count] = from->syncs[i];
			to->syncs[to->sync_count].recorded_api =
				renumber(s->apis, from->syncs[i].recorded_api);
			to->syncs[to->sync_count++].api = renumber(s->apis, from->syncs[i].api);
		}
	}
	for (size_t i = 0; i < from->overhead_count; i++) {
		if (ra_steps_is_open(s->steps, from->overheads[i].start_ns)) {
			to->overheads[to->overhead_count++] = from->overheads[i];
		}
	}
	for (size_t i = 0; i < from->memory_count; i++) {
		if (keeps_called(s, from->memories[i].api, from->memories[i].time_ns)) {
			to->memories[to->memory_count] = from->memories[i];
			to->memories[to->memory_count++].api =
				renumber(s->apis, from->memories[i].api);
		}
	}
	for (size_t i = 0; i < s->whole->os_call_count; i++) {
		if (ra_steps_is_open(s->steps, s->whole->os_calls[i].start_ns)) {
			s->view->os_calls[s->view->os_call_count++] = s->whole->os_calls[i];
		}
	}
	for (size_t i = 0; i < from->section_count; i++) {
		const uint32_t op = renumber(s->ops, from->sections[i].op);

		if (op != RA_NONE) {
			to->sections[to->section_count] = from->sections[i];
			to->sections[to->section_count++].op = op;
		}
	}
}

/* ---- all ---- */

/* Clears what the view would own. Otherwise freeing the view would free arrays of the whole
 * model. */
static void clear_view(struct ra_model *view)
{
	view->slices = (struct ra_slices){ 0 };
	view->tracks = NULL;
	view->marks = NULL;
	view->slice_attrs = NULL;
	view->slice_counts = NULL;
	view->mark_attrs = NULL;
	view->slice_data.rows = NULL;
	view->mark_data.rows = NULL;
	view->os_calls = NULL;
	view->spans = NULL;
	view->samples = NULL;
	view->sync_objects = NULL;
	view->gpu.apis = NULL;
	view->gpu.ops = NULL;
	view->gpu.queues = NULL;
	view->gpu.syncs = NULL;
	view->gpu.overheads = NULL;
	view->gpu.memories = NULL;
	view->gpu.sections = NULL;
	view->part = NULL;
	view->is_view = true;
}

static void make_things(struct ra_select *select, const struct ra_model *model,
                        const struct ra_steps *steps)
{
	struct ra_model *view = &select->things;
	struct selecting s = {
		.whole = model,
		.view = view,
		.steps = steps,
		.limit_ns = steps->hosts[steps->times.step_count - 1].end_ns,
		.slices = ra_alloc_bytes((model->slices.count + 1) * sizeof(*s.slices)),
		.apis = ra_alloc_bytes((model->gpu.api_count + 1) * sizeof(*s.apis)),
		.ops = ra_alloc_bytes((model->gpu.op_count + 1) * sizeof(*s.ops)),
		.marks = ra_alloc_bytes((model->mark_count + 1) * sizeof(*s.marks)),
	};
	const uint32_t *const news[3] = { s.slices, s.apis, s.ops };

	make_cpu(&s);
	make_apis(&s);
	make_ops(&s);
	make_others(&s);
	ra_select_make_kineto(select, model, steps, news);
	free(s.slices);
	free(s.apis);
	free(s.ops);
	free(s.marks);
}

static char *copy_name(struct rlog_string name)
{
	return ra_util_copy(name.bytes, name.length);
}

static void count(struct ra_select *select, const struct ra_model *model)
{
	const struct ra_model *view = &select->things;

	select->ranges = (struct ra_select_count){
		view->slices.count,
		model->part != NULL ? model->part->slice_count : model->slices.count,
	};
	select->calls = (struct ra_select_count){ view->gpu.api_count, model->gpu.api_count };
	select->ops = (struct ra_select_count){ view->gpu.op_count, model->gpu.op_count };
}

void ra_select_init(struct ra_select *select, const struct ra_model *model,
                    const struct ra_steps_options *options)
{
	struct ra_steps steps;

	ra_steps_init(&steps, model, options);
	memset(select, 0, sizeof(*select));
	select->things = *model;
	clear_view(&select->things);
	if (steps.times.step_count > 0) {
		select->step_count = steps.times.step_count;
		select->all_steps = steps.all_count;
		select->first = copy_name(steps.times.steps[0].name);
		select->last = copy_name(steps.times.steps[select->step_count - 1].name);
		make_things(select, model, &steps);
		ra_select_make_time(select, model, &steps);
		count(select, model);
	}
	ra_steps_fini(&steps);
}

void ra_select_fini(struct ra_select *select)
{
	struct ra_model *view = &select->things;

	free(view->slices.start_ns);
	free(view->slices.dur_ns);
	free(view->slices.name);
	free(view->slices.parent);
	free(view->slices.domain);
	free(view->slices.flags);
	free(view->tracks);
	free(view->marks);
	free(view->slice_attrs);
	free(view->slice_counts);
	free(view->mark_attrs);
	free(view->slice_data.rows);
	free(view->mark_data.rows);
	free(view->os_calls);
	free(view->spans);
	free(view->samples);
	free(view->sync_objects);
	free(view->gpu.apis);
	free(view->gpu.ops);
	free(view->gpu.queues);
	free(view->gpu.syncs);
	free(view->gpu.overheads);
	free(view->gpu.memories);
	free(view->gpu.sections);
	ra_select_free_kineto(select);
	ra_select_free_time(select);
	free(select->first);
	free(select->last);
	memset(select, 0, sizeof(*select));
}
