/* SPDX-License-Identifier: MIT */
/* Finds items in a model for `analyzer search`: single events with a start and a duration. */
#include "analyzer/commands/search/search-hits.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/base/text/printed-name.h"

/* The state of a search. */
struct search {
	struct ra_search_hits *hits;
	const struct ra_search_query *query;
	uint8_t *names;  /* owned; indexed by name id: 0 not tested yet, 1 no match, 2 match */
	uint8_t *places; /* owned; for each place, whether it matches */
};

/* Makes the name of a thread's place: "main 1234", "thread 1234". */
static char *make_track_place(const struct ra_model *model, const struct ra_track *track)
{
	struct rlog_string name = ra_model_string(model, track->name);

	return track->name == 0 ? ra_alloc_format("thread %lld", (long long) track->tid)
	                        : ra_alloc_format("%.*s %lld", (int) name.length, name.bytes,
	                                          (long long) track->tid);
}

static char *make_queue_place(const struct ra_model *model, const struct ra_gpu_queue *queue)
{
	const struct rlog_string word = ra_model_device_word(model, queue->device);

	return ra_alloc_format("%.*s %lld stream %lld", (int) word.length, word.bytes,
	                       (long long) (int32_t) queue->device,
	                       (long long) (int32_t) queue->stream);
}

/* Lists the places where items can be, and notes which of them match. */
static void make_places(struct search *search)
{
	struct ra_search_hits *hits = search->hits;
	const struct ra_model *model = hits->model;
	size_t count = 0;

	hits->place_count = model->track_count + model->gpu.queue_count + 1;
	hits->places = ra_alloc_zeros(hits->place_count, sizeof(*hits->places));
	search->places = ra_alloc_zeros(hits->place_count, 1);
	for (size_t i = 0; i < model->track_count; i++) {
		hits->places[count++] = make_track_place(model, &model->tracks[i]);
	}
	for (size_t i = 0; i < model->gpu.queue_count; i++) {
		hits->places[count++] = make_queue_place(model, &model->gpu.queues[i]);
	}
	hits->places[count] = ra_alloc_copy("");
	for (size_t i = 0; i < hits->place_count; i++) {
		search->places[i] = ra_printed_name_is_in(hits->places[i], strlen(hits->places[i]),
		                                          search->query->thread);
	}
}

/* True if a name of the model matches. Each name is tested only once. @text: the name as
 * printed. */
static bool is_wanted(struct search *search, uint32_t name, struct rlog_string text)
{
	uint8_t *known = &search->names[name];

	if (*known == 0) {
		*known =
			ra_printed_name_is_in(text.bytes, text.length, search->query->name) ? 2 : 1;
	}
	return *known == 2;
}

/* Adds an item with a matching name, if its place and time match. */
static void add_hit(struct search *search, enum ra_search_kind kind, size_t index, uint32_t place,
                    int64_t start_ns, int64_t dur_ns)
{
	const struct ra_search_query *query = search->query;
	struct ra_search_hits *hits = search->hits;
	const int64_t end_ns = ra_util_add_time(start_ns, dur_ns);
	const int64_t from_ns = start_ns > query->from_ns ? start_ns : query->from_ns;
	const int64_t to_ns = end_ns < query->to_ns ? end_ns : query->to_ns;

	if (!search->places[place] || start_ns >= query->to_ns ||
	    (end_ns <= query->from_ns && start_ns < query->from_ns)) {
		return;
	}
	ra_util_grow(&hits->all, &hits->capacity, hits->count + 1, sizeof(*hits->all));
	hits->all[hits->count++] = (struct ra_search_hit){
		.start_ns = start_ns,
		.dur_ns = dur_ns,
		.in_ns = to_ns > from_ns ? to_ns - from_ns : 0,
		.place = place,
		.index = (uint32_t) index,
		.kind = (uint8_t) kind,
	};
}

static void find_ranges(struct search *search)
{
	const struct ra_model *model = search->hits->model;
	const struct ra_slices *slices = &model->slices;

	for (uint32_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = track->first_slice;
		     track->kind == RA_TRACK_THREAD && i < track->first_slice + track->slice_count;
		     i++) {
			if (is_wanted(search, slices->name[i],
			              ra_model_string(model, slices->name[i]))) {
				add_hit(search, RA_SEARCH_RANGE, i, t, slices->start_ns[i],
				        slices->dur_ns[i]);
			}
		}
	}
	for (size_t i = 0; i < model->span_count; i++) {
		const uint32_t slice = model->spans[i].slice;
		const uint32_t track = model->spans[i].start_track;

		if (is_wanted(search, slices->name[slice],
		              ra_model_string(model, slices->name[slice]))) {
			add_hit(search, RA_SEARCH_START_END, slice,
			        track < model->track_count
			                ? track
			                : (uint32_t) search->hits->place_count - 1,
			        slices->start_ns[slice], slices->dur_ns[slice]);
		}
	}
}

static void find_marks(struct search *search)
{
	const struct ra_model *model = search->hits->model;

	for (size_t i = 0; i < model->mark_count; i++) {
		const struct ra_mark *mark = &model->marks[i];

		if (is_wanted(search, mark->name, ra_model_string(model, mark->name))) {
			add_hit(search, RA_SEARCH_MARK, i, mark->track, mark->time_ns, 0);
		}
	}
}

