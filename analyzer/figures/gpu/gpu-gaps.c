/* SPDX-License-Identifier: MIT */
/* Finds gaps after the latest end so far; so there is no gap while operations overlap. */
#include "analyzer/figures/gpu/gpu-gaps.h"

#include "analyzer/base/util.h"
#include "analyzer/link/graph-nodes.h"

void ra_gpu_gaps_begin_device(struct ra_gpu_gaps *gaps, const struct ra_gpu *gpu,
                              const struct ra_gpu_order *order, size_t device)
{
	const struct ra_gpu_order_device *d = &order->devices[device];

	*gaps = (struct ra_gpu_gaps){
		.gpu = gpu,
		.early = &order->early,
		.ops = order->ops,
		.at = d->first,
		.end = d->first + d->count,
		.until_ns = order->start_ns,
		.end_ns = order->end_ns,
		.short_ns = RA_GPU_GAPS_SHORT_NS,
		.last = RA_NONE,
	};
}

void ra_gpu_gaps_begin_queue(struct ra_gpu_gaps *gaps, const struct ra_gpu *gpu,
                             const struct ra_gpu_order *order, size_t queue)
{
	const struct ra_gpu_queue *q = &gpu->queues[queue];

	*gaps = (struct ra_gpu_gaps){
		.gpu = gpu,
		.early = &order->early,
		.at = q->first_op,
		.end = q->first_op + q->op_count,
		.until_ns = order->start_ns,
		.end_ns = order->end_ns,
		.short_ns = RA_GPU_GAPS_SHORT_NS,
		.last = RA_NONE,
	};
}

static enum ra_gpu_gaps_cause find_cause(const struct ra_gpu_gaps *gaps,
                                         const struct ra_gpu_gap *gap)
{
	const struct ra_gpu *gpu = gaps->gpu;
	const struct ra_gpu_api *api;
	const struct ra_gpu_op *op;
	int64_t late_ns; /* from the end of the launching call to the start of the work */

	if (gap->after == RA_NONE) {
		return RA_GPU_GAPS_AFTER;
	}
	if (gap->before == RA_NONE) {
		return RA_GPU_GAPS_BEFORE;
	}
	op = &gpu->ops[gap->after];
	api = op->api == RA_NONE ? NULL : &gpu->apis[op->api];
	late_ns = api == NULL ? 0 : op->start_ns - ra_util_add_time(api->start_ns, api->dur_ns);
	if (api != NULL && api->start_ns > gap->start_ns &&
	    (late_ns < gaps->short_ns || late_ns <= gap->dur_ns / 2)) {
		return RA_GPU_GAPS_HOST;
	}
	if (gap->dur_ns < gaps->short_ns) {
		return RA_GPU_GAPS_KERNEL;
	}
	return (api != NULL && late_ns >= gaps->short_ns) ||
	                       ra_gpu_early_is(gaps->early, gap->after)
	               ? RA_GPU_GAPS_QUEUED
	               : RA_GPU_GAPS_OTHER;
}

static void make_gap(const struct ra_gpu_gaps *gaps, uint32_t after, int64_t end_ns,
                     struct ra_gpu_gap *gap)
{
	*gap = (struct ra_gpu_gap){ .start_ns = gaps->until_ns,
		                    .dur_ns = end_ns - gaps->until_ns,
		                    .before = gaps->last,
		                    .after = after };
	gap->cause = find_cause(gaps, gap);
}

bool ra_gpu_gaps_next(struct ra_gpu_gaps *gaps, struct ra_gpu_gap *gap)
{
	while (gaps->at < gaps->end) {
		const size_t at = gaps->at++;
		const uint32_t index = gaps->ops != NULL ? gaps->ops[at].op : (uint32_t) at;
		const struct ra_gpu_op *op = &gaps->gpu->ops[index];
		const bool is_gap = op->start_ns > gaps->until_ns;

		if (is_gap) {
			make_gap(gaps, index, op->start_ns, gap);
		}
		if (op->start_ns + op->dur_ns >= gaps->until_ns) {
			gaps->until_ns = op->start_ns + op->dur_ns;
			gaps->last = index;
		}
		if (is_gap) {
			return true;
		}
	}
	if (gaps->end_ns > gaps->until_ns) {
		make_gap(gaps, RA_NONE, gaps->end_ns, gap);
		gaps->until_ns = gaps->end_ns;
		return true;
	}
	return false;
}

int64_t ra_gpu_gaps_of_graphs(const struct ra_model *model, const struct ra_gpu_order *order,
                              size_t device, int64_t start_ns, int64_t end_ns)
{
	struct ra_gpu_gaps walk;
	struct ra_gpu_gap gap;
	int64_t sum_ns = 0;

	ra_gpu_gaps_begin_device(&walk, &model->gpu, order, device);
	while (ra_gpu_gaps_next(&walk, &gap)) {
		const int64_t until_ns = ra_util_add_time(gap.start_ns, gap.dur_ns);
		const int64_t from_ns = gap.start_ns > start_ns ? gap.start_ns : start_ns;
		const int64_t to_ns = until_ns < end_ns ? until_ns : end_ns;

		if (gap.cause == RA_GPU_GAPS_QUEUED && to_ns > from_ns &&
		    ra_graph_nodes_has(model, &model->gpu.ops[gap.after])) {
			sum_ns = ra_util_add_time(sum_ns, to_ns - from_ns);
		}
	}
	return sum_ns;
}

/* False if no operation belongs to a graph. Compares each call's name once, not once for each
 * operation. */
static bool may_have_graphs(const struct ra_model *model)
{
	bool may = false;

	for (size_t i = 0; i < model->name_count && !may; i++) {
		may = ra_graph_nodes_is_launch(ra_model_string(model, (uint32_t) i));
	}
	for (size_t i = 0; i < model->gpu.op_count && !may; i++) {
		may = model->gpu.ops[i].graph != 0;
	}
	return may;
}

int64_t ra_gpu_gaps_of_all_graphs(const struct ra_model *model)
{
	struct ra_gpu_order order;
	int64_t sum_ns = 0;

	if (model->gpu.ops == NULL || model->gpu.op_count == 0 || !may_have_graphs(model)) {
		return 0;
	}
	ra_gpu_order_init(&order, model);
	for (size_t d = 0; d < order.device_count; d++) {
		sum_ns = ra_util_add_time(
			sum_ns, ra_gpu_gaps_of_graphs(model, &order, d, INT64_MIN, INT64_MAX));
	}
	ra_gpu_order_fini(&order);
	return sum_ns;
}

const char *ra_gpu_gaps_name(enum ra_gpu_gaps_cause cause)
{
	static const char *const names[RA_GPU_GAPS_CAUSES] = {
		[RA_GPU_GAPS_HOST] = "host wait",      [RA_GPU_GAPS_KERNEL] = "kernel wait",
		[RA_GPU_GAPS_QUEUED] = "queued",       [RA_GPU_GAPS_OTHER] = "other",
		[RA_GPU_GAPS_BEFORE] = "before first", [RA_GPU_GAPS_AFTER] = "after last",
	};

	return names[cause];
}
