/* SPDX-License-Identifier: MIT */
/* Sweeps over starts and ends of a device's operations. Series have a value for each step of the
 * sum or for each stretch of time. */
#include "analyzer/figures/gpu/gpu-series.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/order/search.h"
#include "analyzer/figures/gpu/gpu-metrics.h"

/* The start (1) or end (-1) of an operation, which adds `amount` to a sum or subtracts it. */
struct step {
	int64_t time_ns;
	double amount;
	int32_t by;
};

struct walk {
	const struct ra_model *model;
	const struct ra_gpu_order *order;
	const struct ra_gpu_order_device *device;
	ra_gpu_series_put *put;
	void *context;
	struct ra_gpu_series series;
	struct step *steps; /* owned */
	size_t step_count;
	double limit; /* the sum stops at this limit … */
	double scale; /* … and is then multiplied by this factor */
	/* For passing on values: */
	int64_t start_ns;
	int64_t end_ns;
	int64_t stretch_ns; /* 0: a value for each step is passed on */
	int64_t from_ns;    /* start of the current stretch */
	double sum;         /* of value × ns in the stretch */
	double most;
	double last; /* the value that was passed on last */
	bool has_last;
};

static int compare_steps(const void *left, const void *right)
{
	const struct step *a = left;
	const struct step *b = right;

	/* Compares all fields, because the order changes sums of real numbers. */
	return RA_ORDER_THEN(RA_ORDER_UP(a, b, time_ns), RA_ORDER_UP(a, b, amount));
}

/* Finds the shortest stretch of 1, 2 or 5 × 10^k ns that divides the time into at most `most`
 * parts. */
static int64_t choose_stretch(int64_t whole_ns, int64_t most)
{
	int64_t stretch_ns = 1;

	for (unsigned i = 0; whole_ns / stretch_ns >= most; i++) {
		stretch_ns = i % 3 == 1 ? stretch_ns / 2 * 5 : stretch_ns * 2;
	}
	return stretch_ns;
}

static void tell(struct walk *walk, int64_t time_ns, double value)
{
	if (!walk->has_last || value != walk->last) {
		walk->put(walk->context, &walk->series, time_ns, value);
		walk->last = value;
		walk->has_last = true;
	}
}

static int64_t find_stretch_end(const struct walk *walk)
{
	return walk->end_ns - walk->from_ns > walk->stretch_ns ? walk->from_ns + walk->stretch_ns
	                                                       : walk->end_ns;
}

/* Adds the value during a stretch of time. These stretches have no gaps from the start to the
 * end. */
static void add_value(struct walk *walk, int64_t from_ns, int64_t to_ns, double value)
{
	if (walk->stretch_ns == 0) {
		tell(walk, from_ns, value);
		return;
	}
	while (from_ns < to_ns) {
		const int64_t stretch_end_ns = find_stretch_end(walk);
		const int64_t until_ns = to_ns < stretch_end_ns ? to_ns : stretch_end_ns;

		walk->sum += value * (double) (until_ns - from_ns);
		walk->most = value > walk->most ? value : walk->most;
		from_ns = until_ns;
		if (until_ns == stretch_end_ns) {
			tell(walk, walk->from_ns,
			     walk->series.kind == RA_GPU_SERIES_QUEUE
			             ? walk->most
			             : walk->sum / (double) (until_ns - walk->from_ns));
			walk->from_ns = until_ns;
			walk->sum = 0.0;
			walk->most = 0.0;
		}
	}
}

static double find_value(const struct walk *walk, double amount)
{
	return (amount < walk->limit ? amount : walk->limit) * walk->scale;
}

static void sweep(struct walk *walk)
{
	const struct step *steps = walk->steps;
	const bool is_mean = walk->series.kind <= RA_GPU_SERIES_SM;
	int64_t at_ns;
	double amount = 0.0;
	int64_t running = 0;

	if (walk->step_count == 0) {
		return;
	}
	RA_RUN_SORT(walk->steps, walk->step_count, compare_steps);
	walk->start_ns = walk->order->start_ns;
	walk->end_ns = walk->order->end_ns;
	if (steps[0].time_ns < walk->start_ns) { /* the step is a launch */
		walk->start_ns = steps[0].time_ns;
	}
	walk->series.is_sampled = is_mean || walk->step_count > RA_GPU_SERIES_STEPS;
	walk->stretch_ns = 0;
	if (walk->series.is_sampled) {
		walk->stretch_ns =
			choose_stretch(walk->end_ns - walk->start_ns,
		                       is_mean ? RA_GPU_SERIES_MEANS : RA_GPU_SERIES_STEPS);
	}
	walk->from_ns = walk->start_ns;
	walk->sum = 0.0;
	walk->most = 0.0;
	walk->has_last = false;
	at_ns = walk->start_ns;
	for (size_t i = 0; i < walk->step_count;) {
		const int64_t time_ns = steps[i].time_ns;

		if (time_ns > at_ns) {
			add_value(walk, at_ns, time_ns, find_value(walk, amount));
			at_ns = time_ns;
		}
		for (; i < walk->step_count && steps[i].time_ns == time_ns; i++) {
			amount += steps[i].by * steps[i].amount;
			running += steps[i].by;
		}
		amount = running == 0 ? 0.0 : amount; /* drops the rounding error */
	}
	add_value(walk, at_ns, walk->end_ns, find_value(walk, amount));
	tell(walk, walk->end_ns, 0.0);
}

static void begin_series(struct walk *walk, enum ra_gpu_series_kind kind)
{
	walk->series = (struct ra_gpu_series){ .kind = kind };
	walk->step_count = 0;
	walk->limit = 1e300;
	walk->scale = 1.0;
}

