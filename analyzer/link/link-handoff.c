/* SPDX-License-Identifier: MIT */
/* The rule `handoff`: one thread captured a context, and another thread has attached it. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/link/link-rules.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/* Contexts can be captured while others are attached. The search follows at most this many of them,
 * which also ends cycles. */
#define MAX_STEPS 64

/* The origin of a captured context. */
struct context {
	uint32_t slice; /* range that was open at the capture */
	uint64_t via;   /* if slice is RA_NONE: the context attached at the capture, 0: none */
};

/* The attachments of one thread, replayed at times that only increase. */
struct attachments {
	const struct ra_model *model;
	size_t next; /* index into model->handoffs */
	size_t end;
	uint64_t *ids; /* owned; a stack of the attached contexts */
	size_t depth;
	size_t capacity;
};

static void begin_track(struct attachments *a, uint32_t track)
{
	a->depth = 0;
	a->next = a->end;
	while (a->next < a->model->handoff_count && a->model->handoffs[a->next].track < track) {
		a->next++;
	}
	a->end = a->next;
	while (a->end < a->model->handoff_count && a->model->handoffs[a->end].track == track) {
		a->end++;
	}
}

/* Applies one call: attaches or detaches a context. */
static void take(struct attachments *a, const struct ra_handoff *handoff)
{
	if (handoff->kind == RA_HANDOFF_ATTACH) {
		RA_UTIL_APPEND(a->ids, a->depth, a->capacity, handoff->id);
	} else if (handoff->kind == RA_HANDOFF_DETACH && a->depth > 0) {
		a->depth--;
	}
}

static uint64_t find_attached(const struct attachments *a)
{
	return a->depth > 0 ? a->ids[a->depth - 1] : 0;
}

/* Finds the origin of each captured context. @index: gets, by id, the place in contexts. */
static void read_contexts(const struct ra_model *model, struct attachments *a,
                          struct context *contexts, struct ra_util_map *index)
{
	const struct ra_slices *slices = &model->slices;
	struct ra_link_cursor cursor = { 0 };
	uint32_t count = 0;

	for (size_t i = 0; i < model->handoff_count; i++) {
		const struct ra_handoff *handoff = &model->handoffs[i];
		uint32_t slice = handoff->slice;

		if (i == 0 || handoff->track != model->handoffs[i - 1].track) {
			cursor = (struct ra_link_cursor){ .track = &model->tracks[handoff->track],
				                          .open = RA_NONE };
			a->depth = 0;
		}
		if (handoff->kind != RA_HANDOFF_CAPTURE) {
			take(a, handoff);
			continue;
		}
		if (slice != RA_NONE && (slices->flags[slice] & RA_SLICE_CROSSING) != 0) {
			slice = ra_link_rules_advance(&cursor, slices, handoff->time_ns);
		}
		contexts[count] = (struct context){
			.slice = ra_link_rules_skip_waits(slices, slice),
			.via = find_attached(a),
		};
		ra_util_map_put(index, handoff->id, count++);
	}
}

/* The range in which a context was captured, RA_NONE if there is none. */
static uint32_t resolve(const struct context *contexts, const struct ra_util_map *index,
                        uint64_t id)
{
	for (int step = 0; step < MAX_STEPS && id != 0; step++) {
		const uint32_t place = ra_util_map_find(index, id);

		if (place == RA_UTIL_MAP_NONE) {
			return RA_NONE; /* the context was lost, or is of another process */
		}
		if (contexts[place].slice != RA_NONE) {
			return contexts[place].slice;
		}
		id = contexts[place].via;
	}
	return RA_NONE;
}

/* Calls are ordered by track and start, as attachments are. */
static void find_for_calls(struct attachments *a, const struct context *contexts,
                           const struct ra_util_map *index, uint32_t *slices)
{
	const struct ra_model *model = a->model;
	const struct ra_gpu *gpu = &model->gpu;

	a->end = 0;
	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];

		if (i == 0 || api->track != gpu->apis[i - 1].track) {
			begin_track(a, api->track);
		}
		while (a->next < a->end && model->handoffs[a->next].time_ns <= api->start_ns) {
			take(a, &model->handoffs[a->next++]);
		}
		slices[i] = resolve(contexts, index, find_attached(a));
	}
}

void ra_link_handoff_find(const struct ra_model *model, uint32_t *slices)
{
	struct attachments attachments = { .model = model };
	struct ra_util_map index = { 0 };
	struct context *contexts = ra_alloc_zeros(model->handoff_count + 1, sizeof(*contexts));

	read_contexts(model, &attachments, contexts, &index);
	find_for_calls(&attachments, contexts, &index, slices);
	free(attachments.ids);
	free(contexts);
	ra_util_map_free(&index);
}
