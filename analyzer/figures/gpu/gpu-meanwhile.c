/* SPDX-License-Identifier: MIT */
/* Sums what a thread did in a stretch of time, by name. */
#include "analyzer/figures/gpu/gpu-meanwhile.h"

#include <stdlib.h>

#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "format/error.h"

/* Calls are inside of calls, but not more of them than this. */
#define MAX_INSIDE 64

struct sum {
	uint32_t name;
	int64_t time_ns;
};

struct sums {
	struct sum *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map index;
	int rc;
};

static void add(struct sums *sums, uint32_t name, int64_t time_ns)
{
	uint32_t place = ra_util_map_find(&sums->index, name);

	if (time_ns <= 0 || sums->rc != 0) {
		return;
	}
	if (place >= sums->count) { /* none */
		place = (uint32_t) sums->count;
		sums->rc = ra_util_grow(&sums->rows, &sums->capacity, sums->count + 1,
		                        sizeof(*sums->rows));
		if (sums->rc == 0) {
			sums->rc = ra_util_map_put(&sums->index, name, place);
		}
		if (sums->rc != 0) {
			return;
		}
		sums->rows[sums->count++] = (struct sum){ .name = name };
	}
	sums->rows[place].time_ns = ra_util_add_time(sums->rows[place].time_ns, time_ns);
}

/* Takes the largest, of equal ones the first, and frees all. Return: 0, -RLOG_E_NO_MEMORY. */
static int finish(struct sums *sums, uint32_t *name, int64_t *time_ns)
{
	*name = RA_NONE;
	*time_ns = 0;
	for (size_t i = 0; i < sums->count; i++) {
		if (sums->rows[i].time_ns > *time_ns) {
			*name = sums->rows[i].name;
			*time_ns = sums->rows[i].time_ns;
		}
	}
	free(sums->rows);
	ra_util_map_free(&sums->index);
	return sums->rc;
}

static int64_t slice_end(const struct ra_slices *slices, uint32_t i)
{
	return slices->start_ns[i] + slices->dur_ns[i];
}

/* First slice of a track that begins after a time. */
static size_t find_slice(const struct ra_model *model, const struct ra_track *track,
                         int64_t time_ns)
{
	size_t low = track->first_slice;
	size_t high = track->first_slice + track->slice_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (model->slices.start_ns[middle] <= time_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Goes out until a range is open at a time. */
static uint32_t find_open(const struct ra_slices *slices, uint32_t slice, int64_t time_ns)
{
	while (slice != RA_NONE && slice_end(slices, slice) <= time_ns) {
		slice = slices->parent[slice];
	}
	return slice;
}

/* The innermost range open at the beginning of a stretch; *next: the first that begins in it. */
static uint32_t find_first(const struct ra_model *model, const struct ra_track *track,
                           int64_t time_ns, size_t *next)
{
	size_t i = find_slice(model, track, time_ns);

	*next = i;
	while (i > track->first_slice && (model->slices.flags[i - 1] & RA_SLICE_CROSSING) != 0) {
		i--;
	}
	return i > track->first_slice ? find_open(&model->slices, (uint32_t) (i - 1), time_ns)
	                              : RA_NONE;
}

static int sum_ranges(struct ra_gpu_meanwhile *out, const struct ra_model *model,
                      const struct ra_track *track, int64_t start_ns, int64_t end_ns)
{
	const struct ra_slices *slices = &model->slices;
	const size_t last = track->first_slice + track->slice_count;
	struct sums sums = { 0 };
	int64_t at_ns = start_ns;
	size_t next;
	uint32_t open = find_first(model, track, start_ns, &next);

	while (at_ns < end_ns) {
		int64_t until_ns = end_ns;

		while (next < last && (slices->flags[next] & RA_SLICE_CROSSING) != 0) {
			next++;
		}
		if (open != RA_NONE && slice_end(slices, open) < until_ns) {
			until_ns = slice_end(slices, open);
		}
		if (next < last && slices->start_ns[next] < until_ns) {
			until_ns = slices->start_ns[next];
		}
		if (open != RA_NONE) {
			add(&sums, slices->name[open], until_ns - at_ns);
		}
		at_ns = until_ns;
		open = find_open(slices, open, at_ns);
		if (next < last && slices->start_ns[next] <= at_ns) {
			open = find_open(slices, (uint32_t) next, at_ns);
			next++;
		}
	}
	return finish(&sums, &out->range, &out->range_ns);
}

/* First call that stands behind (track, time). */
static size_t find_call(const struct ra_gpu *gpu, uint32_t track, int64_t time_ns)
{
	size_t low = 0;
	size_t high = gpu->api_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct ra_gpu_api *api = &gpu->apis[middle];

		if (api->track < track || (api->track == track && api->start_ns <= time_ns)) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static int sum_calls(struct ra_gpu_meanwhile *out, const struct ra_gpu *gpu, uint32_t track,
                     int64_t start_ns, int64_t end_ns)
{
	struct sums sums = { 0 };
	int64_t until_ns = start_ns;
	size_t i = find_call(gpu, track, start_ns);

	for (int k = 0; k < MAX_INSIDE && i > 0 && gpu->apis[i - 1].track == track; k++) {
		i--;
	}
	for (; i < gpu->api_count && gpu->apis[i].track == track && gpu->apis[i].start_ns < end_ns;
	     i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const int64_t api_end_ns = api->start_ns + api->dur_ns;
		const int64_t from_ns = api->start_ns > until_ns ? api->start_ns : until_ns;
		const int64_t to_ns = api_end_ns < end_ns ? api_end_ns : end_ns;

		if (to_ns > from_ns) {
			add(&sums, api->name, to_ns - from_ns);
			until_ns = to_ns;
		}
	}
	return finish(&sums, &out->api, &out->api_ns);
}

int ra_gpu_meanwhile_find(struct ra_gpu_meanwhile *out, const struct ra_model *model,
                          uint32_t track, int64_t start_ns, int64_t end_ns)
{
	const int rc = sum_ranges(out, model, &model->tracks[track], start_ns, end_ns);

	return rc != 0 ? rc : sum_calls(out, &model->gpu, track, start_ns, end_ns);
}
