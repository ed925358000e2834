/* SPDX-License-Identifier: MIT */
/* Correlation id → API call → thread and time → open range, by one sweep per thread. */
#include "analyzer/link.h"

#include <stdlib.h>

#include "analyzer/util-map.h"
#include "format/error.h"

/*
 * The API call of each correlation id. A runtime call that calls the driver makes two records with
 * one id: the runtime's counts, it is what the program wrote.
 */
static int link_calls(struct ra_gpu *gpu)
{
	struct ra_util_map calls = { 0 };
	int rc = 0;

	for (size_t i = 0; i < gpu->api_count && rc == 0; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const uint32_t known = ra_util_map_find(&calls, api->corr);

		if (api->corr != 0 && (known == RA_UTIL_MAP_NONE ||
		                       (gpu->apis[known].is_driver && !api->is_driver))) {
			rc = ra_util_map_put(&calls, api->corr, (uint32_t) i);
		}
	}
	for (size_t i = 0; i < gpu->op_count && rc == 0; i++) {
		struct ra_gpu_op *op = &gpu->ops[i];

		op->api = op->corr != 0 ? ra_util_map_find(&calls, op->corr) : RA_NONE;
		gpu->no_call += op->api == RA_NONE;
	}
	for (size_t i = 0; i < gpu->sync_count && rc == 0; i++) {
		struct ra_gpu_sync *sync = &gpu->syncs[i];

		sync->api = sync->corr != 0 ? ra_util_map_find(&calls, sync->corr) : RA_NONE;
	}
	for (size_t i = 0; i < gpu->memory_count && rc == 0; i++) {
		struct ra_gpu_memory *memory = &gpu->memories[i];

		memory->api = memory->corr != 0 ? ra_util_map_find(&calls, memory->corr) : RA_NONE;
	}
	ra_util_map_free(&calls);
	return rc;
}

static int64_t find_end(const struct ra_slices *slices, size_t i)
{
	return slices->start_ns[i] + slices->dur_ns[i];
}

/*
 * The push/pop range open on a thread at the start of each of its calls. `open` is the innermost
 * one; its parents lead out. A range is open from its start on and no more at its end.
 */
static void link_thread(struct ra_model *model, const struct ra_track *track, size_t first,
                        size_t end)
{
	const struct ra_slices *slices = &model->slices;
	const size_t last_slice = track->first_slice + track->slice_count;
	size_t next = track->first_slice;
	uint32_t open = RA_NONE;

	for (size_t i = first; i < end; i++) {
		struct ra_gpu_api *api = &model->gpu.apis[i];

		for (; next < last_slice && slices->start_ns[next] <= api->start_ns; next++) {
			/* What crosses others has no place in the tree. */
			if (!(slices->flags[next] & RA_SLICE_CROSSING)) {
				open = (uint32_t) next;
			}
		}
		while (open != RA_NONE && find_end(slices, open) <= api->start_ns) {
			open = slices->parent[open];
		}
		api->slice = open;
		/* A wait is no range: what is launched in it belongs to the range around. */
		while (api->slice != RA_NONE && (slices->flags[api->slice] & RA_SLICE_WAIT) != 0) {
			api->slice = slices->parent[api->slice];
		}
	}
}

static void link_stacks(struct ra_model *model)
{
	struct ra_gpu *gpu = &model->gpu;
	size_t end;

	for (size_t first = 0; first < gpu->api_count; first = end) {
		const uint32_t track = gpu->apis[first].track;

		for (end = first; end < gpu->api_count && gpu->apis[end].track == track; end++) {
		}
		link_thread(model, &model->tracks[track], first, end);
	}
}

/* An operation that no push/pop range encloses, by the time of its launch. */
struct orphan {
	int64_t time_ns;
	uint32_t op;
};

static int compare_orphans(const void *left, const void *right)
{
	const struct orphan *a = left;
	const struct orphan *b = right;

	if (a->time_ns != b->time_ns) {
		return a->time_ns < b->time_ns ? -1 : 1;
	}
	return a->op < b->op ? -1 : a->op > b->op;
}

static const struct ra_track *find_span_track(const struct ra_model *model)
{
	for (size_t t = 0; t < model->track_count; t++) {
		if (model->tracks[t].kind == RA_TRACK_START_END) {
			return &model->tracks[t];
		}
	}
	return NULL;
}

/* Drops what is closed from the end of a stack of ranges. Return: how many are left. */
static size_t drop_closed(const struct ra_slices *slices, const uint32_t *stack, size_t depth,
                          int64_t time_ns)
{
	while (depth > 0 && find_end(slices, stack[depth - 1]) <= time_ns) {
		depth--;
	}
	return depth;
}

/*
 * The start/end range that began last and is open when the operation was launched. Ranges are
 * stacked in order of start; what is closed is dropped for good, because times only grow. If the
 * next one in the stack is open as well, the choice was not the only one.
 */
static int link_spans(struct ra_model *model, const struct orphan *orphans, size_t count)
{
	const struct ra_slices *slices = &model->slices;
	const struct ra_track *track = find_span_track(model);
	uint32_t *stack;
	size_t depth = 0;
	size_t next;

	if (track == NULL || count == 0) {
		return 0;
	}
	stack = calloc(track->slice_count + 1, sizeof(*stack));
	if (stack == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	next = track->first_slice;
	for (size_t i = 0; i < count; i++) {
		const int64_t time_ns = orphans[i].time_ns;
		size_t below;

		for (; next < track->first_slice + track->slice_count &&
		       slices->start_ns[next] <= time_ns;
		     next++) {
			stack[depth++] = (uint32_t) next;
		}
		depth = drop_closed(slices, stack, depth, time_ns);
		if (depth == 0) {
			continue;
		}
		below = drop_closed(slices, stack, depth - 1, time_ns);
		model->gpu.ambiguous += below > 0;
		stack[below] = stack[depth - 1];
		depth = below + 1;
		model->gpu.ops[orphans[i].op].slice = stack[below];
		model->gpu.ops[orphans[i].op].rule = RA_GPU_RULE_START_END;
	}
	free(stack);
	return 0;
}

static int link_ranges(struct ra_model *model)
{
	struct ra_gpu *gpu = &model->gpu;
	struct orphan *orphans = calloc(gpu->op_count + 1, sizeof(*orphans));
	size_t count = 0;
	int rc;

	if (orphans == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		struct ra_gpu_op *op = &gpu->ops[i];

		if (op->api == RA_NONE) {
			continue; /* nobody knows when it was launched */
		}
		op->slice = gpu->apis[op->api].slice;
		op->rule = op->slice != RA_NONE ? RA_GPU_RULE_STACK : RA_GPU_RULE_NONE;
		if (op->slice == RA_NONE) {
			orphans[count++] =
				(struct orphan){ gpu->apis[op->api].start_ns, (uint32_t) i };
		}
	}
	qsort(orphans, count, sizeof(*orphans), compare_orphans);
	rc = link_spans(model, orphans, count);
	free(orphans);
	return rc;
}

int ra_link_build(struct ra_model *model)
{
	struct ra_gpu *gpu = &model->gpu;
	int rc = link_calls(gpu);

	if (rc == 0) {
		link_stacks(model);
		rc = link_ranges(model);
	}
	for (size_t i = 0; i < gpu->op_count && rc == 0; i++) {
		gpu->rule_ns[gpu->ops[i].rule] += gpu->ops[i].dur_ns;
		gpu->rule_ops[gpu->ops[i].rule]++;
	}
	return rc;
}
