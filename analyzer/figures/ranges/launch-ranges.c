/* SPDX-License-Identifier: MIT */
/* Finds ranges and the calls inside them: goes through both by thread and time. */
#include "analyzer/figures/ranges/launch-ranges.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/read-log/chunks/density.h"

/* A range with a call in it is a pair. This many pairs are always allowed; more only for a file
 * that is large enough. */
#define FREE_PAIRS (UINT64_C(1) << 22)

/* Ranges that may contain later calls: begun and not ended, sorted by their start. */
struct open_ranges {
	uint32_t *rows; /* owned; indices of ranges */
	size_t count;
	size_t capacity;
};

/* Operations sorted by the call that launched them. */
struct launches {
	struct ra_util_sort_entry *ops; /* owned; key: call, index: operation */
	size_t count;
};

static void put_row(struct ra_launch_ranges *ranges, const struct ra_model *model, uint32_t slice,
                    uint32_t track, bool is_start_end)
{
	const struct ra_slices *slices = &model->slices;

	if ((slices->flags[slice] & RA_SLICE_WAIT) != 0) {
		return; /* it is a wait, not a range */
	}
	ranges->rows[ranges->count++] = (struct ra_launch_range){
		.start_ns = slices->start_ns[slice],
		.end_ns = slices->start_ns[slice] + slices->dur_ns[slice],
		.slice = slice,
		.track = track,
		.is_start_end = is_start_end,
		.parent = RA_NONE,
	};
}

/* Lists push/pop ranges, and start/end ranges that ended on their thread or did not end. */
static void collect(struct ra_launch_ranges *ranges, const struct ra_model *model)
{
	ranges->rows = ra_alloc_zeros(model->slices.count + 1, sizeof(*ranges->rows));
	for (uint32_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = 0; i < track->slice_count && track->kind == RA_TRACK_THREAD; i++) {
			put_row(ranges, model, (uint32_t) (track->first_slice + i), t, false);
		}
	}
	for (size_t i = 0; i < model->span_count; i++) {
		const struct ra_span *span = &model->spans[i];

		if (span->start_track != RA_NONE &&
		    (span->end_track == span->start_track || span->end_track == RA_NONE)) {
			put_row(ranges, model, span->slice, span->start_track, true);
		}
	}
}

static int compare_rows(const void *left, const void *right)
{
	const struct ra_launch_range *a = left;
	const struct ra_launch_range *b = right;
	int order = RA_ORDER_UP(a, b, track);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(a, b, end_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, slice));
}

/* Drops ranges that ended before a time, because they contain nothing after that time. */
static void close_ended(struct open_ranges *open, const struct ra_launch_range *rows,
                        int64_t time_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < open->count; i++) {
		open->rows[kept] = open->rows[i];
		kept += rows[open->rows[i]].end_ns >= time_ns;
	}
	open->count = kept;
}

/*
 * Finds parents, levels and children of push/pop ranges. An earlier range can be the innermost
 * range around the next one only if it ends later than all ranges between them; the others are
 * dropped. So each range is looked at once, however deep they nest.
 */
static void find_levels(struct ra_launch_ranges *ranges)
{
	struct open_ranges open = { 0 };

	for (uint32_t i = 0; i < ranges->count; i++) {
		struct ra_launch_range *row = &ranges->rows[i];

		if (i > 0 && row[-1].track != row->track) {
			open.count = 0;
		}
		if (row->is_start_end) {
			continue;
		}
		while (open.count > 0 &&
		       ranges->rows[open.rows[open.count - 1]].end_ns < row->end_ns) {
			open.count--;
		}
		if (open.count > 0) {
			struct ra_launch_range *around = &ranges->rows[open.rows[open.count - 1]];

			row->parent = open.rows[open.count - 1];
			row->level = around->level + 1;
			around->children++;
		}
		RA_UTIL_APPEND(open.rows, open.count, open.capacity, i);
	}
	free(open.rows);
}

static void sort_launches(struct launches *launches, const struct ra_gpu *gpu)
{
	launches->ops = ra_alloc_bytes((gpu->op_count + 1) * sizeof(*launches->ops));
	for (size_t i = 0; i < gpu->op_count; i++) {
		if (gpu->ops[i].api != RA_NONE) {
			launches->ops[launches->count++] =
				(struct ra_util_sort_entry){ .key = gpu->ops[i].api,
				                             .index = (uint32_t) i };
		}
	}
	ra_util_sort(&launches->ops, launches->count);
}

static void extend(struct ra_launch_range *row, const struct ra_gpu_op *op)
{
	const int64_t end_ns = op->start_ns + op->dur_ns;

	if (row->ops == 0 || op->start_ns < row->first_ns) {
		row->first_ns = op->start_ns;
	}
	if (row->ops == 0 || end_ns > row->last_ns) {
		row->last_ns = end_ns;
	}
	row->ops++;
}

/* Opens the ranges of a call's thread that began before the call, and closes those that ended. */
static void move_to(struct open_ranges *open, const struct ra_launch_ranges *ranges, uint32_t *next,
                    const struct ra_gpu_api *api)
{
	const struct ra_launch_range *rows = ranges->rows;

	if (open->count > 0 && rows[open->rows[0]].track != api->track) {
		open->count = 0;
	}
	for (; *next < ranges->count; ++*next) {
		const struct ra_launch_range *row = &rows[*next];

		if (row->track > api->track ||
		    (row->track == api->track && row->start_ns > api->start_ns)) {
			break;
		}
		if (row->track == api->track) {
			RA_UTIL_APPEND(open->rows, open->count, open->capacity, *next);
		}
	}
	close_ended(open, rows, api->start_ns);
}

/* Calls are sorted like the ranges: by thread, then start. */
static void walk(struct ra_launch_ranges *ranges, const struct ra_model *model,
                 const struct launches *launches, ra_launch_ranges_visit *visit, void *context)
{
	const struct ra_gpu *gpu = &model->gpu;
	struct open_ranges open = { 0 };
	uint64_t pairs = 0;
	uint32_t next = 0;

	for (size_t i = 0; i < launches->count; i++) {
		const uint32_t op = launches->ops[i].index;
		const struct ra_gpu_api *api = &gpu->apis[launches->ops[i].key];

		move_to(&open, ranges, &next, api);
		pairs += open.count;
		if (pairs > FREE_PAIRS) {
			ra_density_bound_size(model->file_bytes);
		}
		for (size_t k = 0; k < open.count; k++) {
			struct ra_launch_range *row = &ranges->rows[open.rows[k]];

			if (row->end_ns < api->start_ns + api->dur_ns) {
				continue;
			}
			extend(row, &gpu->ops[op]);
			if (visit != NULL) {
				visit(context, row, op);
			}
		}
	}
	free(open.rows);
}

void ra_launch_ranges_init(struct ra_launch_ranges *ranges, const struct ra_model *model,
                           ra_launch_ranges_visit *visit, void *context)
{
	struct launches launches = { 0 };

	*ranges = (struct ra_launch_ranges){ 0 };
	sort_launches(&launches, &model->gpu);
	if (launches.count > 0) {
		collect(ranges, model);
	}
	RA_SORT(ranges->rows, ranges->count, compare_rows);
	find_levels(ranges);
	walk(ranges, model, &launches, visit, context);
	free(launches.ops);
}

void ra_launch_ranges_fini(struct ra_launch_ranges *ranges)
{
	free(ranges->rows);
	*ranges = (struct ra_launch_ranges){ 0 };
}
