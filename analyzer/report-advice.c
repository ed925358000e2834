/* SPDX-License-Identifier: MIT */
/* The report "advice": what the figures recommend, each with its threshold and where to look. */
#include "analyzer/report-steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/gpu-order.h"
#include "analyzer/kineto.h"
#include "analyzer/tb-tensor.h"
#include "analyzer/util.h"
#include "format/error.h"

enum column {
	RULE,
	VALUE,
	THRESHOLD,
	UNIT,
	DEVICE,
	COUNT,
	TOTAL,
	WHERE,
	ADVICE,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RULE] = { "rule", "Rule", RA_TABLE_TEXT, NULL },
	[VALUE] = { "value", "Value", RA_TABLE_REAL, NULL },
	[THRESHOLD] = { "threshold", "Threshold", RA_TABLE_REAL, NULL },
	[UNIT] = { "unit", "Unit", RA_TABLE_TEXT, NULL },
	[DEVICE] = { "device", "Device", RA_TABLE_COUNT, NULL },
	[COUNT] = { "count", "Count", RA_TABLE_COUNT, NULL },
	[TOTAL] = { "total_ns", "Time", RA_TABLE_TIME, NULL },
	[WHERE] = { "start_ns", "Longest at", RA_TABLE_TIME, NULL },
	[ADVICE] = { "advice", "Advice", RA_TABLE_TEXT, NULL },
};

/* Evidence for a rule: things that happened, and the longest of them. */
struct evidence {
	uint64_t count;
	int64_t total_ns;
	int64_t longest_ns;
	int64_t start_ns;
};

struct adviser {
	const struct ra_model *model;
	const struct ra_report_steps *steps;
	const struct ra_gpu_usages *usages;
	struct ra_table *table;
	double window_ns;
	int rc;
};

static void note(struct evidence *evidence, int64_t start_ns, int64_t dur_ns)
{
	evidence->count++;
	evidence->total_ns = ra_util_add_time(evidence->total_ns, dur_ns);
	if (dur_ns > evidence->longest_ns || evidence->count == 1) {
		evidence->longest_ns = dur_ns;
		evidence->start_ns = start_ns;
	}
}

static struct rlog_string make_text(const char *text)
{
	const struct rlog_string string = { text, (uint32_t) strlen(text),
		                            (uint32_t) strlen(text) };

	return string;
}

/* What is measured, and from where on it is too much; 0: anything is. */
struct measure {
	double value;
	double threshold;
	const char *unit;
};

/* Return: the new row's cells; NULL and adviser->rc set if there is no memory. */
static struct ra_table_cell *advise(struct adviser *adviser, const char *rule,
                                    const struct measure *measure, const char *text)
{
	struct ra_table_cell *cells = ra_table_add_row(adviser->table);

	if (cells == NULL) {
		adviser->rc = -RLOG_E_NO_MEMORY;
		return NULL;
	}
	cells[RULE] = ra_table_make_text(make_text(rule));
	cells[ADVICE] = ra_table_make_text(make_text(text));
	cells[VALUE] = ra_table_make_real(measure->value);
	cells[THRESHOLD] = ra_table_make_real(measure->threshold);
	cells[THRESHOLD].has_value = measure->threshold > 0;
	cells[UNIT] = ra_table_make_text(make_text(measure->unit));
	return cells;
}

/* A rule on things that happened: the value is the share of the steps that they took. */
static void advise_on(struct adviser *adviser, const char *rule, const struct evidence *evidence,
                      double threshold, const char *text)
{
	const struct measure measure = { (double) evidence->total_ns / adviser->window_ns,
		                         threshold, "of window" };
	struct ra_table_cell *cells;

	if (evidence->count == 0 || measure.value <= threshold) {
		return;
	}
	cells = advise(adviser, rule, &measure, text);
	if (cells != NULL) {
		cells[COUNT] = ra_table_make_count(evidence->count);
		cells[TOTAL] = ra_table_make_number(evidence->total_ns);
		cells[WHERE] = ra_table_make_number(evidence->start_ns);
	}
}

static void advise_roles(struct adviser *adviser)
{
	const double *mean = adviser->steps->mean.role;
	const double total = mean[RA_ROLE_TOTAL];

	const struct measure loading = { mean[RA_ROLE_DATALOADER] / total, 0.05, "of steps" };
	const struct measure talking = { mean[RA_ROLE_COMMUNICATION] / total, 0.1, "of steps" };

	if (total > 0 && loading.value > loading.threshold) {
		(void) advise(adviser, "dataloader", &loading,
		              "much of the steps is loading of data: load in worker processes");
	}
	if (total > 0 && talking.value > talking.threshold) {
		(void) advise(
			adviser, "communication", &talking,
			"much of the steps is communication that no kernel hides: compress or "
			"accumulate gradients, or use larger batches");
	}
}

