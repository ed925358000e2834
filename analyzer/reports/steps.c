/* SPDX-License-Identifier: MIT */
/* The reports "overview", "step-average", "step-overlap" and "gpu": where the time of steps went.
 */
#include "analyzer/report/report-steps.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/reports/reports.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/figures/gpu/gpu-order.h"
#include "analyzer/figures/gpu/gpu-usage.h"
#include "analyzer/rows/kineto.h"

static struct ra_table_cell make_ns(double ns)
{
	return ra_table_make_number((int64_t) llround(ns));
}

static void note_steps(struct ra_report_input *input, const struct ra_report_steps *steps)
{
	ra_report_steps_note(input, steps);
	if (steps->steps.is_whole && steps->steps.times.step_count > 0) {
		ra_report_add_note(input,
		                   "Steps: no range is a step, so step 0 is the whole recording; "
		                   "--step-range NAME makes ranges of that name steps");
	}
}

/* The roles among which the time of a step is divided. */
#define ROLE_COLUMNS                                                          \
	{ "kernel_ns", "Kernel", RA_TABLE_TIME, "0" },                        \
		{ "memcpy_ns", "Memcpy", RA_TABLE_TIME, "0" },                \
		{ "memset_ns", "Memset", RA_TABLE_TIME, "0" },                \
		{ "communication_ns", "Communication", RA_TABLE_TIME, NULL }, \
		{ "runtime_ns", "Runtime", RA_TABLE_TIME, "0" },              \
		{ "dataloader_ns", "DataLoader", RA_TABLE_TIME, NULL },       \
		{ "cpu_exec_ns", "CPU Exec", RA_TABLE_TIME, NULL },           \
		{ "other_ns", "Other", RA_TABLE_TIME, NULL },                 \
	{                                                                     \
		"total_ns", "Total", RA_TABLE_TIME, NULL                      \
	}

static const struct ra_table_column overview_columns[1 + RA_ROLES] = {
	{ "step", "Step", RA_TABLE_COUNT, NULL },
	ROLE_COLUMNS,
};

static void put_costs(struct ra_table_cell *cells, const struct ra_step_cost *cost)
{
	for (size_t role = 0; role < RA_ROLES; role++) {
		cells[role] = make_ns(cost->role[role]);
	}
}

static void fill_overview(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_report_steps *steps = ra_report_steps_find(input);

	note_steps(input, steps);
	ra_report_add_note(input, "Overview: each instant counts once, for the first column from "
	                          "the left that applies");
	if (!steps->steps.is_whole && input->model->gpu.op_count > 0) {
		ra_report_add_note(
			input,
			"Total: from the end of the previous step's GPU work to the end of its "
			"own; the step's range, in ranges and search, is the CPU's part of it");
	}
	for (size_t i = 0; i < steps->steps.times.step_count; i++) {
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[0] = ra_report_steps_number(&steps->steps.times.steps[i]);
		put_costs(cells + 1, &steps->costs[i]);
	}
}

const struct ra_report ra_report_overview = {
	.name = "overview",
	.scope = RA_REPORT_OF_ALL,
	.title = "Overview",
	.summary = "where the time of each step went",
	.columns = overview_columns,
	.column_count = 1 + RA_ROLES,
	.fill = fill_overview,
	.none = "no ranges and no GPU work",
};

static void fill_average(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_report_steps *steps = ra_report_steps_find(input);

	note_steps(input, steps);
	if (steps->steps.times.step_count > 0) {
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[0] = ra_table_make_count(steps->steps.times.step_count);
		put_costs(cells + 1, &steps->mean);
	}
}

/* Columns of "step-average", which is a table of its own, so that sums over the steps count nothing
 * twice. */
static const struct ra_table_column average_columns[1 + RA_ROLES] = {
	{ "steps", "Steps", RA_TABLE_COUNT, NULL },
	ROLE_COLUMNS,
};