static void find_calls(struct search *search)
{
	const struct ra_model *model = search->hits->model;

	for (size_t i = 0; i < model->gpu.api_count; i++) {
		const struct ra_gpu_api *api = &model->gpu.apis[i];

		if (is_wanted(search, api->name, ra_model_string(model, api->name))) {
			add_hit(search, RA_SEARCH_CALL, i, api->track, api->start_ns, api->dur_ns);
		}
	}
	for (size_t i = 0; i < model->os_call_count; i++) {
		const struct ra_os_call *call = &model->os_calls[i];

		if (is_wanted(search, call->name, ra_model_string(model, call->name))) {
			add_hit(search, RA_SEARCH_OS_CALL, i,
			        call->track < model->track_count
			                ? call->track
			                : (uint32_t) search->hits->place_count - 1,
			        call->start_ns, call->dur_ns);
		}
	}
}

/* Finds operations. Kernels match by their full names, even if rows show short names. The results
 * of tests for ranges are cleared, because a range and a kernel with the same name id have
 * different printed names. */
static void find_ops(struct search *search)
{
	const struct ra_model *model = search->hits->model;

	memset(search->names, 0, model->name_count + 1);
	for (size_t i = 0; i < model->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[i];
		char scratch[RA_GPU_TEXT_BYTES];
		const struct rlog_string text =
			ra_gpu_text_op(&search->hits->gpu_text, op, scratch);
		const bool is = op->kind == RA_GPU_KERNEL
		                        ? is_wanted(search, op->name, text)
		                        : ra_printed_name_is_in(text.bytes, text.length,
		                                                search->query->name);

		if (is) {
			add_hit(search, RA_SEARCH_OP, i, (uint32_t) model->track_count + op->queue,
			        op->start_ns, op->dur_ns);
		}
	}
}

void ra_search_hits_init(struct ra_search_hits *hits, const struct ra_model *model,
                         const struct ra_search_query *query, enum ra_kernel_form form)
{
	const struct ra_labels_options options = { .is_kernels = true, .kernel_form = form };
	struct search search = { .hits = hits, .query = query };

	*hits = (struct ra_search_hits){ .model = model };
	search.names = ra_alloc_zeros(model->name_count + 1, 1);
	ra_gpu_text_init(&hits->gpu_text, model);
	ra_labels_init(&hits->kernels, model, &options);
	make_places(&search);
	find_ranges(&search);
	find_marks(&search);
	find_calls(&search);
	find_ops(&search);
	free(search.names);
	free(search.places);
}

void ra_search_hits_fini(struct ra_search_hits *hits)
{
	for (size_t i = 0; i < hits->place_count; i++) {
		free(hits->places[i]);
	}
	free(hits->places);
	free(hits->all);
	ra_labels_fini(&hits->kernels);
	ra_gpu_text_fini(&hits->gpu_text);
}

struct rlog_string ra_search_hits_name(struct ra_search_hits *hits, const struct ra_search_hit *hit,
                                       char *scratch)
{
	const struct ra_model *model = hits->model;
	const struct ra_gpu *gpu = &model->gpu;

	switch ((enum ra_search_kind) hit->kind) {
	case RA_SEARCH_MARK:
		return ra_model_string(model, model->marks[hit->index].name);
	case RA_SEARCH_CALL:
		return ra_model_string(model, gpu->apis[hit->index].name);
	case RA_SEARCH_OS_CALL:
		return ra_model_string(model, model->os_calls[hit->index].name);
	case RA_SEARCH_OP:
		if (gpu->ops[hit->index].kind == RA_GPU_KERNEL) {
			return ra_labels_name(
				&hits->kernels,
				ra_labels_find(&hits->kernels, gpu->ops[hit->index].name));
		}
		return ra_gpu_text_op(&hits->gpu_text, &gpu->ops[hit->index], scratch);
	case RA_SEARCH_RANGE:
	case RA_SEARCH_START_END:
		break;
	}
	return ra_model_string(model, model->slices.name[hit->index]);
}

const char *ra_search_hits_kind(const struct ra_search_hits *hits, const struct ra_search_hit *hit)
{
	static const char *const words[] = {
		[RA_SEARCH_RANGE] = "range",     [RA_SEARCH_START_END] = "start/end",
		[RA_SEARCH_MARK] = "mark",       [RA_SEARCH_CALL] = "call",
		[RA_SEARCH_OS_CALL] = "OS call",
	};

	return hit->kind == RA_SEARCH_OP
	               ? ra_gpu_kind_name((enum ra_gpu_kind) hits->model->gpu.ops[hit->index].kind)
	               : words[hit->kind];
}

size_t ra_search_hits_count_inside(const struct ra_search_hits *hits, int64_t *outer_ns)
{
	const struct ra_slices *slices = &hits->model->slices;
	uint8_t *is_found = ra_alloc_zeros(slices->count + 1, sizeof(*is_found));
	size_t inside = 0;

	*outer_ns = 0;
	for (size_t i = 0; i < hits->count; i++) {
		if (hits->all[i].kind == RA_SEARCH_RANGE) {
			is_found[hits->all[i].index] = 1;
		}
	}
	for (size_t i = 0; i < hits->count; i++) {
		const struct ra_search_hit *hit = &hits->all[i];
		uint32_t around;

		if (hit->kind != RA_SEARCH_RANGE) {
			continue;
		}
		around = slices->parent[hit->index];
		while (around != RA_NONE && is_found[around] == 0) {
			around = slices->parent[around];
		}
		inside += around != RA_NONE;
		*outer_ns = ra_util_add_time(*outer_ns, around == RA_NONE ? hit->in_ns : 0);
	}
	free(is_found);
	return inside;
}
