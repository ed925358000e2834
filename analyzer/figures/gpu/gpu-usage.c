/* SPDX-License-Identifier: MIT */
/* How well kernels used each GPU within a window of time. */
#include "analyzer/figures/gpu/gpu-usage.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order.h"
#include "analyzer/base/run-sort.h"
#include "analyzer/base/util.h"

static int compare_devices(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_gpu_usage_kernel *kernels = context;

	return RA_ORDER(kernels[left].device, kernels[right].device);
}

/* The kernels of one device, in order of time. */
struct kernels {
	const struct ra_gpu_usage_kernel *all;
	const uint32_t *indices;
	size_t count;
};

/* The mean of kernels' occupancy, weighted with the part of their duration in the window. */
static void weigh_occupancy(struct ra_gpu_usage *usage, const struct kernels *kernels,
                            const struct ra_stretch *window)
{
	double sum = 0;

	for (size_t i = 0; i < kernels->count; i++) {
		const struct ra_gpu_usage_kernel *kernel = &kernels->all[kernels->indices[i]];
		const double start = kernel->start > window->start ? kernel->start : window->start;
		const double end = kernel->end < window->end ? kernel->end : window->end;

		if (start >= end) {
			continue;
		}
		usage->kernel_time += end - start;
		usage->blocks_time += kernel->blocks >= 0 ? end - start : 0;
		if (kernel->occupancy >= 0) {
			sum += kernel->occupancy * (end - start);
			usage->occupancy_time += end - start;
		}
	}
	usage->occupancy = usage->occupancy_time > 0 ? sum / usage->occupancy_time : NAN;
}

static void weigh_blocks(struct ra_gpu_usage *usage, const struct ra_stretches *kernels,
                         const struct ra_stretches *window, bool keeps)
{
	const struct ra_stretch *bounds = window->rows;
	struct ra_stretches_sums sums;
	struct ra_stretch piece;
	bool is_inside = false;
	double sum = 0;

	ra_stretches_sums_init(&sums, kernels);
	while (ra_stretches_sums_next(&sums, &piece)) {
		const struct ra_stretches one = { .rows = &piece, .count = 1 };
		struct ra_stretch inside;
		size_t i = 0;
		size_t k = 0;

		if (ra_stretches_find_common(&one, window, &i, &k, &inside)) {
			sum += inside.value * (inside.end - inside.start);
			is_inside = true;
		}
		if (keeps) {
			ra_stretches_add(&usage->blocks, piece.start, piece.end, piece.value);
		}
	}
	ra_stretches_sums_fini(&sums);
	if (is_inside) {
		usage->efficiency = sum / (bounds->end - bounds->start);
	}
}

/* Kernels whose blocks are known. */
static void list_blocks(struct ra_stretches *blocks, const struct kernels *kernels)
{
	size_t count = 0;

	for (size_t i = 0; i < kernels->count; i++) {
		count += kernels->all[kernels->indices[i]].blocks > 0;
	}
	ra_util_resize(&blocks->rows, count + 1, sizeof(*blocks->rows));
	blocks->capacity = count + 1;
	for (size_t i = 0; i < kernels->count; i++) {
		const struct ra_gpu_usage_kernel *kernel = &kernels->all[kernels->indices[i]];

		if (kernel->blocks > 0) {
			ra_stretches_add(blocks, kernel->start, kernel->end, kernel->blocks);
		}
	}
}

static double measure_in(const struct ra_stretch *stretch, const struct ra_stretch *window)
{
	const double start = stretch->start > window->start ? stretch->start : window->start;
	const double end = stretch->end < window->end ? stretch->end : window->end;

	return end > start ? end - start : 0;
}

/* The time in the window with a kernel. */
static double measure_busy(const struct kernels *kernels, const struct ra_stretch *window)
{
	struct ra_stretch open = { .start = 0, .end = -HUGE_VAL };
	double sum = 0;

	for (size_t i = 0; i < kernels->count; i++) {
		const struct ra_gpu_usage_kernel *kernel = &kernels->all[kernels->indices[i]];

		if (kernel->start > open.end) {
			sum += measure_in(&open, window);
			open = (struct ra_stretch){ kernel->start, kernel->end, 0 };
		} else {
			open.end = kernel->end > open.end ? kernel->end : open.end;
		}
	}
	return sum + measure_in(&open, window);
}

static void fill_usage(struct ra_gpu_usage *usage, const struct kernels *kernels,
                       const struct ra_stretches *window, bool keeps)
{
	const struct ra_stretch *bounds = window->rows;
	struct ra_stretches blocks = { 0 };

	for (size_t i = 0; i < kernels->count && keeps; i++) {
		const struct ra_gpu_usage_kernel *kernel = &kernels->all[kernels->indices[i]];

		ra_stretches_join(&usage->busy, kernel->start, kernel->end);
	}
	ra_stretches_merge(&usage->busy);
	usage->utilization = bounds->end > bounds->start
	                             ? measure_busy(kernels, bounds) / (bounds->end - bounds->start)
	                             : NAN;
	list_blocks(&blocks, kernels);
	weigh_blocks(usage, &blocks, window, keeps);
	ra_stretches_fini(&blocks);
	weigh_occupancy(usage, kernels, bounds);
}

void ra_gpu_usage_init(struct ra_gpu_usages *usages, const struct ra_gpu_usage_kernel *kernels,
                       size_t count, struct ra_stretch window, bool keeps)
{
	const struct ra_stretches bounds = { .rows = &window, .count = 1 };
	uint32_t *order = ra_alloc_bytes(count * sizeof(*order) + 1);
	size_t capacity = 0;

	*usages = (struct ra_gpu_usages){ 0 };
	for (size_t i = 0; i < count; i++) {
		order[i] = (uint32_t) i;
	}
	ra_run_sort_indices(order, count, compare_devices, kernels);
	for (size_t i = 0; i < count;) {
		struct kernels own = { kernels, order + i, 0 };
		const int64_t device = kernels[order[i]].device;
		struct ra_gpu_usage *usage;

		for (; i < count && kernels[order[i]].device == device; i++) {
			own.count++;
		}
		ra_util_grow(&usages->rows, &capacity, usages->count + 1, sizeof(*usages->rows));
		usage = &usages->rows[usages->count++];
		*usage = (struct ra_gpu_usage){ .device = device,
			                        .efficiency = NAN,
			                        .occupancy = NAN };
		fill_usage(usage, &own, &bounds, keeps);
	}
	free(order);
}

void ra_gpu_usage_fini(struct ra_gpu_usages *usages)
{
	for (size_t i = 0; i < usages->count; i++) {
		ra_stretches_fini(&usages->rows[i].busy);
		ra_stretches_fini(&usages->rows[i].blocks);
	}
	free(usages->rows);
	*usages = (struct ra_gpu_usages){ 0 };
}
