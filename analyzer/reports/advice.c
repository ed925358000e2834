/* SPDX-License-Identifier: MIT */
/* The report "advice": recommendations derived from the figures, the most important first, each
 * with its share of the time and its place. */
#include "analyzer/advice/advice.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/reports/reports.h"

static bool is_last_wait(const struct ra_advice *advice, const struct ra_gpu_api *api)
{
	return ra_util_add_time(api->start_ns, api->dur_ns) == advice->end_ns &&
	       (ra_util_string_has(ra_model_string(advice->model, api->name),
	                           "DeviceSynchronize") ||
	        ra_util_string_has(ra_model_string(advice->model, api->name), "CtxSynchronize"));
}

/* Moves the end of the window before a final wait. Without steps the window ends with the work. A
 * final wait for the device is the profiler's, and so are the ranges around it. */
static void cut_last_wait(struct ra_advice *advice)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	const struct ra_gpu_api *last = NULL;
	int64_t end_ns = advice->start_ns;

	for (size_t i = 0; i < gpu->api_count; i++) {
		if (is_last_wait(advice, &gpu->apis[i])) {
			last = last == NULL ? &gpu->apis[i] : last;
		} else if (ra_util_add_time(gpu->apis[i].start_ns, gpu->apis[i].dur_ns) > end_ns) {
			end_ns = ra_util_add_time(gpu->apis[i].start_ns, gpu->apis[i].dur_ns);
		}
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		const int64_t op_ns = ra_util_add_time(gpu->ops[i].start_ns, gpu->ops[i].dur_ns);

		end_ns = op_ns > end_ns ? op_ns : end_ns;
	}
	if (last != NULL && gpu->op_count > 0 && end_ns < advice->end_ns) {
		advice->end_ns = end_ns;
	}
}

/* Extends steps to the end of their work. Work without a call belongs to no step, but only to the
 * whole. */
static void hold_all_work(struct ra_advice *advice)
{
	const struct ra_gpu *gpu = &advice->model->gpu;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const int64_t end_ns = ra_util_add_time(gpu->ops[i].start_ns, gpu->ops[i].dur_ns);

		if (gpu->ops[i].start_ns < advice->start_ns) {
			advice->start_ns = gpu->ops[i].start_ns;
		}
		advice->end_ns = end_ns > advice->end_ns ? end_ns : advice->end_ns;
	}
}

/* Adds what a device did during the window. */
static void find_device_busy(const struct ra_advice *advice,
                             const struct ra_gpu_order_device *device, struct ra_intervals *busy)
{
	for (size_t i = 0; i < device->count; i++) {
		const struct ra_gpu_order_op *op = &advice->order.ops[device->first + i];

		ra_intervals_join(busy,
		                  op->start_ns > advice->start_ns ? op->start_ns : advice->start_ns,
		                  op->end_ns < advice->end_ns ? op->end_ns : advice->end_ns);
	}
	ra_intervals_unite(busy);
}

static void find_step_busy(struct ra_advice *advice, const struct ra_intervals *busy)
{
	const struct ra_steps *steps = &advice->steps->steps;

	advice->step_busy_ns =
		ra_alloc_zeros(steps->times.step_count + 1, sizeof(*advice->step_busy_ns));
	for (size_t i = 0; i < steps->times.step_count; i++) {
		const int64_t end_ns = ra_advice_ns(steps->times.steps[i].end);

		advice->step_busy_ns[i] =
			ra_intervals_cover(busy, end_ns - ra_steps_length(steps, i), end_ns);
	}
}

/* Computes how long the intervals are, and frees them: they take much memory and are not needed
 * again. */
static void find_busy(struct ra_advice *advice)
{
	struct ra_intervals all = { 0 };

	for (size_t d = 0; d < advice->order.device_count; d++) {
		struct ra_intervals busy = { 0 };

		find_device_busy(advice, &advice->order.devices[d], &busy);
		advice->devices_busy_ns =
			ra_util_add_time(advice->devices_busy_ns, ra_intervals_length(&busy));
		if (all.count == 0) {
			ra_intervals_fini(&all);
			all = busy;
			busy = (struct ra_intervals){ 0 };
		}
		for (size_t i = 0; i < busy.count; i++) {
			ra_intervals_add(&all, busy.rows[i].start_ns, busy.rows[i].end_ns);
		}
		ra_intervals_fini(&busy);
		advice->device_count += advice->order.devices[d].count > 0;
	}
	ra_intervals_unite(&all); /* once for all devices, because there may be thousands */
	advice->busy_ns = ra_intervals_length(&all);
	find_step_busy(advice, &all);
	ra_intervals_fini(&all);
}

/* True for a trace by PyTorch's profiler, or if an operator or a kernel has one of PyTorch's
 * names. */
static bool uses_torch(const struct ra_model *model)
{
	bool is_torch = ra_model_has(model, RA_HAS_ROWS);

	for (uint32_t i = 0; i < model->name_count && !is_torch; i++) {
		const struct rlog_string name = ra_model_string(model, i);

		is_torch = ra_util_string_has(name, "aten::") ||
		           ra_util_string_has(name, "at::native::") ||
		           /* the mangled form of the name before */
		           ra_util_string_has(name, "N2at6native");
	}
	return is_torch;
}

