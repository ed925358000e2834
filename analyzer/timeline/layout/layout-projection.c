/* SPDX-License-Identifier: MIT */
/* Places projected ranges, each thread by itself. Ranges nest by time; those that do not are put on
 * further rows. */
#include "analyzer/timeline/layout/layout-projection.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"

struct level {
	int64_t start_ns;
	int64_t end_ns;
};

/* A range, and the keys by which it is sorted. */
struct ref {
	const struct ra_projection_row *row;
	uint32_t track;
};

/* The rows of one thread's ranges. */
struct rows {
	struct ra_layout_projection *walk;
	struct level stack[RA_LAYOUT_MAX_DEPTH]; /* open ranges of the first row */
	unsigned depth;
	uint32_t tid; /* tid of the first row; 0: none yet */
	/* For the further rows: the last range on each. */
	struct level lanes[RA_LAYOUT_MAX_LANES];
	uint32_t lane_tids[RA_LAYOUT_MAX_LANES];
	uint32_t lane_count;
};

static int compare_refs(const void *left, const void *right)
{
	const struct ref *a = left;
	const struct ref *b = right;
	int order = RA_ORDER_UP(a, b, track);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, row->start_ns));
	/* Longer ranges come first; of two equal ones the outer range. */
	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, row->end_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, row->slice));
}

static uint32_t open_row(struct rows *rows, uint32_t lane)
{
	struct ra_layout_projection *walk = rows->walk;

	walk->row.lane = lane;
	walk->row.tid = ra_layout_take_row(walk->layout);
	if (walk->visitor->row != NULL) {
		walk->visitor->row(walk->visitor->context, &walk->row);
	}
	return walk->row.tid;
}

/* Puts a range on a further row. Return: the row's number; 0: there are too many. */
static uint32_t choose_lane(struct rows *rows, const struct level *level)
{
	uint32_t lane = 0;

	while (lane < rows->lane_count && (rows->lanes[lane].end_ns > level->start_ns ||
	                                   rows->lanes[lane].start_ns == level->start_ns)) {
		lane++;
	}
	if (lane == RA_LAYOUT_MAX_LANES) {
		ra_layout_refuse(rows->walk->layout, false);
		return 0;
	}
	if (lane == rows->lane_count) {
		rows->lane_tids[rows->lane_count++] = open_row(rows, lane + 1);
	}
	rows->lanes[lane] = *level;
	return rows->lane_tids[lane];
}

/* Puts a range on a row on which it nests. A range of 0 ns at this very time stays open, because
 * Perfetto nests by time alone. Return: the row's number; 0: the range is too deep. */
static uint32_t choose_row(struct rows *rows, const struct level *level, uint16_t *depth)
{
	while (rows->depth > 0 && rows->stack[rows->depth - 1].end_ns <= level->start_ns &&
	       rows->stack[rows->depth - 1].start_ns < level->start_ns) {
		rows->depth--;
	}
	*depth = 0;
	if (rows->depth > 0 && level->end_ns > rows->stack[rows->depth - 1].end_ns) {
		return choose_lane(rows, level);
	}
	if (rows->depth == RA_LAYOUT_MAX_DEPTH) {
		ra_layout_refuse(rows->walk->layout, true);
		return 0;
	}
	if (rows->tid == 0) {
		rows->tid = open_row(rows, 0);
	}
	*depth = (uint16_t) rows->depth;
	rows->stack[rows->depth++] = *level;
	return rows->tid;
}

static void place(struct rows *rows, const struct ra_projection_row *row)
{
	const struct ra_layout_projection *walk = rows->walk;
	const struct level level = { row->start_ns, row->end_ns };
	struct ra_layout_gpu_item item = {
		.kind = RA_LAYOUT_GPU_RANGE,
		.index = row->slice,
		.device = walk->device,
		.pid = walk->row.pid,
		.start_ns = row->start_ns,
		.dur_ns = row->end_ns - row->start_ns,
		.projection = row,
		.queue = &walk->projection->model->gpu.queues[walk->row.queue]
	};

	if (!ra_layout_accept(walk->layout, row->start_ns)) {
		return;
	}
	item.tid = choose_row(rows, &level, &item.depth);
	if (item.tid != 0 && walk->visitor->item != NULL) {
		walk->visitor->item(walk->visitor->context, &item);
	}
}

void ra_layout_projection_walk(struct ra_layout_projection *walk)
{
	struct ra_projection *projection = walk->projection;
	struct ref *refs;
	struct rows *rows;
	uint32_t track = 0;

	if (projection->count == 0) {
		return;
	}
	refs = ra_alloc_zeros(projection->count, sizeof(*refs));
	rows = ra_alloc_zeros(1, sizeof(*rows));
	/* orders them by slice, so that the track is mostly the same */
	ra_projection_finish(projection);
	for (size_t i = 0; i < projection->count; i++) {
		track = ra_model_find_track(projection->model, projection->rows[i].slice, track);
		refs[i] = (struct ref){ &projection->rows[i], track };
	}
	RA_SORT(refs, projection->count, compare_refs);
	rows->walk = walk;
	for (size_t i = 0; i < projection->count; i++) {
		if (i == 0 || refs[i - 1].track != refs[i].track) {
			rows->depth = 0;
			rows->tid = 0;
			rows->lane_count = 0;
			walk->row.track = refs[i].track;
			walk->row.rank = walk->rank++;
		}
		place(rows, refs[i].row);
	}
	free(refs);
	free(rows);
}
