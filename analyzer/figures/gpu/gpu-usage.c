/* SPDX-License-Identifier: MIT */
/* Measures how much of each GPU the kernels used within a window of time. */
#include "analyzer/figures/gpu/gpu-usage.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

/* The sums of a device while its kernels come one after another. */
struct measuring {
	struct ra_gpu_usage *usage;
	const struct ra_stretch *window;
	bool keeps;
	struct ra_stretches blocks; /* of kernels whose number of blocks is known */
	struct ra_stretch open;     /* union of kernels that overlap; may still grow */
	double busy;                /* time in the window in which a kernel ran, without `open` */
	double occupancy;           /* sum of occupancy × duration */
};

static double measure_in(const struct ra_stretch *stretch, const struct ra_stretch *window)
{
	const double start = stretch->start > window->start ? stretch->start : window->start;
	const double end = stretch->end < window->end ? stretch->end : window->end;

	return end > start ? end - start : 0;
}

/* Adds a kernel to sums that are weighted by the part of its duration in the window. */
static void weigh_kernel(struct measuring *measuring, const struct ra_gpu_usage_kernel *kernel)
{
	struct ra_gpu_usage *usage = measuring->usage;
	const struct ra_stretch stretch = { kernel->start, kernel->end, 0 };
	const double time = measure_in(&stretch, measuring->window);

	if (time <= 0) {
		return;
	}
	usage->kernel_time += time;
	usage->blocks_time += kernel->blocks >= 0 ? time : 0;
	if (kernel->occupancy >= 0) {
		measuring->occupancy += kernel->occupancy * time;
		usage->occupancy_time += time;
	}
}

static void add_kernel(struct measuring *measuring, const struct ra_gpu_usage_kernel *kernel)
{
	struct ra_stretch *open = &measuring->open;

	if (measuring->keeps) {
		ra_stretches_join(&measuring->usage->busy, kernel->start, kernel->end);
	}
	if (kernel->start > open->end) {
		measuring->busy += measure_in(open, measuring->window);
		*open = (struct ra_stretch){ kernel->start, kernel->end, 0 };
	} else {
		open->end = kernel->end > open->end ? kernel->end : open->end;
	}
	if (kernel->blocks > 0) {
		ra_stretches_add(&measuring->blocks, kernel->start, kernel->end, kernel->blocks);
	}
	weigh_kernel(measuring, kernel);
}

static void weigh_blocks(struct ra_gpu_usage *usage, struct ra_stretches *kernels,
                         const struct ra_stretch *window, bool keeps)
{
	struct ra_stretch bounds = *window;
	const struct ra_stretches windows = { .rows = &bounds, .count = 1 };
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

		if (ra_stretches_find_common(&one, &windows, &i, &k, &inside)) {
			sum += inside.value * (inside.end - inside.start);
			is_inside = true;
		}
		if (keeps) {
			ra_stretches_add(&usage->blocks, piece.start, piece.end, piece.value);
		}
	}
	ra_stretches_sums_fini(&sums);
	if (is_inside) {
		usage->efficiency = sum / (window->end - window->start);
	}
}

/* Begins a device. @left: number of kernels that may still come. */
static void begin_usage(struct measuring *measuring, struct ra_gpu_usage *usage, size_t left)
{
	*usage = (struct ra_gpu_usage){ .efficiency = NAN };
	measuring->usage = usage;
	measuring->open = (struct ra_stretch){ .start = 0, .end = -HUGE_VAL };
	measuring->busy = 0;
	measuring->occupancy = 0;
	/* Allocated at once for all kernels: pages that are never written take no memory. */
	measuring->blocks.capacity = left;
	ra_util_resize(&measuring->blocks.rows, left, sizeof(*measuring->blocks.rows));
}

static void end_usage(struct measuring *measuring)
{
	const struct ra_stretch *window = measuring->window;
	struct ra_gpu_usage *usage = measuring->usage;
	const double busy = measuring->busy + measure_in(&measuring->open, window);

	ra_stretches_merge(&usage->busy);
	usage->utilization =
		window->end > window->start ? busy / (window->end - window->start) : NAN;
	usage->occupancy =
		usage->occupancy_time > 0 ? measuring->occupancy / usage->occupancy_time : NAN;
	weigh_blocks(usage, &measuring->blocks, window, measuring->keeps);
	ra_stretches_fini(&measuring->blocks);
}

void ra_gpu_usage_init(struct ra_gpu_usages *usages, const struct ra_gpu_usage_kernels *kernels,
                       const struct ra_stretch *window, bool keeps)
{
	struct measuring measuring = { .window = window, .keeps = keeps };
	size_t capacity = 0;

	*usages = (struct ra_gpu_usages){ 0 };
	for (size_t i = 0; i < kernels->count; i++) {
		struct ra_gpu_usage_kernel kernel;

		kernels->find(kernels->context, kernels->order[i], &kernel);
		if (i == 0 || measuring.usage->device != kernel.device) {
			if (i > 0) {
				end_usage(&measuring);
			}
			ra_util_grow(&usages->rows, &capacity, usages->count + 1,
			             sizeof(*usages->rows));
			begin_usage(&measuring, &usages->rows[usages->count++], kernels->count - i);
			measuring.usage->device = kernel.device;
		}
		add_kernel(&measuring, &kernel);
	}
	if (kernels->count > 0) {
		end_usage(&measuring);
	}
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
