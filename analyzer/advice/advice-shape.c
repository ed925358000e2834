/* SPDX-License-Identifier: MIT */
/* Computes how well kernels fill the device: blocks per multiprocessor, and warps per possible
 * warp. */
#include "analyzer/advice/advice.h"

#include <math.h>

#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-metrics.h"

#define LOW_OCCUPANCY 0.25
/* in a shorter kernel, more blocks gain nothing: it mostly starts and ends */
#define SHORT_NS 10000

struct fill {
	struct ra_advice *advice;
	struct ra_advice_evidence few;
	struct ra_advice_evidence low;
	double unfilled_ns; /* part of the multiprocessors that have no block × ns, summed over all
	                       kernels … */
	double lost_ns;     /* … and over the kernels that are not short */
	double shaped_ns;   /* total time of the kernels whose blocks per multiprocessor are
	                       known */
	int64_t all_ns;     /* total time of all kernels and copies: more than the busy time if they
	                       overlap */
	uint32_t limiters;  /* what limits the warps of the longest kernel with few warps */
	struct ra_gpu_metrics_shape lowest;
	int64_t fewest; /* blocks of the kernel that loses most time … */
	int64_t units;  /* … and the multiprocessors of its device; 0: not known, then … */
	double blocks;  /* … this is its number of blocks per multiprocessor */
};

/* Finds the number of multiprocessors. Some traces have this number without the other limits of a
 * device. */
static int64_t find_multiprocessors(const struct ra_gpu *gpu, const struct ra_gpu_op *op)
{
	const struct ra_gpu_device *device = ra_gpu_find_device(gpu, gpu->queues[op->queue].device);

	return device == NULL || op->shape == RA_NONE ? 0 : device->limits.multiprocessors;
}

static int64_t count_blocks(const struct ra_gpu_shape *shape)
{
	const double blocks = (double) shape->grid[0] * shape->grid[1] * shape->grid[2];

	return blocks < 1e15 ? (int64_t) blocks : INT64_C(1000000000000000);
}

static void note_few(struct fill *fill, const struct ra_gpu_op *op, struct ra_advice_event event)
{
	const struct ra_model *model = fill->advice->model;
	const int64_t units = find_multiprocessors(&model->gpu, op);
	const int64_t fewest = units > 0 ? count_blocks(&model->gpu.shapes[op->shape]) : 0;
	const double blocks =
		units > 0 ? (double) fewest / (double) units
			  : ra_gpu_metrics_find_load(model, (size_t) (op - model->gpu.ops)).blocks;
	const double lost_ns = (double) event.dur_ns * (1 - blocks);

	if (isnan(blocks)) {
		return;
	}
	fill->shaped_ns += (double) event.dur_ns;
	fill->unfilled_ns += blocks > 0 && lost_ns > 0 ? lost_ns : 0;
	if (blocks <= 0 || blocks >= 1 || op->dur_ns < SHORT_NS) {
		return;
	}
	fill->lost_ns += lost_ns;
	event.dur_ns = (int64_t) lost_ns;
	if (event.dur_ns > fill->few.longest.dur_ns) {
		fill->fewest = fewest;
		fill->units = units;
		fill->blocks = blocks;
	}
	ra_advice_note(&fill->few, &event);
}

/* True of kernels that hide memory latency by many warps. Matrix kernels hide it in another way. */
static void note_low(struct fill *fill, const struct ra_gpu_op *op,
                     const struct ra_advice_event *event, const struct ra_kernel_class *class)
{
	struct ra_gpu_metrics_shape shape;

	if (ra_kernel_kinds_is_matrix(class->kind) || class->matrix_unit != NULL ||
	    !ra_gpu_metrics_find_shape(&fill->advice->model->gpu, op, &shape) ||
	    shape.occupancy.active_blocks < 1 || shape.occupancy.theoretical >= LOW_OCCUPANCY ||
	    shape.blocks < shape.multiprocessors) {
		return;
	}
	if (event->dur_ns > fill->low.longest.dur_ns) {
		fill->lowest = shape;
	}
	ra_advice_note(&fill->low, event);
}

static void note_all(struct fill *fill)
{
	struct ra_advice *advice = fill->advice;
	const struct ra_gpu *gpu = &advice->model->gpu;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const int64_t dur_ns = ra_advice_clip(advice, op->start_ns, op->dur_ns);
		struct ra_advice_event event;
		struct ra_kernel_class class;

		if (dur_ns > 0) {
			fill->all_ns = ra_util_add_time(fill->all_ns, dur_ns);
		}
		if (dur_ns <= 0 || op->kind != RA_GPU_KERNEL) {
			continue;
		}
		ra_advice_classify(advice, op, &class);
		if (class.kind == RA_KERNEL_COMMUNICATION) {
			continue;
		}
		event = ra_advice_read_op(advice, op);
		note_few(fill, op, event);
		note_low(fill, op, &event, &class);
	}
}

/* Reports kernels that fill the device badly. Kernels that run side by side fill a device together,
 * so each kernel's time is multiplied by the device's busy time / the sum of all durations. */
static void tell_few(struct fill *fill)
{
	const double alone = (double) fill->advice->busy_ns / (double) fill->all_ns;
	struct ra_util_text detail = { 0 };

	ra_util_text_format(
		&detail,
		"est. SM efficiency of all kernels is %.1f%%; the kernel that loses most has ",
		100 * (1 - fill->unfilled_ns / fill->shaped_ns));
	if (fill->units > 0) {
		ra_util_text_format(&detail, "%lld block%s for %lld ", (long long) fill->fewest,
		                    fill->fewest == 1 ? "" : "s", (long long) fill->units);
		ra_advice_put_words(&detail, "multiprocessors", fill->advice->is_hip);
	} else {
		ra_util_text_format(&detail, "%.2f blocks per multiprocessor", fill->blocks);
	}
	ra_advice_add(fill->advice, RA_ADVICE_FEW_BLOCKS,
	              ra_advice_ns(fill->lost_ns * (alone < 1 ? alone : 1)), &fill->few, &detail);
	ra_util_text_free(&detail);
}

static void tell_low(struct fill *fill)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} limits[] = { { RA_OCCUPANCY_REGISTERS, "registers" },
		       { RA_OCCUPANCY_SHARED, "shared memory" },
		       { RA_OCCUPANCY_WARPS, "block size" },
		       { RA_OCCUPANCY_BLOCKS, "blocks" } };
	const struct ra_occupancy *occupancy = &fill->lowest.occupancy;
	const char *limit = "block size";
	struct ra_util_text detail = { 0 };

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		if ((occupancy->limiters & limits[i].bit) != 0) {
			limit = limits[i].name;
			break;
		}
	}
	ra_util_text_format(&detail, "%s limits the longest one to %.0f%% of the warps", limit,
	                    100 * occupancy->theoretical);
	ra_advice_add(fill->advice, RA_ADVICE_OCCUPANCY,
	              ra_advice_gpu_time(fill->advice, fill->low.total_ns) / 2, &fill->low,
	              &detail);
	ra_util_text_free(&detail);
}

void ra_advice_shape_apply(struct ra_advice *advice)
{
	struct fill fill = { .advice = advice };

	note_all(&fill);
	if (fill.few.count > 0) {
		tell_few(&fill);
	}
	if (fill.low.count > 0) {
		tell_low(&fill);
	}
	ra_advice_evidence_fini(&fill.few);
	ra_advice_evidence_fini(&fill.low);
}
