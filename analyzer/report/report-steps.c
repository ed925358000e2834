/* SPDX-License-Identifier: MIT */
/* Shares what reports on steps need: the chosen steps, the cost of each, and how well GPUs were
 * used. */
#include "analyzer/report/report-steps.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/steps/step-roles.h"

static void init(struct ra_report_steps *steps, const struct ra_report_input *input)
{
	const struct ra_steps_options options = { input->settings->step_range,
		                                  input->settings->steps };

	memset(steps, 0, sizeof(*steps));
	steps->model = input->model;
	ra_steps_init(&steps->steps, input->model, &options);
	steps->costs = ra_alloc_zeros(steps->steps.times.step_count + 1, sizeof(*steps->costs));
	if (input->model->walk == NULL) {
		ra_step_roles_fill(&steps->steps, input->model, steps->costs, &steps->mean);
	} else {
		ra_step_roles_fill_walk(&steps->steps, input->model, steps->costs, &steps->mean);
	}
}

static void fini(struct ra_report_steps *steps)
{
	free(steps->costs);
	ra_steps_fini(&steps->steps);
	memset(steps, 0, sizeof(*steps));
}

static void destroy(void *thing)
{
	fini(thing);
	free(thing);
}

const struct ra_report_steps *ra_report_steps_find(struct ra_report_input *input)
{
	if (input->steps == NULL) {
		input->steps = ra_alloc_zeros(1, sizeof(*input->steps));
		ra_report_keep(input, input->steps, destroy);
	}
	if (input->steps->model != input->model) {
		fini(input->steps);
		init(input->steps, input);
	}
	return input->steps;
}

bool ra_report_steps_is_first_longest(const struct ra_steps *steps)
{
	const struct ra_step *first = steps->times.steps;

	return steps->times.step_count > 1 && !steps->is_whole && ra_steps_is_filling(steps, 0) &&
	       first->end - first->start >=
	               (double) ra_steps_length(steps, ra_steps_longest(steps));
}

void ra_report_steps_note_guess(struct ra_report_input *input, const struct ra_steps *steps)
{
	static const char key[] = "steps_by_name";
	char *text;

	for (size_t i = 0; i < input->figure_count; i++) {
		if (input->figures[i].column.key == key) {
			return;
		}
	}
	if (steps->guess == NULL) {
		return;
	}
	text = ra_alloc_copy(steps->guess); /* a copy, because the figure outlives the steps */
	ra_report_keep(input, text, free);
	ra_report_add_figure(input, key, "Ranges taken as steps by their name (--step-range)",
	                     RA_TABLE_TEXT, ra_table_make_text(ra_util_string(text)));
}

void ra_report_steps_note(struct ra_report_input *input, const struct ra_report_steps *steps)
{
	static const char key[] = "left_over_operations";
	static const char first_key[] = "first_step_range_ns";

	for (size_t i = 0; i < input->figure_count; i++) {
		if (input->figures[i].column.key == key ||
		    input->figures[i].column.key == first_key) {
			return;
		}
	}
	ra_report_steps_note_guess(input, &steps->steps);
	if (steps->steps.left_over_ns > 0 && !steps->steps.is_whole) {
		ra_report_add_figure(input, key, "GPU work launched before the first step",
		                     RA_TABLE_COUNT,
		                     ra_table_make_count(steps->steps.left_over_ops));
		ra_report_add_figure(input, "left_over_ns",
		                     "The first step begins later than its range by", RA_TABLE_TIME,
		                     ra_table_make_number(steps->steps.left_over_ns));
	}
	if (ra_report_steps_is_first_longest(&steps->steps)) {
		ra_report_add_figure(input, first_key,
		                     "The first step, compared with others, counts by its range",
		                     RA_TABLE_TIME,
		                     ra_table_make_number(ra_steps_length(&steps->steps, 0)));
	}
}

void ra_report_steps_put_note(struct ra_util_text *text, const struct ra_report_input *input)
{
	for (size_t i = 0; i < input->figure_count; i++) {
		if (strncmp(input->figures[i].column.key, "left_over_", 10) == 0) {
			ra_report_put_figure(text, &input->figures[i]);
		}
	}
}

bool ra_report_steps_is_whole(struct ra_report_input *input)
{
	const struct ra_report_steps *steps = ra_report_steps_find(input);

	return steps->steps.is_whole;
}

struct ra_table_cell ra_report_steps_number(const struct ra_step *step)
{
	struct ra_table_cell cell = ra_table_make_number(0);

	cell.has_value = step->name.length > 0 && step->name.length < 19;
	for (uint32_t i = 0; i < step->name.length && cell.has_value; i++) {
		const char digit = step->name.bytes[i];

		cell.has_value = digit >= '0' && digit <= '9';
		cell.u.number = 10 * cell.u.number + (digit - '0');
	}
	return cell;
}

static void find_kernel(const void *context, uint32_t number, struct ra_gpu_usage_kernel *kernel)
{
	const struct ra_model *model = context;
	const struct ra_gpu_op *op = &model->gpu.ops[number];
	const struct ra_gpu_metrics_load load = ra_gpu_metrics_find_load(model, number);

	*kernel = (struct ra_gpu_usage_kernel){
		.start = (double) op->start_ns,
		.end = (double) (op->start_ns + op->dur_ns),
		.blocks = load.blocks,
		.occupancy = load.occupancy,
		.device = model->gpu.queues[op->queue].device,
	};
}

/* Orders kernels by device, then time; times are doubles in this file. */
static int compare_kernels(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_gpu *gpu = context;
	const struct ra_gpu_op *a = &gpu->ops[left];
	const struct ra_gpu_op *b = &gpu->ops[right];
	const int order = RA_ORDER(gpu->queues[a->queue].device, gpu->queues[b->queue].device);

	return RA_ORDER_THEN(order, RA_ORDER((double) a->start_ns, (double) b->start_ns));
}

/* Lists all kernels, ordered by device and time. A graph is listed as one kernel. */
static uint32_t *order_kernels(const struct ra_gpu *gpu, size_t *count)
{
	uint32_t *order = ra_alloc_bytes((gpu->op_count + 1) * sizeof(*order));

	*count = 0;
	for (size_t i = 0; i < gpu->op_count; i++) {
		if (gpu->ops[i].kind == RA_GPU_KERNEL || gpu->ops[i].kind == RA_GPU_GRAPH) {
			order[(*count)++] = (uint32_t) i;
		}
	}
	/* The model's operations are ordered by queue, then time, so sorting takes little time. */
	ra_run_sort_indices(order, *count, compare_kernels, gpu);
	return order;
}

void ra_report_steps_usage(const struct ra_model *model, const struct ra_steps *steps,
                           struct ra_gpu_usages *usages)
{
	const struct ra_step_times *times = &steps->times;
	struct ra_gpu_usage_kernels kernels = { .find = find_kernel, .context = model };
	struct ra_stretch window;
	uint32_t *order;

	*usages = (struct ra_gpu_usages){ 0 };
	if (times->step_count == 0) {
		return;
	}
	window = (struct ra_stretch){ times->steps[0].start,
		                      times->steps[times->step_count - 1].end, 0 };
	order = order_kernels(&model->gpu, &kernels.count);
	kernels.order = order;
	ra_gpu_usage_init(usages, &kernels, &window, false);
	free(order);
}