const struct ra_report ra_report_step_average = {
	.name = "step-average",
	.scope = RA_REPORT_OF_ALL,
	.title = "Average step",
	.summary = "the mean of the steps in overview",
	.more_of = "overview",
	.columns = average_columns,
	.column_count = 1 + RA_ROLES,
	.fill = fill_average,
	.none = "no ranges and no GPU work",
};

static const struct ra_table_column overlap_columns[] = {
	{ "step", "Step", RA_TABLE_COUNT, NULL },
	{ "computation_ns", "Computation", RA_TABLE_TIME, NULL },
	{ "communication_ns", "Communication", RA_TABLE_TIME, NULL },
	{ "overlap_ns", "Overlap", RA_TABLE_TIME, NULL },
	{ "other_ns", "Other", RA_TABLE_TIME, NULL },
};

static void fill_overlap(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_report_steps *steps = ra_report_steps_find(input);

	note_steps(input, steps);
	for (size_t i = 0; i < steps->steps.times.step_count; i++) {
		const struct ra_step_overlap *overlap = &steps->costs[i].overlap;
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[0] = ra_report_steps_number(&steps->steps.times.steps[i]);
		cells[1] = make_ns(overlap->computation);
		cells[2] = make_ns(overlap->communication);
		cells[3] = make_ns(overlap->overlap);
		cells[4] = make_ns(overlap->other);
	}
}

const struct ra_report ra_report_step_overlap = {
	.name = "step-overlap",
	.scope = RA_REPORT_OF_ALL,
	.title = "Computation and communication",
	.summary = "computation and communication of each step, and what both did at once",
	.more_of = "overview",
	.columns = overlap_columns,
	.column_count = sizeof(overlap_columns) / sizeof(overlap_columns[0]),
	.fill = fill_overlap,
	.none = "no ranges and no GPU work",
};

/* A device's operations. */
struct device_ops {
	const struct ra_model *model;
	const struct ra_gpu_order_op *ops;
	size_t count;
};

/* The share of a device's kernel time in kernels that use tensor cores, by their names; NaN: there
 * are no kernels. */
static double measure_tensor(const struct device_ops *device, const struct ra_steps *steps,
                             const bool *uses_tensor)
{
	double all = 0;
	double tensor = 0;

	for (size_t i = 0; i < device->count; i++) {
		const struct ra_gpu_op *op = &device->model->gpu.ops[device->ops[i].op];

		if (op->kind != RA_GPU_KERNEL || !ra_steps_holds(steps, op->start_ns)) {
			continue;
		}
		all += (double) op->dur_ns;
		if (uses_tensor[op->name]) {
			tensor += (double) op->dur_ns;
		}
	}
	return all > 0 ? tensor / all : NAN;
}

static const struct ra_table_column gpu_columns[] = {
	{ "device", "GPU", RA_TABLE_COUNT, NULL },
	{ "gpu_utilization", "Kernel util.", RA_TABLE_PART, NULL },
	{ "any_utilization", "Busy/window", RA_TABLE_PART, NULL },
	{ "est_sm_efficiency", "Est. SM eff.", RA_TABLE_PART, NULL },
	{ "est_achieved_occupancy", "Est. occupancy", RA_TABLE_PART, NULL },
	{ "tensor_core_time", "Tensor cores", RA_TABLE_PART, NULL },
	{ "window_ns", "Window", RA_TABLE_TIME, NULL },
};

static struct ra_table_cell make_real(double real)
{
	struct ra_table_cell cell = ra_table_make_real(real);

	cell.has_value = isfinite(real);
	return cell;
}

static double measure_in(const struct ra_stretch *stretch, const struct ra_stretch *window)
{
	const double start = stretch->start > window->start ? stretch->start : window->start;
	const double end = stretch->end < window->end ? stretch->end : window->end;

	return end > start ? end - start : 0;
}

