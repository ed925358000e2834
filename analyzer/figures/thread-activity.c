/* SPDX-License-Identifier: MIT */
/* Lays the calls of each thread over its innermost ranges. */
#include "analyzer/figures/thread-activity.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

/* The state of one thread while its pieces are made. */
struct layer {
	struct ra_thread_activity *activity;
	const struct ra_model *model;
	const uint8_t *is_step;
	size_t call; /* the first call that has not ended */
	size_t call_end;
};

static int64_t slice_end(const struct ra_model *model, uint32_t slice)
{
	return ra_util_add_time(model->slices.start_ns[slice], model->slices.dur_ns[slice]);
}

static int64_t call_end(const struct ra_gpu_api *api)
{
	return ra_util_add_time(api->start_ns, api->dur_ns);
}

/* Divides a stretch with one innermost range (RA_NONE: none) among that range and the calls in
 * it. */
static void add_stretch(struct layer *layer, uint32_t slice, int64_t from_ns, int64_t to_ns)
{
	struct ra_thread_activity *activity = layer->activity;
	const struct ra_gpu_api *apis = layer->model->gpu.apis;
	const bool is_range = slice != RA_NONE && layer->is_step[slice] == 0;

	while (from_ns < to_ns) {
		struct ra_thread_piece piece = { from_ns, to_ns, slice, false };

		while (layer->call < layer->call_end && call_end(&apis[layer->call]) <= from_ns) {
			layer->call++;
		}
		if (layer->call < layer->call_end) {
			const struct ra_gpu_api *api = &apis[layer->call];

			piece.is_call = api->start_ns <= from_ns;
			piece.index = piece.is_call ? (uint32_t) layer->call : slice;
			piece.end_ns = piece.is_call ? call_end(api) : api->start_ns;
			piece.end_ns = piece.end_ns < to_ns ? piece.end_ns : to_ns;
		}
		if (piece.is_call || is_range) {
			RA_UTIL_APPEND(activity->pieces, activity->count, activity->capacity,
			               piece);
		}
		from_ns = piece.end_ns;
	}
}

/* Goes outwards to the first range that is open at a time. */
static uint32_t find_open(const struct ra_model *model, uint32_t slice, int64_t time_ns)
{
	while (slice != RA_NONE && slice_end(model, slice) <= time_ns) {
		slice = model->slices.parent[slice];
	}
	return slice;
}

static void add_track(struct layer *layer, const struct ra_track *track)
{
	const struct ra_model *model = layer->model;
	const size_t last = track->first_slice + track->slice_count;
	size_t next = track->kind == RA_TRACK_THREAD ? track->first_slice : last;
	int64_t at_ns = INT64_MIN;
	uint32_t open = RA_NONE;

	for (;;) {
		int64_t until_ns = INT64_MAX;

		while (next < last && (model->slices.flags[next] & RA_SLICE_CROSSING) != 0) {
			next++;
		}
		if (open != RA_NONE) {
			until_ns = slice_end(model, open);
		}
		if (next < last && model->slices.start_ns[next] < until_ns) {
			until_ns = model->slices.start_ns[next];
		}
		add_stretch(layer, open, at_ns, until_ns);
		if (open == RA_NONE && next == last) {
			break;
		}
		at_ns = until_ns;
		open = find_open(model, open, at_ns);
		if (next < last && model->slices.start_ns[next] <= at_ns) {
			open = find_open(model, (uint32_t) next, at_ns);
			next++;
		}
	}
}

static void add_tracks(struct ra_thread_activity *activity, const struct ra_model *model,
                       const uint8_t *is_step)
{
	struct layer layer = { .activity = activity, .model = model, .is_step = is_step };

	for (size_t t = 0; t < model->track_count; t++) {
		activity->first[t] = activity->count;
		layer.call = layer.call_end;
		while (layer.call_end < model->gpu.api_count &&
		       model->gpu.apis[layer.call_end].track <= t) {
			layer.call_end++;
		}
		add_track(&layer, &model->tracks[t]);
	}
	activity->first[model->track_count] = activity->count;
}

