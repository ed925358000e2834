/* SPDX-License-Identifier: MIT */
/* Sums the time that a thread spent in each name, and in each range, during some time. */
#include "analyzer/figures/gpu/gpu-meanwhile.h"

#include <stdlib.h>

#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/* At most this many calls that nest are looked at, and this many ranges around a moment. */
#define MAX_INSIDE 64
#define MAX_AROUND 256

/* This many sums need no index and no allocated memory. Most gaps have no more sums, and there are
 * thousands of gaps. */
#define FEW 16

/* Time of a range, of a name's ranges, or of a function's calls. */
struct sum {
	uint32_t key;
	int64_t time_ns;
	int64_t until_ns; /* the time before this is in the sum, so a range inside another with the
	                     same key adds nothing */
};

struct sums {
	size_t count;
	struct sum *rows; /* owned: all sums, once they exceed `few` … */
	size_t capacity;
	struct ra_util_map index; /* … and then: key → rows */
	struct sum few[FEW];      /* the first `count` are set, until rows are used */
};

static void init_sums(struct sums *sums)
{
	sums->count = 0;
	sums->rows = NULL;
	sums->capacity = 0;
	sums->index = (struct ra_util_map){ 0 };
}

static const struct sum *list_sums(const struct sums *sums)
{
	return sums->rows != NULL ? sums->rows : sums->few;
}

static void add_time(struct sum *sum, int64_t from_ns, int64_t to_ns)
{
	if (from_ns < sum->until_ns) {
		from_ns = sum->until_ns;
	}
	if (to_ns > from_ns) {
		sum->time_ns = ra_util_add_time(sum->time_ns, to_ns - from_ns);
		sum->until_ns = to_ns;
	}
}

/* Moves the sums to allocated memory when there are more than fit into `few`. */
static void move_few(struct sums *sums)
{
	ra_util_grow(&sums->rows, &sums->capacity, FEW + 1, sizeof(*sums->rows));
	for (uint32_t i = 0; i < FEW; i++) {
		sums->rows[i] = sums->few[i];
		ra_util_map_put(&sums->index, sums->few[i].key, i);
	}
}

/* Finds the sum of a key; adds it if it is new. */
static struct sum *find_many(struct sums *sums, uint32_t key)
{
	uint32_t place = 0;

	if (sums->rows == NULL) {
		move_few(sums);
	}
	ra_util_map_number(&sums->index, key, &place);
	if (place == sums->count) { /* the key is new */
		RA_UTIL_APPEND(sums->rows, sums->count, sums->capacity,
		               (struct sum){ .key = key, .until_ns = INT64_MIN });
	}
	return &sums->rows[place];
}

static struct sum *find_sum(struct sums *sums, uint32_t key)
{
	if (sums->rows != NULL) {
		return find_many(sums, key);
	}
	for (size_t i = sums->count; i > 0; i--) {
		if (sums->few[i - 1].key == key) {
			return &sums->few[i - 1];
		}
	}
	if (sums->count == FEW) {
		return find_many(sums, key);
	}
	sums->few[sums->count] = (struct sum){ .key = key, .until_ns = INT64_MIN };
	return &sums->few[sums->count++];
}

static void add(struct sums *sums, uint32_t key, int64_t from_ns, int64_t to_ns)
{
	if (to_ns > from_ns) {
		add_time(find_sum(sums, key), from_ns, to_ns);
	}
}

static void fini_sums(struct sums *sums)
{
	free(sums->rows);
	ra_util_map_free(&sums->index);
}

/* Finds the largest sum; of equal sums the first. */
static void find_most(const struct sums *sums, uint32_t *name, int64_t *time_ns)
{
	const struct sum *rows = list_sums(sums);

	*name = RA_NONE;
	*time_ns = 0;
	for (size_t i = 0; i < sums->count; i++) {
		if (rows[i].time_ns > *time_ns) {
			*name = rows[i].key;
			*time_ns = rows[i].time_ns;
		}
	}
}