static void advise_utilization(struct adviser *adviser)
{
	for (size_t i = 0; i < adviser->usages->count; i++) {
		const struct ra_gpu_usage *usage = &adviser->usages->rows[i];

		const struct measure busy = { usage->utilization, 0.5, "of window" };

		if (busy.value < busy.threshold) {
			struct ra_table_cell *cells =
				advise(adviser, "low_gpu_utilization", &busy,
			               "the GPU has little to do: larger batches may help");

			if (cells != NULL) {
				cells[DEVICE] = ra_table_make_number(usage->device);
			}
		}
	}
}

static bool contains(struct rlog_string text, const char *word)
{
	return memmem(text.bytes, text.length, word, strlen(word)) != NULL;
}

/* Kernels under operators that could use tensor cores, where no kernel does. */
static void advise_tensor(struct adviser *adviser)
{
	const struct ra_model *model = adviser->model;
	struct evidence eligible = { 0 };
	int64_t all_ns = 0;
	struct measure share = { 0, 0, "of kernels" };

	for (size_t i = 0; i < model->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[i];
		const uint32_t device = model->gpu.queues[op->queue].device;
		const struct ra_gpu_device *limits = ra_gpu_find_device(&model->gpu, device);
		uint32_t at = op->slice;

		if (op->kind != RA_GPU_KERNEL) {
			continue;
		}
		if (limits == NULL || limits->limits.cc_major < 7 ||
		    ra_tb_tensor_is_any_kernel(ra_model_string(model, op->name))) {
			return;
		}
		all_ns = ra_util_add_time(all_ns, op->dur_ns);
		while (at != RA_NONE &&
		       !ra_tb_tensor_is_operator(ra_model_string(model, model->slices.name[at]))) {
			at = model->slices.parent[at];
		}
		if (at != RA_NONE) {
			note(&eligible, op->start_ns, op->dur_ns);
		}
	}
	share.value = all_ns > 0 ? (double) eligible.total_ns / (double) all_ns : 0;
	if (share.value > 0) {
		struct ra_table_cell *cells =
			advise(adviser, "tensor_cores", &share,
		               "tensor cores are idle: enable automatic mixed precision");

		if (cells != NULL) {
			cells[COUNT] = ra_table_make_count(eligible.count);
			cells[TOTAL] = ra_table_make_number(eligible.total_ns);
			cells[WHERE] = ra_table_make_number(eligible.start_ns);
		}
	}
}

/* Copies and sets by how they were asked for. */
static void advise_copies(struct adviser *adviser)
{
	const struct ra_gpu *gpu = &adviser->model->gpu;
	struct evidence pageable = { 0 };
	struct evidence copies = { 0 };
	struct evidence sets = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const struct ra_gpu_api *api = op->api == RA_NONE ? NULL : &gpu->apis[op->api];
		bool is_async;

		if (api == NULL || (op->kind != RA_GPU_COPY && op->kind != RA_GPU_SET)) {
			continue;
		}
		is_async = contains(ra_model_string(adviser->model, api->name), "Async");
		if (op->kind == RA_GPU_SET) {
			if (!is_async) {
				note(&sets, api->start_ns, api->dur_ns);
			}
		} else if (is_async && (op->src_memory == 1 || op->dst_memory == 1)) {
			note(&pageable, op->start_ns, op->dur_ns);
		} else if (!is_async && op->copy_kind != 8) {
			note(&copies, api->start_ns, api->dur_ns);
		}
	}
	advise_on(adviser, "pageable_memcpy", &pageable, 0,
	          "asynchronous copies of pageable memory are synchronous: pin the memory");
	advise_on(adviser, "sync_memcpy", &copies, 0,
	          "synchronous copies stop the program: use cudaMemcpyAsync and pinned memory");
	advise_on(adviser, "sync_memset", &sets, 0,
	          "synchronous sets stop the program: use cudaMemsetAsync");
}

static void advise_syncs(struct adviser *adviser)
{
	const struct ra_gpu *gpu = &adviser->model->gpu;
	struct evidence syncs = { 0 };

	for (size_t i = 0; i < gpu->api_count; i++) {
		if (contains(ra_model_string(adviser->model, gpu->apis[i].name), "Synchronize")) {
			note(&syncs, gpu->apis[i].start_ns, gpu->apis[i].dur_ns);
		}
	}
	advise_on(adviser, "sync_calls", &syncs, 0.05,
	          "the program waits for the GPU: avoid synchronization, such as .item() and "
	          "printing of tensors");
}