static uint32_t find_home(const struct ra_thread_activity *activity, const struct ra_model *model,
                          const uint8_t *is_step)
{
	uint32_t home = RA_NONE;
	size_t most_steps = 0;
	int64_t most_ns = 0;

	for (uint32_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];
		int64_t sum_ns = 0;
		size_t steps = 0;

		for (size_t i = activity->first[t]; i < activity->first[t + 1]; i++) {
			sum_ns = ra_util_add_time(sum_ns, activity->pieces[i].end_ns -
			                                          activity->pieces[i].start_ns);
		}
		for (size_t i = 0; i < track->slice_count && track->kind == RA_TRACK_THREAD; i++) {
			steps += is_step[track->first_slice + i];
		}
		if (steps > most_steps || (steps == most_steps && sum_ns > most_ns)) {
			home = t;
			most_steps = steps;
			most_ns = sum_ns;
		}
	}
	return home;
}

/* Collects unsorted stretches of all threads of the process except home; joins pieces that
 * touch. */
static size_t list_others(struct ra_thread_activity *activity, const struct ra_model *model)
{
	size_t count = 0;

	for (uint32_t t = 0; t < model->track_count; t++) {
		const size_t first = count;

		if (t == activity->home ||
		    model->tracks[t].process != model->tracks[activity->home].process) {
			continue;
		}
		for (size_t i = activity->first[t]; i < activity->first[t + 1]; i++) {
			const struct ra_thread_piece *piece = &activity->pieces[i];

			if (count > first &&
			    activity->others[count - 1].end_ns == piece->start_ns) {
				activity->others[count - 1].end_ns = piece->end_ns;
			} else {
				activity->others[count++] =
					(struct ra_thread_busy){ piece->start_ns, piece->end_ns,
					                         t };
			}
		}
	}
	return count;
}

static int compare_busy(const void *left, const void *right)
{
	const struct ra_thread_busy *a = left;
	const struct ra_thread_busy *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, start_ns), RA_ORDER_UP(a, b, track));
}

static void add_others(struct ra_thread_activity *activity, const struct ra_model *model)
{
	int64_t until_ns = INT64_MIN;
	size_t count;

	if (activity->home == RA_NONE) {
		return;
	}
	activity->others = ra_alloc_zeros(activity->count + 1, sizeof(*activity->others));
	count = list_others(activity, model);
	RA_SORT(activity->others, count, compare_busy);
	for (size_t i = 0; i < count; i++) {
		struct ra_thread_busy busy = activity->others[i];

		if (busy.end_ns > until_ns) {
			busy.start_ns = busy.start_ns > until_ns ? busy.start_ns : until_ns;
			until_ns = busy.end_ns;
			activity->others[activity->other_count++] = busy;
		}
	}
}

void ra_thread_activity_init(struct ra_thread_activity *activity, const struct ra_model *model,
                             const uint8_t *is_step)
{
	memset(activity, 0, sizeof(*activity));
	activity->home = RA_NONE;
	activity->first = ra_alloc_zeros(model->track_count + 1, sizeof(*activity->first));
	add_tracks(activity, model, is_step);
	activity->home = find_home(activity, model, is_step);
	add_others(activity, model);
}

void ra_thread_activity_fini(struct ra_thread_activity *activity)
{
	free(activity->pieces);
	free(activity->first);
	free(activity->others);
	memset(activity, 0, sizeof(*activity));
}

const struct ra_thread_piece *ra_thread_activity_find(const struct ra_thread_activity *activity,
                                                      uint32_t track, int64_t before_ns)
{
	size_t low = activity->first[track];
	size_t high = activity->first[track + 1];

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (activity->pieces[middle].start_ns < before_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low > activity->first[track] ? &activity->pieces[low - 1] : NULL;
}

const struct ra_thread_busy *ra_thread_activity_other(const struct ra_thread_activity *activity,
                                                      int64_t before_ns)
{
	size_t low = 0;
	size_t high = activity->other_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (activity->others[middle].start_ns < before_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low > 0 ? &activity->others[low - 1] : NULL;
}