static void apply(struct ra_advice *advice)
{
	static void (*const subjects[])(struct ra_advice *) = {
		ra_advice_idle_apply,   ra_advice_kernels_apply, ra_advice_shape_apply,
		ra_advice_stalls_apply, ra_advice_comm_apply,    ra_advice_steps_apply,
		ra_advice_memory_apply,
	};

	find_busy(advice);
	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		subjects[i](advice);
	}
	ra_advice_finish(advice);
}

static void fill_advice(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_report_steps *steps = ra_report_steps_find(input);
	struct ra_advice advice = {
		.input = input, .model = input->model, .steps = steps, .table = table
	};
	const struct ra_step_times *times = &steps->steps.times;

	ra_gpu_order_init(&advice.order, input->model);
	if (times->step_count > 0) {
		advice.start_ns = ra_advice_ns(times->steps[0].start);
		advice.end_ns = ra_advice_ns(times->steps[times->step_count - 1].end);
		advice.is_hip = ra_gpu_metrics_is_rocm(input->model);
		advice.is_torch = uses_torch(input->model);
		if (steps->steps.is_whole) {
			cut_last_wait(&advice);
			hold_all_work(&advice);
		}
	}
	if (advice.end_ns > advice.start_ns) {
		apply(&advice);
	}
	if (table->row_count > 1) {
		ra_report_add_note(input, ra_advice_overlap);
	}
	free(advice.step_busy_ns);
	ra_kernel_kinds_fini(&advice.kinds);
	ra_gpu_order_fini(&advice.order);
	free(advice.findings);
}

static const struct ra_table_cell *find_cell(const struct ra_table *table, size_t row,
                                             const char *key)
{
	return &table->cells[row * table->column_count +
	                     ra_table_find_column(table->columns, table->column_count, key)];
}

/* Appends one of a finding's texts, unless it is empty. */
static void put_field(struct ra_util_text *text, const struct ra_table *table, size_t row,
                      const char *key)
{
	const struct ra_table_cell *cell = find_cell(table, row, key);

	if (cell->has_value) {
		ra_advice_put_prose(text, cell->u.text);
	}
}

static void put_worst(struct ra_util_text *text, const struct ra_table *table, size_t row)
{
	const struct ra_table_cell *longest = find_cell(table, row, "longest");

	if (!longest->has_value) {
		return;
	}
	ra_util_text_format(text, " Worst: ");
	if (find_cell(table, row, "step")->has_value) {
		ra_util_text_format(text, "step ");
		put_field(text, table, row, "step");
		ra_util_text_format(text, ", ");
	}
	ra_util_text_put_time(text, longest->u.number);
	ra_util_text_format(text, " at ");
	ra_util_text_put_time(text, find_cell(table, row, "start")->u.number);
	ra_util_text_put_char(text, '.');
}

/* Writes "1. FINDING: EVIDENCE. REMEDY. Worst: step 3, 2ms at 5ms. (RULE; more: stats -r
 * REPORTS)". */
static void put_finding(struct ra_util_text *text, const struct ra_table *table, size_t row)
{
	const struct rlog_string reports = find_cell(table, row, "reports")->u.text;

	ra_util_text_put(text, "\n", row == 0 ? 0 : 1);
	ra_util_text_style(text, RA_STYLE_WARNING);
	ra_util_text_format(text, "%zu.", row + 1);
	ra_util_text_style(text, RA_STYLE_NONE);
	ra_util_text_put_char(text, ' ');
	put_field(text, table, row, "finding");
	if (find_cell(table, row, "evidence")->has_value) {
		ra_util_text_put(text, ": ", 2);
		put_field(text, table, row, "evidence");
	}
	ra_util_text_put_char(text, '.');
	if (find_cell(table, row, "remedy")->has_value) {
		ra_util_text_put_char(text, ' ');
		put_field(text, table, row, "remedy");
		ra_util_text_put_char(text, '.');
	}
	put_worst(text, table, row);
	ra_util_text_put(text, " (", 2);
	put_field(text, table, row, "rule");
	ra_util_text_format(text, "; more: stats -r ");
	for (uint32_t i = 0; i < reports.length; i++) {
		ra_util_text_put(text, &reports.bytes[i], reports.bytes[i] != ' ');
	}
	ra_util_text_format(text, ")\n");
}

/* Appends one paragraph for each finding. */
static void put_text(const struct ra_table *table, struct ra_util_text *text)
{
	for (size_t row = 0; row < table->row_count; row++) {
		put_finding(text, table, row);
	}
	if (table->cut_count > 0) {
		ra_util_text_format(text, "\n... and %zu more: analyzer stats -r advice\n",
		                    table->cut_count);
	}
}

const struct ra_report ra_report_advice = {
	.name = "advice",
	.scope = RA_REPORT_OF_ALL,
	.title = "Advice",
	.summary = "what the figures recommend, worst first",
	.columns = ra_advice_columns,
	.column_count = RA_ADVICE_COLUMNS,
	.fill = fill_advice,
	.put_text = put_text,
	.none = "nothing to recommend",
	.none_without_gpu = "nothing to recommend on reading of input and communication; kernels, "
			    "copies and idle time could not be judged",
};
