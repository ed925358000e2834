/* SPDX-License-Identifier: MIT */
/* Links each GPU operation by its correlation id to an API call, and the call by thread and time to
 * the open range. Sweeps once over each thread. */
#include "analyzer/link/link.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/link/link-rules.h"
#include "analyzer/link/link-sections.h"
#include "analyzer/model/gpu-early.h"
#include "analyzer/read-log/ranges/step-events.h"
#include "analyzer/base/util.h"

/*
 * Finds the API call of a correlation id. The keys of this hash table are in the calls themselves,
 * so it takes a third of a map's memory. CUPTI counts correlation ids up. So the ids of a log
 * mostly span fewer numbers than the table has slots. Then each id has a slot of its own, and
 * neighbours share a cache line.
 */
struct calls {
	const struct ra_gpu *gpu; /* borrowed */
	uint32_t *slots;          /* owned; index into apis, RA_NONE: free */
	size_t mask;
	uint64_t seed; /* an address, because hostile files could choose ids that collide for a
	                  known seed */
	bool is_dense; /* true: the slot of an id is id - low */
	uint32_t low;  /* smallest id */
	uint32_t span;
};

/* Finds out whether the ids span so few numbers that each id can have a slot of its own. */
static void look_at_ids(struct calls *calls)
{
	uint32_t low = UINT32_MAX;
	uint32_t high = 0;

	for (size_t i = 0; i < calls->gpu->api_count; i++) {
		const uint32_t corr = calls->gpu->apis[i].corr;

		low = corr != 0 && corr < low ? corr : low;
		high = corr > high ? corr : high;
	}
	calls->low = low;
	calls->span = high - low;
	calls->is_dense = low <= high && calls->span <= calls->mask;
}

static void init_calls(struct calls *calls, const struct ra_gpu *gpu)
{
	size_t capacity = 16;

	while (gpu->api_count >= capacity / 8 * 5) {
		capacity *= 2;
	}
	*calls = (struct calls){ .gpu = gpu, .mask = capacity - 1 };
	calls->slots = ra_alloc_bytes(capacity * sizeof(*calls->slots));
	memset(calls->slots, 0xFF, capacity * sizeof(*calls->slots));
	calls->seed = (uint64_t) (uintptr_t) calls->slots;
	look_at_ids(calls);
}

/* The slot that has the id, or the free slot for it. If ids are dense, the id must be that of a
 * call. */
static size_t find_slot(const struct calls *calls, uint32_t corr)
{
	const uint64_t hash = (corr ^ calls->seed) * UINT64_C(0x9E3779B97F4A7C15);
	size_t slot = (hash ^ hash >> 32) & calls->mask;

	if (calls->is_dense) {
		return corr - calls->low;
	}
	while (calls->slots[slot] != RA_NONE && calls->gpu->apis[calls->slots[slot]].corr != corr) {
		slot = (slot + 1) & calls->mask;
	}
	return slot;
}

/* Return: index into apis; RA_NONE: no call has this id. */
static uint32_t find_call(const struct calls *calls, uint32_t corr)
{
	if (corr == 0 || (calls->is_dense && corr - calls->low > calls->span)) {
		return RA_NONE;
	}
	return calls->slots[find_slot(calls, corr)];
}

/*
 * A runtime call that calls the driver makes two records with the same id. The runtime's record is
 * kept, because the program called the runtime. Any other two calls with the same id are an oddity.
 */
static void link_call(struct ra_gpu *gpu, struct calls *calls, uint32_t i)
{
	struct ra_gpu_api *api = &gpu->apis[i];
	uint32_t *slot = &calls->slots[find_slot(calls, api->corr)];
	struct ra_gpu_api *known = *slot == RA_NONE ? NULL : &gpu->apis[*slot];

	if (known != NULL && (known->is_driver == api->is_driver || known->has_twin)) {
		gpu->duplicate_calls++;
		return;
	}
	if (known != NULL) {
		known->has_twin = true;
		api->has_twin = true;
	}
	if (known == NULL || known->is_driver) {
		*slot = i;
	}
}