/* Does the same as find_most(), then frees the sums. */
static void finish(struct sums *sums, uint32_t *name, int64_t *time_ns)
{
	find_most(sums, name, time_ns);
	fini_sums(sums);
}

/* Finds the smallest sum that is at least half of the time; of equal sums, that with the larger
 * key. NULL: there is none. */
static const struct sum *find_half(const struct sums *sums, int64_t whole_ns)
{
	const struct sum *rows = list_sums(sums);
	const struct sum *best = NULL;

	for (size_t i = 0; i < sums->count; i++) {
		const struct sum *row = &rows[i];

		if (row->time_ns >= whole_ns - row->time_ns &&
		    (best == NULL || row->time_ns < best->time_ns ||
		     (row->time_ns == best->time_ns && row->key > best->key))) {
			best = row;
		}
	}
	return best;
}

static int64_t slice_end(const struct ra_slices *slices, uint32_t i)
{
	return ra_util_add_time(slices->start_ns[i], slices->dur_ns[i]);
}

/* Finds the first slice of a track that begins after a time. */
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

/* Goes outwards to the first range that is open at a time. */
static uint32_t find_open(const struct ra_slices *slices, uint32_t slice, int64_t time_ns)
{
	while (slice != RA_NONE && slice_end(slices, slice) <= time_ns) {
		slice = slices->parent[slice];
	}
	return slice;
}

/* Finds the innermost range that is open when a stretch begins. *next: the first range that begins
 * in the stretch. */
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

/* Returns the range itself, or the first range around it that is not a step. */
static uint32_t skip_steps(const struct ra_slices *slices, const uint8_t *is_step, uint32_t slice)
{
	while (slice != RA_NONE && is_step != NULL && is_step[slice] != 0) {
		slice = slices->parent[slice];
	}
	return slice;
}

void ra_gpu_meanwhile_walk(const struct ra_gpu_meanwhile_time *time, ra_gpu_meanwhile_see *see,
                           void *context)
{
	const struct ra_slices *slices = &time->model->slices;
	const struct ra_track *track = &time->model->tracks[time->track];
	const size_t last = track->first_slice + track->slice_count;
	int64_t at_ns = time->start_ns;
	size_t next;
	uint32_t open = find_first(time->model, track, at_ns, &next);

	while (at_ns < time->end_ns) {
		int64_t until_ns = time->end_ns;

		while (next < last && (slices->flags[next] & RA_SLICE_CROSSING) != 0) {
			next++;
		}
		if (open != RA_NONE && slice_end(slices, open) < until_ns) {
			until_ns = slice_end(slices, open);
		}
		if (next < last && slices->start_ns[next] < until_ns) {
			until_ns = slices->start_ns[next];
		}
		if (until_ns > at_ns) {
			see(context, skip_steps(slices, time->is_step, open), at_ns, until_ns);
		}
		at_ns = until_ns;
		open = find_open(slices, open, at_ns);
		if (next < last && slices->start_ns[next] <= at_ns) {
			open = find_open(slices, (uint32_t) next, at_ns);
			next++;
		}
	}
}

/* The sums to which ranges are added. */
struct summing {
	const struct ra_slices *slices;
	struct sums sums;
};

static void sum_range(void *context, uint32_t slice, int64_t from_ns, int64_t to_ns)
{
	struct summing *summing = context;

	if (slice != RA_NONE) {
		add(&summing->sums, summing->slices->name[slice], from_ns, to_ns);
	}
}

static void sum_ranges(struct ra_gpu_meanwhile *out, const struct ra_gpu_meanwhile_time *time)
{
	struct summing summing = { .slices = &time->model->slices };

	init_sums(&summing.sums);
	ra_gpu_meanwhile_walk(time, sum_range, &summing);
	finish(&summing.sums, &out->range, &out->range_ns);
}

/* Finds the first call after (track, time). */
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

static int64_t call_end(const struct ra_gpu_api *api)
{
	return ra_util_add_time(api->start_ns, api->dur_ns);
}

