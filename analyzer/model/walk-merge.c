/* SPDX-License-Identifier: MIT */
/* Walks over the ranges of all tracks of a model at once, in order of time. */
#include "analyzer/model/walk-merge.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/model/walk.h"

/* take() is called when this many ranges have been collected, because each call has a cost. */
#define ENOUGH 16384

/* The ranges of a track that were read but not given to the caller yet. */
struct line {
	/* NULL: the walk over the track has not begun, or has ended */
	struct ra_walk_cursor *cursor;
	struct ra_walk_range *ranges; /* owned; ordered by start */
	size_t count;
	size_t capacity;
	uint32_t track;
	/* ranges of the track that are not read yet begin at this time or later */
	int64_t until_ns;
};

struct merge {
	const struct ra_model *model;
	struct line *lines; /* owned; by track */
	/* owned; heap of the tracks that have not ended, the track with the smallest until_ns
	 * first */
	uint32_t *heap;
	size_t heap_count;
	ra_walk_merge_take *take;
	void *context;
	size_t waiting;               /* number of ranges in all lines */
	struct ra_walk_range *ranges; /* owned; the ranges to give to the caller */
	size_t capacity;
};

static void add_ranges(struct line *line, const struct ra_model *part)
{
	const struct ra_track *track = &part->tracks[line->track];
	const struct ra_slices *s = &part->slices;

	ra_util_grow(&line->ranges, &line->capacity, line->count + track->slice_count,
	             sizeof(*line->ranges));
	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		line->ranges[line->count++] = (struct ra_walk_range){
			.start_ns = s->start_ns[i],
			.dur_ns = s->dur_ns[i],
			.name = s->name[i],
			.track = line->track,
			.domain = s->domain[i],
			.flags = s->flags[i],
		};
	}
}

/* Takes one part of the walk over a track. */
static void take_part(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct line *line = context;

	add_ranges(line, part);
	line->until_ns = until_ns;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct ra_walk_range *left = a;
	const struct ra_walk_range *right = b;

	return RA_ORDER_THEN(RA_ORDER_UP(left, right, start_ns), RA_ORDER_UP(left, right, track));
}

/* Gives the caller the ranges that begin before a time; INT64_MAX: all ranges. */
static void give_on(struct merge *merge, int64_t until_ns)
{
	size_t count = 0;

	ra_util_grow(&merge->ranges, &merge->capacity, merge->waiting, sizeof(*merge->ranges));
	for (size_t t = 0; t < merge->model->track_count; t++) {
		struct line *line = &merge->lines[t];
		size_t given = 0;

		while (given < line->count &&
		       (until_ns == INT64_MAX || line->ranges[given].start_ns < until_ns)) {
			given++;
		}
		if (given == 0) {
			continue;
		}
		memcpy(merge->ranges + count, line->ranges, given * sizeof(*line->ranges));
		count += given;
		line->count -= given;
		memmove(line->ranges, line->ranges + given, line->count * sizeof(*line->ranges));
	}
	merge->waiting -= count;
	RA_RUN_SORT(merge->ranges, count, compare_ranges);
	merge->take(merge->context, merge->ranges, count, until_ns);
}

/* Sifts a track down to its place in the heap. */
static void sift(struct merge *merge, size_t place)
{
	uint32_t *heap = merge->heap;

	for (;;) {
		size_t first = place;
		uint32_t track;

		for (size_t below = 2 * place + 1;
		     below <= 2 * place + 2 && below < merge->heap_count; below++) {
			if (merge->lines[heap[below]].until_ns <
			    merge->lines[heap[first]].until_ns) {
				first = below;
			}
		}
		if (first == place) {
			return;
		}
		track = heap[place];
		heap[place] = heap[first];
		heap[first] = track;
		place = first;
	}
}

/* Reads one more part of the track with the smallest until_ns. */
static void go_on(struct merge *merge)
{
	struct ra_walk *walk = merge->model->walk;
	struct line *line = &merge->lines[merge->heap[0]];
	const size_t before = line->count;

	if (line->cursor == NULL) {
		line->cursor = walk->begin(walk, line->track, take_part, line);
	}
	if (!walk->go_on(line->cursor)) {
		walk->end(line->cursor);
		line->cursor = NULL;
		merge->heap[0] = merge->heap[--merge->heap_count];
	}
	merge->waiting += line->count - before;
	sift(merge, 0);
}

static void begin_lines(struct merge *merge)
{
	const struct ra_model *model = merge->model;

	merge->lines = ra_alloc_zeros(model->track_count + 1, sizeof(*merge->lines));
	merge->heap = ra_alloc_zeros(model->track_count + 1, sizeof(*merge->heap));
	for (size_t t = 0; t < model->track_count; t++) {
		struct line *line = &merge->lines[t];

		line->track = (uint32_t) t;
		line->until_ns = model->tracks[t].first_ns;
		/* the ranges of other tracks are in the model */
		if (model->tracks[t].kind != RA_TRACK_THREAD) {
			add_ranges(line, model);
			merge->waiting += line->count;
		} else {
			merge->heap[merge->heap_count++] = line->track;
		}
	}
	for (size_t i = merge->heap_count; i > 0; i--) {
		sift(merge, i - 1);
	}
}

void ra_walk_merge(const struct ra_model *model, ra_walk_merge_take *take, void *context)
{
	struct merge merge = { .model = model, .take = take, .context = context };
	size_t enough = ENOUGH;

	begin_lines(&merge);
	while (merge.heap_count > 0) {
		if (merge.waiting >= enough) {
			give_on(&merge, merge.lines[merge.heap[0]].until_ns);
			enough = ENOUGH + merge.waiting + merge.waiting / 2;
		}
		go_on(&merge);
	}
	give_on(&merge, INT64_MAX);
	for (size_t t = 0; t < model->track_count; t++) {
		free(merge.lines[t].ranges);
	}
	free(merge.lines);
	free(merge.heap);
	free(merge.ranges);
}
