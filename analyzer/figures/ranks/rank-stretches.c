/* SPDX-License-Identifier: MIT */
/* Computes each rank's own time from one collective to the next, without the rank's waits for
 * others. */
#include "analyzer/figures/ranks/rank-stretches.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/steps.h"

static int64_t get_end(int64_t start_ns, int64_t dur_ns)
{
	return ra_util_add_time(start_ns, dur_ns);
}

static int compare_launches(const void *a, const void *b)
{
	const struct ra_rank_stretch *left = a;
	const struct ra_rank_stretch *right = b;
	const int order = RA_ORDER_UP(left, right, launch_ns);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left->call, right->call, op));
}

static void collect(struct ra_rank_stretches *stretches, const struct ra_model *model,
                    const struct ra_collectives_rank *rank)
{
	stretches->rows = ra_alloc_zeros(rank->count + 1, sizeof(*stretches->rows));
	for (size_t i = 0; i < rank->count; i++) {
		const struct ra_collective *call = &rank->calls[i];
		const uint32_t api = model->gpu.ops[call->op].api;
		struct ra_rank_stretch *row = &stretches->rows[stretches->count];

		if (call->match == RA_NONE) {
			continue;
		}
		row->call = call;
		row->before = RA_NONE;
		row->has_launch = api != RA_NONE;
		row->launch_ns = row->has_launch ? model->gpu.apis[api].start_ns : call->start_ns;
		stretches->count++;
	}
	RA_SORT(stretches->rows, stretches->count, compare_launches);
}

static int compare_ends(const void *a, const void *b)
{
	const struct ra_interval *left = a;
	const struct ra_interval *right = b;

	return RA_ORDER_THEN(RA_ORDER_UP(left, right, end_ns), RA_ORDER_UP(left, right, start_ns));
}

/* Lists collectives, each from its launch to its end, sorted by end. Return: owned by the
 * caller. */
static struct ra_interval *list_ends(const struct ra_rank_stretches *stretches)
{
	struct ra_interval *ends = ra_alloc_zeros(stretches->count + 1, sizeof(*ends));

	for (size_t i = 0; i < stretches->count; i++) {
		const struct ra_rank_stretch *row = &stretches->rows[i];

		ends[i] = (struct ra_interval){ row->launch_ns,
			                        get_end(row->call->start_ns, row->call->dur_ns) };
	}
	RA_SORT(ends, stretches->count, compare_ends);
	return ends;
}

/* If a call lasts beyond the end of a collective, the collective held the call, whatever the name
 * of the call: calls that synchronize, copies that block, launches into a queue that is full. */
static void find_held(struct ra_rank_stretches *stretches, const struct ra_gpu *gpu)
{
	struct ra_interval *ends = list_ends(stretches);

	for (size_t i = 0; i < gpu->api_count; i++) {
		const int64_t start_ns = gpu->apis[i].start_ns;
		const int64_t end_ns = get_end(start_ns, gpu->apis[i].dur_ns);
		struct ra_search at = ra_search_in(0, stretches->count);

		while (ra_search_next(&at)) {
			ra_search_tell(&at, ends[at.middle].end_ns <= start_ns);
		}
		for (size_t e = at.low; e < stretches->count && ends[e].end_ns <= end_ns; e++) {
			ra_intervals_add(&stretches->held,
			                 ends[e].start_ns > start_ns ? ends[e].start_ns : start_ns,
			                 ends[e].end_ns);
		}
	}
	ra_intervals_unite(&stretches->held);
	free(ends);
}

/* Returns the time at which a stretch's thread launched something, as if the thread had begun when
 * the collective before ended: without its waits for that end. */
static int64_t find_offset(const struct ra_rank_stretches *stretches, size_t stretch,
                           int64_t launch_ns)
{
	const int64_t from_ns = stretches->rows[stretch - 1].launch_ns;

	return launch_ns - from_ns - ra_intervals_cover(&stretches->held, from_ns, launch_ns);
}

