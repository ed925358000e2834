/* SPDX-License-Identifier: MIT */
/* Compares the occupancy in a JSON trace with what the trace should have stated. */
#include "analyzer/figures/trace-occupancy.h"

#include <math.h>

#include "analyzer/model/model-rows.h"
#include "analyzer/model/gpu/occupancy.h"

struct sums {
	double stated; /* sum of per cent × ns */
	double optin;
	int64_t stated_ns;
	int64_t optin_ns;
	int64_t above_ns;
	int64_t all_ns;
};

static void add_kernel(struct ra_trace_occupancy *out, struct sums *sums,
                       const struct ra_model *model, size_t i)
{
	const struct ra_gpu_op *op = &model->gpu.ops[i];
	const struct ra_gpu_device *device =
		ra_gpu_find_device(&model->gpu, model->gpu.queues[op->queue].device);
	struct ra_occupancy_launch launch;
	const struct ra_gpu_shape *shape;
	double arg;

	sums->all_ns += op->dur_ns;
	if (!ra_kineto_get_real(model->kineto, ra_model_rows_find_op(model, i),
	                        RA_KINETO_ARG_OCCUPANCY, &arg)) {
		arg = NAN;
	} else {
		out->stated++;
		sums->stated += arg * (double) op->dur_ns;
		sums->stated_ns += op->dur_ns;
	}
	if (device == NULL || op->shape == RA_NONE) {
		return;
	}
	shape = &model->gpu.shapes[op->shape];
	launch = (struct ra_occupancy_launch){
		.blocks = (int64_t) shape->grid[0] * shape->grid[1] * shape->grid[2],
		.block_threads = (int32_t) (shape->block[0] * shape->block[1] * shape->block[2]),
		.registers_per_thread = (int32_t) shape->registers,
		.static_shared_bytes = shape->static_shared_bytes,
		.dynamic_shared_bytes = shape->dynamic_shared_bytes,
		.is_optin = true,
	};
	if (device->limits.shared_per_block_bytes > 0 &&
	    launch.static_shared_bytes + launch.dynamic_shared_bytes >
	            device->limits.shared_per_block_bytes) {
		out->above++;
		sums->above_ns += op->dur_ns;
	}
	out->limited++;
	if (isnan(arg)) {
		return;
	}
	out->equal += ra_occupancy_kineto_pct(&device->limits, &launch) == (int32_t) arg;
	sums->optin +=
		(double) ra_occupancy_rounded_pct(&device->limits, &launch) * (double) op->dur_ns;
	sums->optin_ns += op->dur_ns;
}

void ra_trace_occupancy_compute(struct ra_trace_occupancy *out, const struct ra_model *model)
{
	struct sums sums = { 0 };

	*out = (struct ra_trace_occupancy){ 0 };
	for (size_t i = 0; i < model->gpu.op_count; i++) {
		if (model->gpu.ops[i].kind == RA_GPU_KERNEL) {
			add_kernel(out, &sums, model, i);
		}
	}
	if (sums.stated_ns > 0) {
		out->stated_pct = sums.stated / (double) sums.stated_ns;
	}
	if (sums.optin_ns > 0) {
		out->optin_pct = sums.optin / (double) sums.optin_ns;
	}
	if (sums.all_ns > 0) {
		out->above_time_pct = 100.0 * (double) sums.above_ns / (double) sums.all_ns;
	}
}
