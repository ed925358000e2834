/* SPDX-License-Identifier: MIT */
/* Finds the track of a thread by its OS id and a time. */
#include "analyzer/read-log/gpu/gpu-threads.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

struct entry {
	uint64_t tid;
	int64_t first_ns;
	uint32_t track;
};

struct ra_gpu_threads {
	struct ra_model *model;
	struct entry *entries; /* owned; ordered by tid, then first_ns */
	size_t count;
	struct ra_util_map added; /* tid → a track that was made here */
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left;
	const struct entry *b = right;
	int order = RA_ORDER_UP(a, b, tid);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, first_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, track));
}

struct ra_gpu_threads *ra_gpu_threads_create(struct ra_model *model)
{
	struct ra_gpu_threads *threads = ra_alloc_zeros(1, sizeof(*threads));

	threads->model = model;
	threads->entries = ra_alloc_zeros(model->track_count + 1, sizeof(*threads->entries));
	for (size_t i = 0; i < model->track_count; i++) {
		if (model->tracks[i].kind == RA_TRACK_THREAD) {
			threads->entries[threads->count++] =
				(struct entry){ (uint64_t) model->tracks[i].tid,
				                model->tracks[i].first_ns, (uint32_t) i };
		}
	}
	RA_SORT(threads->entries, threads->count, compare_entries);
	return threads;
}

void ra_gpu_threads_destroy(struct ra_gpu_threads *threads)
{
	free(threads->entries);
	ra_util_map_free(&threads->added);
	free(threads);
}

/* The number of entries up to (tid, time), which is the index of the first entry after that. */
static size_t count_before(const struct ra_gpu_threads *threads, uint64_t tid, int64_t time_ns)
{
	struct ra_search at = ra_search_in(0, threads->count);

	while (ra_search_next(&at)) {
		const struct entry *entry = &threads->entries[at.middle];

		ra_search_tell(&at, entry->tid < tid ||
		                            (entry->tid == tid && entry->first_ns <= time_ns));
	}
	return at.low;
}

static uint32_t add_track(struct ra_gpu_threads *threads, uint64_t tid)
{
	struct ra_model *m = threads->model;
	const uint32_t track = (uint32_t) m->track_count;

	ra_util_resize(&m->tracks, m->track_count + 1, sizeof(*m->tracks));
	m->tracks[m->track_count++] = (struct ra_track){
		.kind = RA_TRACK_THREAD,
		.tid = (int64_t) tid,
		.first_slice = m->slices.count,
		.first_mark = m->mark_count,
	};
	ra_util_map_put(&threads->added, tid, track);
	return track;
}

uint32_t ra_gpu_threads_find(struct ra_gpu_threads *threads, uint64_t tid, int64_t time_ns)
{
	const size_t end = count_before(threads, tid, time_ns);
	uint32_t track;

	if (end > 0 && threads->entries[end - 1].tid == tid) {
		return threads->entries[end - 1].track;
	}
	if (end < threads->count && threads->entries[end].tid == tid) {
		return threads->entries[end].track;
	}
	track = ra_util_map_find(&threads->added, tid);
	return track == RA_UTIL_MAP_NONE ? add_track(threads, tid) : track;
}