static void link_calls(struct ra_gpu *gpu)
{
	struct calls calls;

	init_calls(&calls, gpu);
	for (size_t i = 0; i < gpu->api_count; i++) {
		if (gpu->apis[i].corr != 0) {
			link_call(gpu, &calls, (uint32_t) i);
		}
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		struct ra_gpu_op *op = &gpu->ops[i];

		op->api = find_call(&calls, op->corr);
		gpu->no_call += op->api == RA_NONE;
	}
	for (size_t i = 0; i < gpu->sync_count; i++) {
		struct ra_gpu_sync *sync = &gpu->syncs[i];

		sync->api = find_call(&calls, sync->corr);
		sync->recorded_api = find_call(&calls, sync->recorded_corr);
	}
	for (size_t i = 0; i < gpu->memory_count; i++) {
		struct ra_gpu_memory *memory = &gpu->memories[i];

		memory->api = find_call(&calls, memory->corr);
	}
	free(calls.slots);
}

/* Finds the push/pop range open on a thread at the start of each of its calls. */
static void link_thread(struct ra_model *model, const struct ra_track *track, size_t first,
                        size_t end)
{
	struct ra_link_cursor cursor = { .track = track, .open = RA_NONE };

	for (size_t i = first; i < end; i++) {
		struct ra_gpu_api *api = &model->gpu.apis[i];

		api->slice = ra_link_rules_advance(&cursor, &model->slices, api->start_ns);
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

static int compare_orphans(const void *left, const void *right)
{
	const struct ra_link_orphan *a = left;
	const struct ra_link_orphan *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, time_ns), RA_ORDER_UP(a, b, op));
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

/* Drops closed ranges from the end of a stack. Return: the number of ranges left. */
static size_t drop_closed(const struct ra_slices *slices, const uint32_t *stack, size_t depth,
                          int64_t time_ns)
{
	while (depth > 0 && ra_link_rules_end(slices, stack[depth - 1]) <= time_ns) {
		depth--;
	}
	return depth;
}

/*
 * Finds the start/end range that began last and is open when the operation was launched. Ranges are
 * stacked in the order of their starts. A closed range is dropped for good, because times only
 * increase. If the next range in the stack is open as well, the choice was ambiguous.
 */
static void link_spans(struct ra_model *model, const struct ra_link_orphan *orphans, size_t count)
{
	const struct ra_slices *slices = &model->slices;
	const struct ra_track *track = find_span_track(model);
	const uint32_t steps = ra_step_events_find_domain(model);
	uint32_t *stack;
	size_t depth = 0;
	size_t next;

	if (track == NULL || count == 0) {
		return;
	}
	stack = ra_alloc_zeros(track->slice_count + 1, sizeof(*stack));
	next = track->first_slice;
	for (size_t i = 0; i < count; i++) {
		const int64_t time_ns = orphans[i].time_ns;
		size_t below;

		for (; next < track->first_slice + track->slice_count &&
		       slices->start_ns[next] <= time_ns;
		     next++) {
			if (slices->domain[next] != steps) { /* a step's range contains all work, so
				                                it is not a candidate */
				stack[depth++] = (uint32_t) next;
			}
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
}

/* Applies the rule `handoff` to operations without a range. */
static void link_handoffs(struct ra_model *model, const struct ra_link_orphan *orphans,
                          size_t count)
{
	struct ra_gpu *gpu = &model->gpu;
	uint32_t *slices;

	if (model->handoff_count == 0 || count == 0) {
		return;
	}
	slices = ra_alloc_zeros(gpu->api_count + 1, sizeof(*slices));
	ra_link_handoff_find(model, slices);
	for (size_t i = 0; i < count; i++) {
		struct ra_gpu_op *op = &gpu->ops[orphans[i].op];

		if (op->slice == RA_NONE && slices[op->api] != RA_NONE) {
			op->slice = slices[op->api];
			op->rule = RA_GPU_RULE_HANDOFF;
		}
	}
	free(slices);
}

/* Applies the rule `sequence`: moves operations from the range that launched them to the range that
 * caused that range. */
static void link_sequences(struct ra_model *model, const uint32_t *direct)
{
	struct ra_gpu *gpu = &model->gpu;
	uint32_t *causes = ra_alloc_zeros(model->slices.count + 1, sizeof(*causes));

	ra_link_sequence_find(model, direct, causes);
	for (size_t i = 0; i < gpu->op_count; i++) {
		struct ra_gpu_op *op = &gpu->ops[i];

		if (op->rule == RA_GPU_RULE_STACK && causes[op->slice] != RA_NONE) {
			op->slice = causes[op->slice];
			op->rule = RA_GPU_RULE_SEQUENCE;
		}
	}
	free(causes);
}

/* Gives each operation the range of its call. @orphans: gets the operations whose call has no
 * range, ordered by time. */
static size_t link_stack_ranges(struct ra_gpu *gpu, struct ra_link_orphan *orphans)
{
	size_t count = 0;

	for (size_t i = 0; i < gpu->op_count; i++) {
		struct ra_gpu_op *op = &gpu->ops[i];

		if (op->api == RA_NONE || op->slice != RA_NONE) {
			continue; /* the launch time is unknown, or the file already gave a range */
		}
		op->slice = gpu->apis[op->api].slice;
		op->rule = op->slice != RA_NONE ? RA_GPU_RULE_STACK : RA_GPU_RULE_NONE;
		if (op->slice == RA_NONE) {
			orphans[count++] = (struct ra_link_orphan){ gpu->apis[op->api].start_ns,
				                                    (uint32_t) i };
		}
	}
	RA_SORT(orphans, count, compare_orphans);
	return count;
}

/* Moves operations of graphs from the ranges that launched them to the ranges in which their nodes
 * were made. If the rule is not asked for, only sums the GPU time that it would move. */
static void link_origins(struct ra_model *model, bool is_wanted)
{
	struct ra_gpu *gpu = &model->gpu;
	uint32_t *slices;

	if (gpu->node_count == 0 && !ra_model_has(model, RA_HAS_LOG)) {
		return;
	}
	slices = ra_alloc_zeros(gpu->op_count + 1, sizeof(*slices));

	gpu->unmade_ns = ra_link_find_origins(model, slices);
	for (size_t i = 0; i < gpu->op_count; i++) {
		struct ra_gpu_op *op = &gpu->ops[i];

		if (slices[i] != RA_NONE && is_wanted) {
			op->slice = slices[i];
			op->rule = RA_GPU_RULE_ORIGIN;
		} else if (slices[i] != RA_NONE && slices[i] != op->slice) {
			gpu->origin_ns = ra_util_add_time(gpu->origin_ns, op->dur_ns);
		}
	}
	free(slices);
}

static void link_ranges(struct ra_model *model, const struct ra_link_options *options)
{
	struct ra_link_orphan *orphans = ra_alloc_zeros(model->gpu.op_count + 1, sizeof(*orphans));
	const size_t count = link_stack_ranges(&model->gpu, orphans);

	link_spans(model, orphans, count);
	link_handoffs(model, orphans, count);
	if (options->with_sequence) {
		link_sequences(model, options->causes);
	}
	if (count > 0 && !options->with_own && !options->with_process) {
		ra_link_process_find_helpers(model, orphans, count);
	}
	if (count > 0) {
		ra_link_process_adopt(model, orphans, count, options->with_process);
	}
	link_origins(model, options->with_origin);
	free(orphans);
}

static bool is_collective(struct rlog_string name)
{
	return memmem(name.bytes, name.length, "nccl", 4) != NULL ||
	       memmem(name.bytes, name.length, "rccl", 4) != NULL;
}

/* Finds the kernels of collectives. Kernels share few names, and names are long, so each name is
 * searched once. */
static void mark_collectives(struct ra_model *model)
{
	enum {
		UNKNOWN,
		OTHER,
		COLLECTIVE
	};
	struct ra_gpu *gpu = &model->gpu;
	uint8_t *of_name;

	if (gpu->op_count == 0) {
		return;
	}
	of_name = ra_alloc_zeros(model->name_count + (size_t) 1, sizeof(*of_name));
	for (size_t i = 0; i < gpu->op_count; i++) {
		struct ra_gpu_op *op = &gpu->ops[i];
		uint8_t *found = &of_name[op->name];

		if (*found == UNKNOWN) {
			*found = is_collective(ra_model_string(model, op->name)) ? COLLECTIVE
			                                                         : OTHER;
		}
		op->is_collective = op->kind == RA_GPU_KERNEL && *found == COLLECTIVE;
	}
	free(of_name);
}

void ra_link_build(struct ra_model *model, const struct ra_link_options *options)
{
	static const struct ra_link_options none = { 0 };
	struct ra_gpu *gpu = &model->gpu;

	link_calls(gpu);
	gpu->early = gpu->no_call > 0 ? ra_gpu_early_count(model) : 0;
	gpu->has_backward_rows = options != NULL && options->with_backward_rows;
	link_stacks(model);
	link_ranges(model, options != NULL ? options : &none);
	ra_link_sections(model);
	ra_link_graphs_sum(model);
	mark_collectives(model);
	for (size_t i = 0; i < gpu->op_count; i++) {
		gpu->rule_ns[gpu->ops[i].rule] =
			ra_util_add_time(gpu->rule_ns[gpu->ops[i].rule], gpu->ops[i].dur_ns);
		gpu->rule_ops[gpu->ops[i].rule]++;
	}
}
