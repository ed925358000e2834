/* SPDX-License-Identifier: MIT */
/* Draws the arguments of GPU operations, with Kineto's names. */
#include <math.h>

#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/timeline/perfetto/out-perfetto-gpu.h"

static void put_fixed_shape(struct ra_pen *pen, const struct ra_gpu *gpu,
                            const struct ra_gpu_op *op)
{
	const struct ra_gpu_shape *shape = &gpu->shapes[op->shape];
	struct ra_gpu_metrics_shape facts;
	const bool is_known = ra_gpu_metrics_find_shape(gpu, op, &facts);

	ra_pen_put_uint(pen, "registers per thread", shape->registers);
	ra_pen_put_uint(pen, "shared memory",
	                (uint64_t) shape->static_shared_bytes + shape->dynamic_shared_bytes);
	if (is_known) {
		const double blocks = (double) facts.blocks / facts.multiprocessors;

		ra_pen_put_real(pen, "blocks per SM", blocks, 9);
		ra_pen_put_real(pen, "warps per SM", blocks * facts.occupancy.warps_per_block, 9);
	}
	ra_pen_put_list(pen, "grid", shape->grid, 3);
	ra_pen_put_list(pen, "block", shape->block, 3);
	if (shape->cluster[0] > 1 || shape->cluster[1] > 1 || shape->cluster[2] > 1) {
		ra_pen_put_list(pen, "cluster", shape->cluster, 3);
	}
	if (shape->launch_type != 0) {
		ra_pen_put_text(pen, "launch type",
		                ra_pen_words(ra_gpu_launch_name(shape->launch_type)));
	}
	if (shape->priority != 0) {
		ra_pen_put_int(pen, "priority", shape->priority);
	}
	if (is_known) {
		ra_pen_put_int(pen, "est. achieved occupancy %",
		               lround(facts.occupancy.achieved * 100.0));
	}
}

/* Draws the arguments that all launches of one shape on one device have in common. */
static void put_shape(struct ra_out_perfetto *perfetto, const struct ra_gpu_op *op, uint32_t device)
{
	struct ra_pen *pen = perfetto->pen;

	if (!pen->again(pen, ((uint64_t) device << 32 | (op->shape + 1)) << 1)) {
		put_fixed_shape(pen, &perfetto->model->gpu, op);
		pen->kept(pen);
	}
}

static uint64_t clamp(uint64_t value)
{
	return value <= INT64_MAX ? value : INT64_MAX;
}

static void put_bytes(struct ra_pen *pen, const struct ra_gpu_op *op)
{
	ra_pen_put_uint(pen, "bytes", clamp(op->bytes));
	if (op->dur_ns > 0) { /* bytes per ns are GB per s */
		ra_pen_put_real(pen, "memory bandwidth (GB/s)",
		                (double) op->bytes / (double) op->dur_ns, 9);
	}
}

/* Draws the range to which the operation belongs, and the rule that found the range. */
static void put_range(struct ra_out_perfetto *perfetto, const struct ra_gpu_op *op)
{
	if (op->slice != RA_NONE) {
		ra_pen_put_text(
			perfetto->pen, "range",
			ra_pen_name(perfetto->shown, perfetto->model->slices.name[op->slice]));
		ra_pen_put_text(perfetto->pen, "rule",
		                ra_pen_words(ra_gpu_rule_name((enum ra_gpu_rule) op->rule)));
	}
}

static void put_graph(struct ra_pen *pen, const struct ra_gpu_op *op)
{
	if (op->graph != 0) {
		ra_pen_put_uint(pen, "graph id", op->graph);
	}
	if (op->node != 0) {
		ra_pen_put_uint(pen, "graph node id", clamp(op->node));
	}
}

void ra_out_perfetto_gpu_args_put(struct ra_out_perfetto *perfetto, const struct ra_gpu_op *op)
{
	struct ra_pen *pen = perfetto->pen;
	const struct ra_gpu_queue *queue = &perfetto->model->gpu.queues[op->queue];

	ra_pen_put_uint(pen, "device", queue->device);
	ra_pen_put_uint(pen, "context", queue->context);
	ra_pen_put_uint(pen, "stream", queue->stream);
	ra_pen_put_uint(pen, "correlation", op->corr);
	if (op->kind == RA_GPU_KERNEL) {
		ra_pen_put_uint(pen, "queued", (uint64_t) op->queued_ns);
		if (op->shape < perfetto->model->gpu.shape_count) {
			put_shape(perfetto, op, queue->device);
		}
	} else if (op->kind != RA_GPU_GRAPH) {
		/* the number that CUPTI has for copies between two devices */
		if (op->copy_kind == 10) {
			ra_pen_put_uint(pen, "fromDevice", op->src_memory);
			ra_pen_put_uint(pen, "inDevice", queue->device);
			ra_pen_put_uint(pen, "toDevice", op->peer);
		}
		put_bytes(pen, op);
	}
	put_graph(pen, op);
	put_range(perfetto, op);
}