/* Computes times without the GPU's work. */
static void find_cpu(struct ra_rank_stretches *stretches)
{
	for (size_t i = 1; i < stretches->count; i++) {
		const struct ra_rank_stretch *before = &stretches->rows[i - 1];
		struct ra_rank_stretch *row = &stretches->rows[i];

		row->before = before->call->match;
		if (row->has_launch && before->has_launch) {
			row->own_ns = find_offset(stretches, i, row->launch_ns);
		} else {
			const int64_t end_ns =
				get_end(before->call->start_ns, before->call->dur_ns);

			row->own_ns =
				row->call->start_ns > end_ns ? row->call->start_ns - end_ns : 0;
		}
	}
}

/* An operation and the stretch in which it was launched. */
struct work {
	size_t stretch;
	uint32_t queue;
	int64_t launch_ns;
	int64_t start_ns;
	int64_t end_ns;
};

static int compare_queues(const void *a, const void *b)
{
	const struct work *left = a;
	const struct work *right = b;
	int order = RA_ORDER_UP(left, right, stretch);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, queue));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, start_ns));
}

static int compare_starts(const void *a, const void *b)
{
	const struct work *left = a;
	const struct work *right = b;
	const int order = RA_ORDER_UP(left, right, stretch);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, start_ns));
}

/* Computes times as if the operations of each queue ran one after the other, none before its
 * launch. The collective begins after the last of these operations, or at its launch if that is
 * later. */
static void run_works(struct ra_rank_stretches *stretches, struct work *works, size_t count)
{
	int64_t at_ns = 0;

	RA_SORT(works, count, compare_queues);
	for (size_t i = 0; i < count; i++) {
		const struct work *work = &works[i];
		const int64_t launch_ns = find_offset(stretches, work->stretch, work->launch_ns);
		struct ra_rank_stretch *row = &stretches->rows[work->stretch];

		if (i == 0 || works[i - 1].stretch != work->stretch ||
		    works[i - 1].queue != work->queue) {
			at_ns = 0;
		}
		at_ns = launch_ns > at_ns ? launch_ns : at_ns;
		at_ns = ra_util_add_time(at_ns, work->end_ns - work->start_ns);
		row->own_ns = at_ns > row->own_ns ? at_ns : row->own_ns;
	}
}

/* Adds the time in which any operation of a stretch ran. */
static void add_works(struct ra_rank_stretches *stretches, struct work *works, size_t count)
{
	int64_t end_ns = 0;

	RA_SORT(works, count, compare_starts);
	for (size_t i = 0; i < count; i++) {
		const struct work *work = &works[i];
		const bool is_new = i == 0 || works[i - 1].stretch != work->stretch;
		const int64_t from_ns = is_new || work->start_ns > end_ns ? work->start_ns : end_ns;
		struct ra_rank_stretch *row = &stretches->rows[work->stretch];

		end_ns = is_new || work->end_ns > end_ns ? work->end_ns : end_ns;
		row->gpu_ns =
			ra_util_add_time(row->gpu_ns, end_ns > from_ns ? end_ns - from_ns : 0);
	}
}

/* Assigns each operation to the stretch in which it was launched. */
static void find_gpu(struct ra_rank_stretches *stretches, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	struct work *works = ra_alloc_zeros(gpu->op_count + 1, sizeof(*works));
	size_t count = 0;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		struct ra_search at = ra_search_in(0, stretches->count);

		if (op->api == RA_NONE || op->is_collective) {
			continue;
		}
		while (ra_search_next(&at)) {
			ra_search_tell(&at, stretches->rows[at.middle].launch_ns <=
			                            gpu->apis[op->api].start_ns);
		}
		if (at.low > 0 && at.low < stretches->count && stretches->rows[at.low].has_launch) {
			works[count++] =
				(struct work){ at.low, op->queue, gpu->apis[op->api].start_ns,
				               op->start_ns, get_end(op->start_ns, op->dur_ns) };
		}
	}
	run_works(stretches, works, count);
	add_works(stretches, works, count);
	free(works);
}

void ra_rank_stretches_init(struct ra_rank_stretches *stretches, const struct ra_model *model,
                            const struct ra_collectives_rank *rank)
{
	*stretches = (struct ra_rank_stretches){ 0 };
	collect(stretches, model, rank);
	find_held(stretches, &model->gpu);
	find_cpu(stretches);
	find_gpu(stretches, model);
}

void ra_rank_stretches_fini(struct ra_rank_stretches *stretches)
{
	free(stretches->rows);
	ra_intervals_fini(&stretches->held);
}