/* Half a second in which a device had nothing to do. */
static void advise_gaps(struct adviser *adviser)
{
	const int64_t limit_ns = 500000000;
	struct ra_gpu_order order;

	if (ra_gpu_order_init(&order, adviser->model) != 0) {
		adviser->rc = -RLOG_E_NO_MEMORY;
	}
	for (size_t d = 0; d < order.device_count && adviser->rc == 0; d++) {
		const struct ra_gpu_order_device *device = &order.devices[d];
		struct evidence gaps = { 0 };
		int64_t until_ns = 0;
		struct ra_table_cell *cells;

		for (size_t i = device->first; i < device->first + device->count; i++) {
			const struct ra_gpu_order_op *op = &order.ops[i];

			if (i > device->first && op->start_ns - until_ns > limit_ns) {
				note(&gaps, until_ns, op->start_ns - until_ns);
			}
			until_ns = op->end_ns > until_ns ? op->end_ns : until_ns;
		}
		if (gaps.count == 0) {
			continue;
		}
		const struct measure longest = { (double) gaps.longest_ns / 1e9,
			                         (double) limit_ns / 1e9, "s" };

		cells = advise(adviser, "gpu_gaps", &longest,
		               "the GPU waited for long: see what the CPU did then (gaps)");
		if (cells != NULL) {
			cells[DEVICE] = ra_table_make_count(device->id);
			cells[COUNT] = ra_table_make_count(gaps.count);
			cells[TOTAL] = ra_table_make_number(gaps.total_ns);
			cells[WHERE] = ra_table_make_number(gaps.start_ns);
		}
	}
	ra_gpu_order_fini(&order);
}

static int compare_reals(const void *a, const void *b)
{
	const double left = *(const double *) a;
	const double right = *(const double *) b;

	return (left > right) - (left < right);
}

/* Steps that took half as long again as the middle one. */
static void advise_steps(struct adviser *adviser)
{
	const struct ra_step_times *times = &adviser->steps->steps.times;
	double *lengths = calloc(times->step_count + 1, sizeof(*lengths));
	struct evidence slow = { 0 };
	double median;

	if (lengths == NULL) {
		adviser->rc = -RLOG_E_NO_MEMORY;
		return;
	}
	for (size_t i = 0; i < times->step_count; i++) {
		lengths[i] = times->steps[i].end - times->steps[i].start;
	}
	qsort(lengths, times->step_count, sizeof(*lengths), compare_reals);
	median = lengths[times->step_count / 2];
	for (size_t i = 0; i < times->step_count; i++) {
		const struct ra_step *step = &times->steps[i];

		if (step->end - step->start > 1.5 * median) {
			note(&slow, (int64_t) step->start, (int64_t) (step->end - step->start));
		}
	}
	if (slow.count > 0 && times->step_count >= 3 && median > 0) {
		const struct measure longest = { (double) slow.longest_ns / median, 1.5,
			                         "medians" };
		struct ra_table_cell *cells =
			advise(adviser, "slow_steps", &longest,
		               "some steps took longer than the middle one: see overview");

		if (cells != NULL) {
			cells[COUNT] = ra_table_make_count(slow.count);
			cells[TOTAL] = ra_table_make_number(slow.total_ns);
			cells[WHERE] = ra_table_make_number(slow.start_ns);
		}
	}
	free(lengths);
}

static int fill_advice(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_report_steps steps;
	struct ra_gpu_usages usages = { 0 };
	struct adviser adviser = {
		.model = input->model, .steps = &steps, .usages = &usages, .table = table
	};
	const struct ra_step_times *times = &steps.steps.times;

	adviser.rc = ra_report_steps_init(&steps, input);
	if (adviser.rc == 0) {
		adviser.rc = ra_report_steps_usage(input->model, &steps.steps, &usages);
	}
	if (adviser.rc == 0 && times->step_count > 0) {
		adviser.window_ns = times->steps[times->step_count - 1].end - times->steps[0].start;
	}
	if (adviser.window_ns > 0) {
		advise_roles(&adviser);
		advise_utilization(&adviser);
		advise_tensor(&adviser);
		advise_copies(&adviser);
		advise_syncs(&adviser);
		advise_gaps(&adviser);
		advise_steps(&adviser);
	}
	ra_gpu_usage_fini(&usages);
	ra_report_steps_fini(&steps);
	return adviser.rc;
}

const struct ra_report ra_report_advice = {
	.name = "advice",
	.is_of_steps = true,
	.title = "Advice",
	.summary = "what the figures recommend",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_advice,
	.none = "nothing to recommend",
};
