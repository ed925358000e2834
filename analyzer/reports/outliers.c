/* SPDX-License-Identifier: MIT */
/* The report "launch-outliers": for each rank, sums of launches, short kernels, long calls and long
 * delays. */
#include "analyzer/base/alloc.h"
#include "analyzer/reports/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/read-log/gpu/gpu-launch.h"
#include "analyzer/figures/rank-gpu.h"
#include "analyzer/base/util.h"

enum column {
	RANK,
	COUNT,
	CPU,
	GPU,
	DELAY,
	DELAY_MAX,
	DELAY_START,
	SHORT,
	LONG_CALLS,
	CALL_MAX,
	CALL_START,
	LONG_DELAYS,
	NO_CALL,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[COUNT] = { "count", "Launches", RA_TABLE_COUNT, NULL },
	[CPU] = { "cpu_sum_ns", "CPU", RA_TABLE_TIME, NULL },
	[GPU] = { "gpu_sum_ns", "GPU", RA_TABLE_TIME, NULL },
	[DELAY] = { "delay_sum_ns", "Delay", RA_TABLE_TIME, NULL },
	[DELAY_MAX] = { "delay_max_ns", "Max delay", RA_TABLE_TIME, NULL },
	[DELAY_START] = { "delay_max_start_ns", "Launched at", RA_TABLE_TIME, NULL },
	[SHORT] = { "short_kernels", "Short kernels", RA_TABLE_COUNT, NULL },
	[LONG_CALLS] = { "runtime_outliers", "Long calls", RA_TABLE_COUNT, NULL },
	[CALL_MAX] = { "cpu_max_ns", "Longest call", RA_TABLE_TIME, NULL },
	[CALL_START] = { "cpu_max_start_ns", "Called at", RA_TABLE_TIME, NULL },
	[LONG_DELAYS] = { "launch_delay_outliers", "Long delays", RA_TABLE_COUNT, NULL },
	[NO_CALL] = { "no_call", "No call", RA_TABLE_COUNT, "0" },
};

struct sums {
	uint64_t count;
	uint64_t short_kernels;
	uint64_t long_calls;
	uint64_t long_delays;
	uint64_t no_call;
	int64_t cpu_ns;
	int64_t gpu_ns;
	int64_t delay_ns;
	int64_t delay_max_ns;
	int64_t delay_start_ns;
	int64_t call_max_ns;
	int64_t call_start_ns;
};

/* True if the call only launches the operation. False for a copy or set if the call waits for its
 * end. */
static bool is_launch(const struct ra_model *model, const struct ra_gpu_op *op)
{
	const struct rlog_string name = ra_model_string(model, model->gpu.apis[op->api].name);

	return (op->kind != RA_GPU_COPY && op->kind != RA_GPU_SET) ||
	       memmem(name.bytes, name.length, "Async", 5) != NULL ||
	       memmem(name.bytes, name.length, "Graph", 5) != NULL;
}

/* Adds a call. If it launches several operations, it is added once. */
static void add_call(struct sums *sums, const struct ra_gpu_api *api, double cutoff_ns)
{
	sums->cpu_ns = ra_util_add_time(sums->cpu_ns, api->dur_ns);
	sums->long_calls += (double) api->dur_ns > cutoff_ns;
	if (api->dur_ns > sums->call_max_ns) {
		sums->call_max_ns = api->dur_ns;
		sums->call_start_ns = api->start_ns;
	}
}

static void add_op(struct sums *sums, const struct ra_gpu *gpu, const struct ra_gpu_op *op,
                   const struct ra_settings *settings)
{
	struct ra_gpu_launch launch;

	if (!ra_gpu_launch_find(gpu, op, &launch)) {
		return;
	}
	sums->count++;
	sums->gpu_ns = ra_util_add_time(sums->gpu_ns, op->dur_ns);
	sums->delay_ns = ra_util_add_time(sums->delay_ns, launch.queue_ns);
	sums->short_kernels += (double) launch.api_ns <= settings->short_cutoff_us * 1000 &&
	                       op->dur_ns < launch.api_ns;
	sums->long_delays += (double) launch.queue_ns > settings->delay_cutoff_us * 1000;
	if (launch.queue_ns > sums->delay_max_ns) {
		sums->delay_max_ns = launch.queue_ns;
		sums->delay_start_ns = gpu->apis[op->api].start_ns;
	}
}

static void sum_launches(struct sums *sums, const struct ra_model *model,
                         const struct ra_settings *settings)
{
	const struct ra_gpu *gpu = &model->gpu;
	bool *is_counted = ra_alloc_zeros(gpu->api_count + 1, sizeof(*is_counted));

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (settings->memory == 0 && (op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET)) {
			continue;
		}
		if (op->api == RA_NONE) {
			sums->no_call++;
			continue;
		}
		if (!is_launch(model, op)) {
			continue;
		}
		add_op(sums, gpu, op, settings);
		if (!is_counted[op->api]) {
			add_call(sums, &gpu->apis[op->api], settings->short_cutoff_us * 1000);
			is_counted[op->api] = true;
		}
	}
	free(is_counted);
}

static void put_sums(int64_t rank, const struct sums *sums, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[RANK] = ra_table_make_number(rank);
	cells[COUNT] = ra_table_make_count(sums->count);
	cells[CPU] = ra_table_make_number(sums->cpu_ns);
	cells[GPU] = ra_table_make_number(sums->gpu_ns);
	cells[DELAY] = ra_table_make_number(sums->delay_ns);
	cells[SHORT] = ra_table_make_count(sums->short_kernels);
	cells[LONG_CALLS] = ra_table_make_count(sums->long_calls);
	cells[LONG_DELAYS] = ra_table_make_count(sums->long_delays);
	cells[NO_CALL] = ra_table_make_count(sums->no_call);
	if (sums->count > 0) {
		cells[DELAY_MAX] = ra_table_make_number(sums->delay_max_ns);
		cells[CALL_MAX] = ra_table_make_number(sums->call_max_ns);
	}
	if (sums->delay_max_ns > 0) {
		cells[DELAY_START] = ra_table_make_number(sums->delay_start_ns);
	}
	if (sums->call_max_ns > 0) {
		cells[CALL_START] = ra_table_make_number(sums->call_start_ns);
	}
}

static void fill_outliers(struct ra_report_input *input, struct ra_table *table)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		const struct ra_model *model = ra_report_file_model(input, i);
		struct sums sums = { 0 };

		if (model->gpu.op_count == 0) {
			continue;
		}
		sum_launches(&sums, model, input->settings);
		put_sums(ra_report_file_rank(input, i), &sums, table);
	}
}

const struct ra_report ra_report_outliers = {
	.name = "launch-outliers",
	.reads_several = true,
	.title = "Launches of each rank",
	.summary = "launches of each rank: sums, short kernels, long calls and delays",
	.more_of = "launch-sum",
	.none = "no GPU work",
	.is_gpu = true,
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_outliers,
};
