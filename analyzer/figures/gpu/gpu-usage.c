/* SPDX-License-Identifier: MIT */
#include "analyzer/figures/gpu/gpu-usage.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/util.h"
#include "format/error.h"

static int compare_usages(const void *a, const void *b)
{
	const struct ra_gpu_usage *left = a;
	const struct ra_gpu_usage *right = b;

	return (left->device > right->device) - (left->device < right->device);
}

/* There are few devices. */
static struct ra_gpu_usage *find_usage(struct ra_gpu_usages *usages, size_t *capacity,
                                       int64_t device)
{
	for (size_t i = 0; i < usages->count; i++) {
		if (usages->rows[i].device == device) {
			return &usages->rows[i];
		}
	}
	if (ra_util_grow(&usages->rows, capacity, usages->count + 1, sizeof(*usages->rows)) != 0) {
		return NULL;
	}
	usages->rows[usages->count] =
		(struct ra_gpu_usage){ .device = device, .efficiency = NAN, .occupancy = NAN };
	return &usages->rows[usages->count++];
}

/* The mean of kernels' occupancy, weighted with the part of their duration in the window. */
static void weigh_occupancy(struct ra_gpu_usage *usage, const struct ra_gpu_usage_kernel *kernels,
                            size_t count, const struct ra_stretch *window)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		const struct ra_gpu_usage_kernel *kernel = &kernels[i];
		const double start = kernel->start > window->start ? kernel->start : window->start;
		const double end = kernel->end < window->end ? kernel->end : window->end;

		if (kernel->device != usage->device || start >= end) {
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

static int weigh_blocks(struct ra_gpu_usage *usage, const struct ra_stretches *kernels,
                        const struct ra_stretches *window)
{
	const struct ra_stretch *bounds = window->rows;
	struct ra_stretches inside = { 0 };
	int rc = ra_stretches_sum_values(&usage->blocks, kernels);

	if (rc == 0) {
		rc = ra_stretches_intersect(&inside, &usage->blocks, window);
	}
	if (rc == 0 && inside.count > 0) {
		double sum = 0;

		for (size_t i = 0; i < inside.count; i++) {
			sum += inside.rows[i].value * (inside.rows[i].end - inside.rows[i].start);
		}
		usage->efficiency = sum / (bounds->end - bounds->start);
	}
	ra_stretches_fini(&inside);
	return rc;
}

static int fill_usage(struct ra_gpu_usage *usage, const struct ra_gpu_usage_kernel *kernels,
                      size_t count, const struct ra_stretches *window)
{
	const struct ra_stretch *bounds = window->rows;
	struct ra_stretches blocks = { 0 };
	struct ra_stretches inside = { 0 };
	int rc = 0;

	for (size_t i = 0; i < count && rc == 0; i++) {
		if (kernels[i].device != usage->device) {
			continue;
		}
		rc = ra_stretches_add(&usage->busy, kernels[i].start, kernels[i].end, 0);
		if (rc == 0 && kernels[i].blocks > 0) {
			rc = ra_stretches_add(&blocks, kernels[i].start, kernels[i].end,
			                      kernels[i].blocks);
		}
	}
	ra_stretches_merge(&usage->busy);
	if (rc == 0) {
		rc = ra_stretches_intersect(&inside, &usage->busy, window);
	}
	if (rc == 0) {
		usage->utilization =
			bounds->end > bounds->start
				? ra_stretches_sum(&inside) / (bounds->end - bounds->start)
				: NAN;
		rc = weigh_blocks(usage, &blocks, window);
	}
	weigh_occupancy(usage, kernels, count, bounds);
	ra_stretches_fini(&blocks);
	ra_stretches_fini(&inside);
	return rc;
}

int ra_gpu_usage_init(struct ra_gpu_usages *usages, const struct ra_gpu_usage_kernel *kernels,
                      size_t count, double window_start, double window_end)
{
	struct ra_stretch bounds = { window_start, window_end, 0 };
	const struct ra_stretches window = { &bounds, 1, 1 };
	size_t capacity = 0;
	int rc = 0;

	*usages = (struct ra_gpu_usages){ 0 };
	for (size_t i = 0; i < count; i++) {
		if (find_usage(usages, &capacity, kernels[i].device) == NULL) {
			return -RLOG_E_NO_MEMORY;
		}
	}
	if (usages->count > 1) {
		qsort(usages->rows, usages->count, sizeof(*usages->rows), compare_usages);
	}
	for (size_t i = 0; i < usages->count && rc == 0; i++) {
		rc = fill_usage(&usages->rows[i], kernels, count, &window);
	}
	return rc;
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
