/* SPDX-License-Identifier: MIT */
/* Sums what a rank's GPUs did, over all its devices: computing, communicating, moving memory. */
#include "analyzer/figures/rank-gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"

enum ra_rank_kind ra_rank_gpu_kind(const struct ra_gpu_op *op)
{
	if (op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET) {
		return RA_RANK_MEMORY;
	}
	return op->is_collective ? RA_RANK_COMMUNICATION : RA_RANK_COMPUTATION;
}

const char *ra_rank_gpu_kind_name(unsigned kinds)
{
	static const char *const names[RA_RANK_KINDS] = {
		"none",
		"computation",
		"communication",
		"computation, communication",
		"memory",
		"computation, memory",
		"communication, memory",
		"computation, communication, memory",
	};

	return names[kinds % RA_RANK_KINDS];
}

/* The start or end of an operation. */
struct border {
	int64_t at_ns;
	int32_t change; /* 1, -1 */
	uint32_t bit;   /* index of its kind */
	uint32_t device;
};

static int compare_borders(const void *a, const void *b)
{
	const struct border *left = a;
	const struct border *right = b;

	return RA_ORDER_UP(left, right, at_ns);
}

static int compare_devices(const void *a, const void *b)
{
	const struct border *left = a;
	const struct border *right = b;

	return RA_ORDER_THEN(RA_ORDER_UP(left, right, device), RA_ORDER_UP(left, right, at_ns));
}

static uint32_t place_of(enum ra_rank_kind kind)
{
	return kind == RA_RANK_COMPUTATION ? 0 : kind == RA_RANK_COMMUNICATION ? 1 : 2;
}

/* Sums time by the kinds that run. When each device is summed alone, the starts and ends of its
 * operations come together, and no operation of the device is running after the last of them. */
static void sweep(int64_t *exactly_ns, const struct border *borders, size_t count, bool by_device)
{
	int64_t running[3] = { 0 };

	for (size_t i = 0; i + 1 < count; i++) {
		unsigned kinds = 0;

		running[borders[i].bit] += borders[i].change;
		for (unsigned b = 0; b < 3; b++) {
			kinds |= (unsigned) (running[b] > 0) << b;
		}
		if (!by_device || borders[i + 1].device == borders[i].device) {
			exactly_ns[kinds] = ra_util_add_time(
				exactly_ns[kinds], borders[i + 1].at_ns - borders[i].at_ns);
		}
	}
}

void ra_rank_gpu_sum(struct ra_rank_gpu *out, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;
	const size_t count = 2 * gpu->op_count;
	struct border *borders;

	*out = (struct ra_rank_gpu){ 0 };
	if (gpu->op_count == 0) {
		return;
	}
	borders = ra_alloc_zeros(count, sizeof(*borders));
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const uint32_t bit = place_of(ra_rank_gpu_kind(op));
		const uint32_t device = gpu->queues[op->queue].device;

		borders[2 * i] = (struct border){ op->start_ns, 1, bit, device };
		borders[2 * i + 1] = (struct border){ ra_util_add_time(op->start_ns, op->dur_ns),
			                              -1, bit, device };
	}
	RA_RUN_SORT(borders, count, compare_borders);
	sweep(out->exactly_ns, borders, count, false);
	/* With windows, all of the steps' time is in the sum. */
	out->span_ns = model->window_count > 0 ? model->end_ns
	                                       : borders[count - 1].at_ns - borders[0].at_ns;
	RA_RUN_SORT(borders, count, compare_devices);
	sweep(out->device_ns, borders, count, true);
	free(borders);
}

int64_t ra_rank_gpu_time(const int64_t exactly_ns[RA_RANK_KINDS], unsigned kinds)
{
	int64_t sum_ns = 0;

	for (unsigned k = 1; k < RA_RANK_KINDS; k++) {
		sum_ns = ra_util_add_time(sum_ns, (k & kinds) == kinds ? exactly_ns[k] : 0);
	}
	return sum_ns;
}

int64_t ra_rank_gpu_exposed(const int64_t exactly_ns[RA_RANK_KINDS])
{
	return ra_rank_gpu_time(exactly_ns, RA_RANK_COMMUNICATION) -
	       ra_rank_gpu_time(exactly_ns, RA_RANK_COMMUNICATION | RA_RANK_COMPUTATION);
}

static int compare_ups_first(const void *a, const void *b)
{
	const struct ra_rank_step *left = a;
	const struct ra_rank_step *right = b;

	return RA_ORDER_THEN(RA_ORDER_UP(left, right, at_ns), RA_ORDER_DOWN(left, right, change));
}

static int compare_downs_first(const void *a, const void *b)
{
	const struct ra_rank_step *left = a;
	const struct ra_rank_step *right = b;

	return RA_ORDER_THEN(RA_ORDER_UP(left, right, at_ns), RA_ORDER_UP(left, right, change));
}

void ra_rank_gpu_describe(struct ra_describe *out, double *mean, struct ra_rank_step *steps,
                          size_t count, double above)
{
	double *values = ra_alloc_zeros(count + 1, sizeof(*values));
	size_t value_count = 0;
	size_t active = 0;
	double sum = 0;
	double area = 0;

	RA_SORT(steps, count, above < 0 ? compare_ups_first : compare_downs_first);
	for (size_t i = 0; i < count; i++) {
		active += steps[i].change > 0 ? 1 : (size_t) -1;
		/* The sum is 0 where nothing runs; this drops the rounding error of the doubles. */
		sum = active == 0 ? 0 : sum + steps[i].change;
		if (sum > above) {
			values[value_count++] = sum;
		}
		if (i + 1 < count) {
			area += sum * (double) (steps[i + 1].at_ns - steps[i].at_ns);
		}
	}
	*mean = count > 1 && steps[count - 1].at_ns > steps[0].at_ns
	                ? area / (double) (steps[count - 1].at_ns - steps[0].at_ns)
	                : NAN;
	ra_describe_values(out, values, value_count);
	free(values);
}