/* Finds the outermost call of a track that is open at a time, else the first call after that
 * time. */
static size_t find_first_call(const struct ra_gpu *gpu, uint32_t track, int64_t time_ns)
{
	const size_t after = find_call(gpu, track, time_ns);
	size_t first = after;

	for (size_t k = 1; k <= MAX_INSIDE && k <= after && gpu->apis[after - k].track == track;
	     k++) {
		first = call_end(&gpu->apis[after - k]) > time_ns ? after - k : first;
	}
	return first;
}

void ra_gpu_meanwhile_walk_calls(const struct ra_gpu_meanwhile_time *time,
                                 ra_gpu_meanwhile_see *see, void *context)
{
	const struct ra_gpu *gpu = &time->model->gpu;
	int64_t until_ns = time->start_ns;

	for (size_t i = find_first_call(gpu, time->track, time->start_ns);
	     i < gpu->api_count && gpu->apis[i].track == time->track &&
	     gpu->apis[i].start_ns < time->end_ns;
	     i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const int64_t api_end_ns = call_end(api);
		const int64_t from_ns = api->start_ns > until_ns ? api->start_ns : until_ns;
		const int64_t to_ns = api_end_ns < time->end_ns ? api_end_ns : time->end_ns;

		if (to_ns > from_ns) {
			if (from_ns > until_ns) {
				see(context, RA_NONE, until_ns, from_ns);
			}
			see(context, api->name, from_ns, to_ns);
			until_ns = to_ns;
		}
	}
	if (until_ns < time->end_ns) {
		see(context, RA_NONE, until_ns, time->end_ns);
	}
}

static void sum_call(void *context, uint32_t name, int64_t from_ns, int64_t to_ns)
{
	if (name != RA_NONE) {
		add(context, name, from_ns, to_ns);
	}
}

void ra_gpu_meanwhile_find(struct ra_gpu_meanwhile *out, const struct ra_model *model,
                           uint32_t track, int64_t start_ns, int64_t end_ns)
{
	ra_gpu_meanwhile_find_in(out, &(struct ra_gpu_meanwhile_time){
					      .model = model,
					      .track = track,
					      .start_ns = start_ns,
					      .end_ns = end_ns,
				      });
}

void ra_gpu_meanwhile_find_in(struct ra_gpu_meanwhile *out,
                              const struct ra_gpu_meanwhile_time *time)
{
	struct sums calls;

	sum_ranges(out, time);
	init_sums(&calls);
	ra_gpu_meanwhile_walk_calls(time, sum_call, &calls);
	finish(&calls, &out->api, &out->api_ns);
}

struct search {
	const struct ra_gpu_place_query *query;
	const struct ra_track *track;
	bool is_by_name;
	struct sums sums; /* keys are slices, or their names */
	struct sum all;
};

