/* SPDX-License-Identifier: MIT */
/* The arguments of GPU operations in Perfetto JSON, named as Kineto names them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/timeline/out-perfetto-gpu.h"

static void put_number(struct ra_outbuf *out, const char *key, uint64_t value)
{
	ra_outbuf_text(out, key);
	ra_outbuf_put_decimal(out, value);
}

static void format_shape(const struct ra_gpu *gpu, const struct ra_gpu_op *op,
                         struct ra_out_perfetto_gpu_shape *kept)
{
	const struct ra_gpu_shape *shape = &gpu->shapes[op->shape];
	struct ra_gpu_metrics_shape facts;
	const bool is_known = ra_gpu_metrics_find_shape(gpu, op, &facts);
	const size_t size = sizeof(kept->text);
	int length = snprintf(kept->text, size,
	                      ",\"registers per thread\":%" PRIu32 ",\"shared memory\":%" PRIu64,
	                      shape->registers,
	                      (uint64_t) shape->static_shared_bytes + shape->dynamic_shared_bytes);

	if (is_known) {
		const double blocks = (double) facts.blocks / facts.multiprocessors;

		length += snprintf(kept->text + length, size - (size_t) length,
		                   ",\"blocks per SM\":%.9g,\"warps per SM\":%.9g", blocks,
		                   blocks * facts.occupancy.warps_per_block);
	}
	length += snprintf(kept->text + length, size - (size_t) length,
	                   ",\"grid\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],\"block\":[%" PRIu32
	                   ",%" PRIu32 ",%" PRIu32 "]",
	                   shape->grid[0], shape->grid[1], shape->grid[2], shape->block[0],
	                   shape->block[1], shape->block[2]);
	if (shape->cluster[0] > 1 || shape->cluster[1] > 1 || shape->cluster[2] > 1) {
		length += snprintf(kept->text + length, size - (size_t) length,
		                   ",\"cluster\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]",
		                   shape->cluster[0], shape->cluster[1], shape->cluster[2]);
	}
	if (shape->launch_type != 0) {
		length +=
			snprintf(kept->text + length, size - (size_t) length,
		                 ",\"launch type\":\"%s\"", ra_gpu_launch_name(shape->launch_type));
	}
	if (shape->priority != 0) {
		length += snprintf(kept->text + length, size - (size_t) length,
		                   ",\"priority\":%" PRId32, shape->priority);
	}
	if (is_known) {
		length += snprintf(kept->text + length, size - (size_t) length,
		                   ",\"est. achieved occupancy %%\":%ld",
		                   lround(facts.occupancy.achieved * 100.0));
	}
	kept->length = (uint32_t) length;
}

static void put_shape(struct ra_out_perfetto *perfetto, struct ra_out_perfetto_gpu *gpu,
                      const struct ra_gpu_op *op, uint32_t device)
{
	const struct ra_gpu *facts = &perfetto->model->gpu;
	struct ra_out_perfetto_gpu_shape *kept =
		&gpu->shapes[op->shape % RA_OUT_PERFETTO_GPU_SHAPES];

	if (kept->shape != op->shape + 1 || kept->device != device) {
		kept->shape = op->shape + 1;
		kept->device = device;
		format_shape(facts, op, kept);
	}
	ra_outbuf_put(perfetto->out, kept->text, kept->length);
}

static void put_bytes(struct ra_outbuf *out, const struct ra_gpu_op *op)
{
	put_number(out, ",\"bytes\":", op->bytes <= INT64_MAX ? op->bytes : INT64_MAX);
	if (op->dur_ns > 0) { /* bytes per ns are GB per s */
		ra_outbuf_printf(out, ",\"memory bandwidth (GB/s)\":%.9g",
		                 (double) op->bytes / (double) op->dur_ns);
	}
}

/* Which range it belongs to, and how that was found. */
static void put_range(struct ra_out_perfetto *perfetto, const struct ra_gpu_op *op)
{
	struct ra_outbuf *out = perfetto->out;

	if (op->slice != RA_NONE) {
		const struct ra_out_perfetto_text name = ra_out_perfetto_range_name(
			perfetto, perfetto->model->slices.name[op->slice]);

		ra_outbuf_text(out, ",\"range\":\"");
		ra_outbuf_put(out, name.bytes, name.length);
		ra_outbuf_text(out, "\",\"rule\":\"");
		ra_outbuf_text(out, ra_gpu_rule_name((enum ra_gpu_rule) op->rule));
		ra_outbuf_put(out, "\"", 1);
	}
}

static void put_graph(struct ra_outbuf *out, const struct ra_gpu_op *op)
{
	if (op->graph != 0) {
		put_number(out, ",\"graph id\":", op->graph);
	}
	if (op->node != 0) {
		put_number(out,
		           ",\"graph node id\":", op->node <= INT64_MAX ? op->node : INT64_MAX);
	}
}

void ra_out_perfetto_gpu_args_put(struct ra_out_perfetto *perfetto, struct ra_out_perfetto_gpu *gpu,
                                  const struct ra_gpu_op *op)
{
	struct ra_outbuf *out = perfetto->out;
	const struct ra_gpu_queue *queue = &perfetto->model->gpu.queues[op->queue];

	put_number(out, "{\"device\":", queue->device);
	put_number(out, ",\"context\":", queue->context);
	put_number(out, ",\"stream\":", queue->stream);
	put_number(out, ",\"correlation\":", op->corr);
	if (op->kind == RA_GPU_KERNEL) {
		put_number(out, ",\"queued\":", op->queued_ns);
		if (op->shape < perfetto->model->gpu.shape_count) {
			put_shape(perfetto, gpu, op, queue->device);
		}
	} else if (op->kind != RA_GPU_GRAPH) {
		if (op->copy_kind == 10) { /* between devices */
			put_number(out, ",\"fromDevice\":", op->src_memory);
			put_number(out, ",\"inDevice\":", queue->device);
			put_number(out, ",\"toDevice\":", op->peer);
		}
		put_bytes(out, op);
	}
	put_graph(out, op);
	put_range(perfetto, op);
	ra_outbuf_put(out, "}", 1);
}