/* The share of the window in which a device was busy. */
static double measure_any(const struct device_ops *device, const struct ra_stretch *window)
{
	const struct ra_gpu_order_op *ops = device->ops;
	struct ra_stretch open = { .start = 0, .end = -HUGE_VAL };
	double sum = 0;

	for (size_t i = 0; i < device->count; i++) {
		const double start = (double) ops[i].start_ns;
		const double end = (double) ops[i].end_ns;

		if (start > open.end) {
			sum += measure_in(&open, window);
			open = (struct ra_stretch){ start, end, 0 };
		} else {
			open.end = end > open.end ? end : open.end;
		}
	}
	sum += measure_in(&open, window);
	return sum / (window->end - window->start);
}

static void note_usages(struct ra_report_input *input, const struct ra_gpu_usages *usages,
                        bool is_whole)
{
	double known = 0;
	double whole = 0;

	for (size_t i = 0; i < usages->count; i++) {
		known += usages->rows[i].blocks_time;
		whole += usages->rows[i].kernel_time;
	}
	ra_report_add_shapes(input, ra_gpu_metrics_round(known), ra_gpu_metrics_round(whole));
	ra_report_add_note(input, is_whole ? "GPUs: no range is a step, so shares are of the whole "
	                                     "recording, from the first event to the last"
	                                   : "GPUs: shares are of the window, from the begin of "
	                                     "the first step to the end of the last");
}

static void put_usages(const struct ra_model *model, const struct ra_steps *steps,
                       const struct ra_gpu_usages *usages, struct ra_table *table)
{
	const struct ra_step_times *times = &steps->times;
	const struct ra_stretch window = { times->steps[0].start,
		                           times->steps[times->step_count - 1].end, 0 };
	const bool is_rocm = ra_gpu_metrics_is_rocm(model);
	bool *uses_tensor = ra_gpu_metrics_find_tensor(model);
	struct ra_gpu_order order;
	size_t d = 0; /* usages are in the order of the devices, so d is also their index */

	ra_gpu_order_init(&order, model);
	for (size_t i = 0; i < usages->count; i++) {
		const struct ra_gpu_usage *usage = &usages->rows[i];
		struct device_ops device = { .model = model };
		struct ra_table_cell *cells = ra_table_add_row(table);

		while (order.devices[d].id != usage->device) {
			d++;
		}
		device.ops = order.ops + order.devices[d].first;
		device.count = order.devices[d].count;
		cells[0] = ra_table_make_id(usage->device);
		cells[1] = make_real(usage->utilization);
		cells[2] = make_real(measure_any(&device, &window));
		if (ra_report_is_shaped(usage->blocks_time, usage->kernel_time)) {
			cells[3] = make_real(usage->efficiency);
		}
		if (ra_report_is_shaped(usage->occupancy_time, usage->kernel_time)) {
			cells[4] = make_real(usage->occupancy);
		}
		if (!is_rocm) {
			cells[5] = make_real(measure_tensor(&device, steps, uses_tensor));
		}
		cells[6] = make_ns(window.end - window.start);
	}
	free(uses_tensor);
	ra_gpu_order_fini(&order);
}

static void fill_gpu(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_report_steps *steps = ra_report_steps_find(input);
	struct ra_gpu_usages usages = { 0 };

	ra_report_steps_note(input, steps);
	ra_report_steps_usage(input->model, &steps->steps, &usages);
	if (usages.count > 0) {
		put_usages(input->model, &steps->steps, &usages, table);
		note_usages(input, &usages, steps->steps.is_whole);
	}
	ra_gpu_usage_fini(&usages);
}

const struct ra_report ra_report_gpu = {
	.name = "gpu",
	.scope = RA_REPORT_OF_ALL,
	.title = "GPUs",
	.summary = "how well each GPU was used, during the steps if there are any",
	.columns = gpu_columns,
	.column_count = sizeof(gpu_columns) / sizeof(gpu_columns[0]),
	.fill = fill_gpu,
	.none = "no kernels",
};