/* Adds the part of a range within [from, to). Return: length of this part. */
static int64_t add_slice(struct search *search, uint32_t slice, int64_t from_ns, int64_t to_ns)
{
	const struct ra_slices *slices = &search->query->model->slices;
	const int64_t end_ns = slice_end(slices, slice);

	if ((slices->flags[slice] & RA_SLICE_CROSSING) != 0 || search->query->is_step[slice] != 0) {
		return 0;
	}
	from_ns = slices->start_ns[slice] > from_ns ? slices->start_ns[slice] : from_ns;
	to_ns = end_ns < to_ns ? end_ns : to_ns;
	add_time(&search->all, from_ns, to_ns);
	add(&search->sums, search->is_by_name ? slices->name[slice] : slice, from_ns, to_ns);
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/*
 * Adds the ranges of one part: first those open at its start, from the innermost outwards, then
 * those that begin in it. If there is only one part, skips ranges around a range that took half of
 * it: they took at least as long.
 */
static void add_ranges(struct search *search, int64_t from_ns, int64_t to_ns)
{
	const bool is_alone = search->query->parts->count == 1 && !search->is_by_name;
	const struct ra_model *model = search->query->model;
	const size_t last = search->track->first_slice + search->track->slice_count;
	size_t next;
	uint32_t around = find_first(model, search->track, from_ns, &next);

	for (int i = 0; i < MAX_AROUND && around != RA_NONE; i++) {
		const int64_t time_ns = add_slice(search, around, from_ns, to_ns);

		if (is_alone && time_ns >= to_ns - from_ns - time_ns) {
			break;
		}
		around = model->slices.parent[around];
	}
	for (; next < last && model->slices.start_ns[next] < to_ns; next++) {
		add_slice(search, (uint32_t) next, from_ns, to_ns);
	}
}

/* Sets the function whose calls took half of the time. If there is no such function, leaves *out as
 * it is. */
static void find_half_call(struct ra_gpu_place *out, const struct ra_gpu_place_query *query,
                           int64_t whole_ns)
{
	struct sums calls;
	const struct sum *half;

	init_sums(&calls);
	for (size_t i = 0; i < query->parts->count; i++) {
		const struct ra_gpu_meanwhile_time time = { .model = query->model,
			                                    .track = query->track,
			                                    .start_ns =
			                                            query->parts->rows[i].start_ns,
			                                    .end_ns =
			                                            query->parts->rows[i].end_ns };

		ra_gpu_meanwhile_walk_calls(&time, sum_call, &calls);
	}
	half = find_half(&calls, whole_ns);
	if (half != NULL) {
		*out = (struct ra_gpu_place){ RA_GPU_PLACE_CALL, half->key, half->time_ns };
	}
	fini_sums(&calls);
}

/* Sets the range that took half of the time. If sums are by name, sets the name whose ranges took
 * half, or else the name whose ranges took most. Afterwards search->all is the time that all ranges
 * took. */
static void search_ranges(struct search *search, struct ra_gpu_place *out, int64_t whole_ns)
{
	const struct ra_gpu_place_query *query = search->query;
	const struct sum *half;

	init_sums(&search->sums);
	search->all = (struct sum){ .until_ns = INT64_MIN };
	for (size_t i = 0; i < query->parts->count; i++) {
		add_ranges(search, query->parts->rows[i].start_ns, query->parts->rows[i].end_ns);
	}
	half = find_half(&search->sums, whole_ns);
	if (half != NULL) {
		*out = (struct ra_gpu_place){
			RA_GPU_PLACE_RANGE,
			search->is_by_name ? half->key : query->model->slices.name[half->key],
			half->time_ns,
		};
	} else if (search->is_by_name) {
		find_most(&search->sums, &out->name, &out->time_ns);
	}
	fini_sums(&search->sums);
}

static void find_half_range(struct ra_gpu_place *out, const struct ra_gpu_place_query *query,
                            int64_t whole_ns)
{
	struct search search = { .query = query, .track = &query->model->tracks[query->track] };
	/* Usually one range took half, so this is tried first. */
	search_ranges(&search, out, whole_ns);
	if (out->kind == RA_GPU_PLACE_NONE) {
		search.is_by_name = true;
		search_ranges(&search, out, whole_ns);
	}
	if (out->kind == RA_GPU_PLACE_NONE && search.all.time_ns >= whole_ns - search.all.time_ns) {
		out->kind = RA_GPU_PLACE_RANGES;
	}
}

void ra_gpu_meanwhile_find_place(struct ra_gpu_place *out, const struct ra_gpu_place_query *query)
{
	const int64_t whole_ns = ra_intervals_length(query->parts);

	*out = (struct ra_gpu_place){ RA_GPU_PLACE_NONE, RA_NONE, 0 };
	if (query->prefers_calls && whole_ns > 0) {
		find_half_call(out, query, whole_ns);
	}
	if (out->kind == RA_GPU_PLACE_NONE && whole_ns > 0) {
		find_half_range(out, query, whole_ns);
	}
	if (out->kind == RA_GPU_PLACE_NONE && !query->prefers_calls && whole_ns > 0) {
		find_half_call(out, query, whole_ns);
	}
}