static void add_steps(struct walk *walk, int64_t from_ns, int64_t to_ns, double amount)
{
	if (to_ns > from_ns) {
		walk->steps[walk->step_count++] = (struct step){ from_ns, amount, 1 };
		walk->steps[walk->step_count++] = (struct step){ to_ns, amount, -1 };
	}
}

/* Makes both series of means; the second needs the launches' shapes. */
static void walk_means(struct walk *walk)
{
	const struct ra_gpu_order_op *ops = walk->order->ops + walk->device->first;
	const struct ra_gpu *gpu = &walk->model->gpu;
	struct ra_gpu_metrics_shape shape;

	begin_series(walk, RA_GPU_SERIES_UTILIZATION);
	walk->limit = 1.0;
	walk->scale = 100.0;
	for (size_t i = 0; i < walk->device->count; i++) {
		add_steps(walk, ops[i].start_ns, ops[i].end_ns, 1.0);
	}
	sweep(walk);

	begin_series(walk, RA_GPU_SERIES_SM);
	for (size_t i = 0; i < walk->device->count; i++) {
		if (gpu->ops[ops[i].op].kind == RA_GPU_KERNEL &&
		    ra_gpu_metrics_find_shape(gpu, &gpu->ops[ops[i].op], &shape)) {
			walk->limit = shape.multiprocessors;
			walk->scale = 100.0 / shape.multiprocessors;
			/* A kernel with more blocks than multiprocessors still uses no more of
			 * them than there are. */
			add_steps(walk, ops[i].start_ns, ops[i].end_ns,
			          shape.blocks < shape.multiprocessors ? (double) shape.blocks
			                                               : walk->limit);
		}
	}
	sweep(walk);
}

/* Kinds of operations that share a series: sets, or copies of one kind. All kinds of copies of
 * CUPTI that are unknown here share one series. */
#define COPY_KINDS 12u
#define SETS       11u

static unsigned find_copy_kind(const struct ra_gpu_op *op)
{
	if (op->kind == RA_GPU_SET) {
		return SETS;
	}
	return op->copy_kind < SETS ? op->copy_kind : 0;
}

static bool is_copy(const struct ra_gpu_op *op)
{
	return op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET;
}

static void walk_copies(struct walk *walk)
{
	const struct ra_gpu_order_op *ops = walk->order->ops + walk->device->first;
	const struct ra_gpu *gpu = &walk->model->gpu;
	unsigned found = 0;

	for (size_t i = 0; i < walk->device->count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[ops[i].op];

		found |= is_copy(op) ? 1u << find_copy_kind(op) : 0;
	}
	for (unsigned kind = 0; kind < COPY_KINDS; kind++) {
		if ((found >> kind & 1) == 0) {
			continue;
		}
		begin_series(walk, RA_GPU_SERIES_COPY);
		walk->series.op_kind = kind == SETS ? RA_GPU_SET : RA_GPU_COPY;
		walk->series.copy_kind = (uint8_t) (kind == SETS ? 0 : kind);
		for (size_t i = 0; i < walk->device->count; i++) {
			const struct ra_gpu_op *op = &gpu->ops[ops[i].op];

			/* Bytes per ns are GB/s. */
			if (is_copy(op) && find_copy_kind(op) == kind && op->dur_ns > 0) {
				add_steps(walk, ops[i].start_ns, ops[i].end_ns,
				          (double) op->bytes / (double) op->dur_ns);
			}
		}
		sweep(walk);
	}
}

/* An operation is queued from the start of its call. It is left out if it has no call, or if clocks
 * disagree and it began before the call. So no queue length is negative. */
static void walk_queue(struct walk *walk, size_t index, bool has_contexts)
{
	const struct ra_gpu *gpu = &walk->model->gpu;
	const struct ra_gpu_queue *queue = &gpu->queues[index];

	begin_series(walk, RA_GPU_SERIES_QUEUE);
	walk->series.queue = (uint32_t) index;
	walk->series.has_contexts = has_contexts;
	for (size_t i = queue->first_op; i < queue->first_op + queue->op_count; i++) {
		if (gpu->ops[i].api != RA_NONE) {
			add_steps(walk, gpu->apis[gpu->ops[i].api].start_ns, gpu->ops[i].start_ns,
			          1.0);
		}
	}
	sweep(walk);
}

/* Finds the first queue of a device; queues are sorted by device. */
static size_t find_first_queue(const struct ra_gpu *gpu, uint32_t device)
{
	struct ra_search at = ra_search_in(0, gpu->queue_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, gpu->queues[at.middle].device < device);
	}
	return at.low;
}

void ra_gpu_series_walk(const struct ra_model *model, const struct ra_gpu_order *order,
                        size_t device, ra_gpu_series_put *put, void *context)
{
	struct walk walk = { .model = model,
		             .order = order,
		             .device = &order->devices[device],
		             .put = put,
		             .context = context };
	bool has_contexts = false;
	size_t first;
	size_t end;

	if (walk.device->count == 0) {
		return;
	}
	walk.steps = ra_alloc_zeros(2 * walk.device->count, sizeof(*walk.steps));
	walk_means(&walk);
	walk_copies(&walk);
	first = find_first_queue(&model->gpu, walk.device->id);
	for (end = first;
	     end < model->gpu.queue_count && model->gpu.queues[end].device == walk.device->id;
	     end++) {
		has_contexts |= model->gpu.queues[end].context != model->gpu.queues[first].context;
	}
	for (size_t q = first; q < end; q++) {
		walk_queue(&walk, q, has_contexts);
	}
	free(walk.steps);
}
