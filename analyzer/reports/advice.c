/* SPDX-License-Identifier: MIT */
/* The report "advice": what the figures recommend, worst first, each with its share and place. */
#include "analyzer/advice/advice.h"

#include <stdlib.h>

#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/reports/reports.h"
#include "format/error.h"

static bool is_last_wait(const struct ra_advice *advice, const struct ra_gpu_api *api)
{
	return ra_util_add_time(api->start_ns, api->dur_ns) == advice->end_ns &&
	       (ra_advice_has_word(ra_model_string(advice->model, api->name),
	                           "DeviceSynchronize") ||
	        ra_advice_has_word(ra_model_string(advice->model, api->name), "CtxSynchronize"));
}

/*
 * Without steps the window ends with the work: a wait for the device that ends the recording is
 * the profiler's, and so are the ranges around it.
 */
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

/* Adds what a device did in the window. */
static int find_device_busy(const struct ra_advice *advice,
                            const struct ra_gpu_order_device *device, struct ra_intervals *busy)
{
	int rc = 0;

	for (size_t i = 0; i < device->count && rc == 0; i++) {
		const struct ra_gpu_order_op *op = &advice->order.ops[device->first + i];

		rc = ra_intervals_add(
			busy, op->start_ns > advice->start_ns ? op->start_ns : advice->start_ns,
			op->end_ns < advice->end_ns ? op->end_ns : advice->end_ns);
	}
	ra_intervals_unite(busy);
	return rc;
}

static int find_busy(struct ra_advice *advice)
{
	int rc = 0;

	for (size_t d = 0; d < advice->order.device_count && rc == 0; d++) {
		struct ra_intervals busy = { 0 };

		rc = find_device_busy(advice, &advice->order.devices[d], &busy);
		advice->devices_busy_ns =
			ra_util_add_time(advice->devices_busy_ns, ra_intervals_length(&busy));
		for (size_t i = 0; i < busy.count && rc == 0; i++) {
			rc = ra_intervals_add(&advice->busy, busy.rows[i].start_ns,
			                      busy.rows[i].end_ns);
		}
		ra_intervals_fini(&busy);
	}
	ra_intervals_unite(&advice->busy);
	advice->busy_ns = ra_intervals_length(&advice->busy);
	return rc;
}

static int apply(struct ra_advice *advice)
{
	static int (*const subjects[])(struct ra_advice *) = {
		ra_advice_idle_apply, ra_advice_kernels_apply, ra_advice_shape_apply,
		ra_advice_comm_apply, ra_advice_steps_apply,   ra_advice_memory_apply,
	};
	int rc = find_busy(advice);

	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]) && rc == 0; i++) {
		rc = subjects[i](advice);
	}
	return rc != 0 ? rc : ra_advice_finish(advice);
}

static int fill_advice(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_report_steps steps;
	struct ra_advice advice = {
		.input = input, .model = input->model, .steps = &steps, .table = table
	};
	const struct ra_step_times *times = &steps.steps.times;
	int rc = ra_report_steps_init(&steps, input);

	if (rc == 0) {
		rc = ra_gpu_order_init(&advice.order, input->model);
	}
	if (rc == 0 && times->step_count > 0) {
		advice.start_ns = ra_advice_ns(times->steps[0].start);
		advice.end_ns = ra_advice_ns(times->steps[times->step_count - 1].end);
		advice.is_hip = ra_gpu_metrics_is_rocm(input->model);
		if (steps.steps.is_whole) {
			cut_last_wait(&advice);
		}
	}
	if (rc == 0 && advice.end_ns > advice.start_ns) {
		rc = apply(&advice);
	}
	ra_intervals_fini(&advice.busy);
	ra_kernel_kinds_fini(&advice.kinds);
	ra_gpu_order_fini(&advice.order);
	free(advice.findings);
	ra_report_steps_fini(&steps);
	return rc;
}

const struct ra_report ra_report_advice = {
	.name = "advice",
	.scope = RA_REPORT_OF_ALL,
	.title = "Advice",
	.summary = "what the figures recommend, worst first",
	.columns = ra_advice_columns,
	.column_count = RA_ADVICE_COLUMNS,
	.fill = fill_advice,
	.none = "nothing to recommend",
};
