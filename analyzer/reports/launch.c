/* SPDX-License-Identifier: MIT */
/* The reports "launch-sum" and "launch": how long GPU work took to be launched, waited in the
 * queue, and ran. */
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/read-log/gpu/gpu-launch.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/figures/gpu/gpu-order.h"
#include "analyzer/report/op-names.h"
#include "analyzer/report/rank-names.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

enum sum_column {
	SUM_NAME,
	SUM_KIND,
	SUM_TOTAL,
	SUM_LAUNCH_SHARE,
	SUM_QUEUE_SHARE,
	SUM_RUN_SHARE,
	SUM_CALLS,
	SUM_QUEUE_MEDIAN,
	SUM_API_MEDIAN,
	SUM_RUN_MEDIAN,
	SUM_QUEUE_MEAN,
	SUM_QUEUE_MAX,
	SUM_LAUNCH,
	SUM_QUEUE,
	SUM_RUN,
	SUM_API_CALLS,
	SUM_API_MEAN,
	SUM_RUN_MEAN,
	SUM_BACKWARDS,
	SUM_NO_CALL,
	SUM_COLUMNS,
};

static const struct ra_table_column sum_columns[SUM_COLUMNS] = {
	[SUM_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[SUM_KIND] = { "kind", "Kind", RA_TABLE_TEXT, "kernel" },
	[SUM_TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[SUM_LAUNCH_SHARE] = { "launch_share", "Launch %", RA_TABLE_SHARE, NULL },
	[SUM_QUEUE_SHARE] = { "queue_share", "Queue %", RA_TABLE_SHARE, NULL },
	[SUM_RUN_SHARE] = { "run_share", "Run %", RA_TABLE_SHARE, NULL },
	[SUM_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[SUM_LAUNCH] = { "launch_ns", "Launch", RA_TABLE_TIME, NULL },
	[SUM_QUEUE] = { "queue_ns", "Queue", RA_TABLE_TIME, NULL },
	[SUM_RUN] = { "run_ns", "Run", RA_TABLE_TIME, NULL },
	[SUM_API_CALLS] = { "api_calls", "API calls", RA_TABLE_COUNT, NULL },
	[SUM_API_MEDIAN] = { "api_p50_ns", "API median", RA_TABLE_TIME, NULL },
	[SUM_QUEUE_MEDIAN] = { "queue_p50_ns", "Queue median", RA_TABLE_TIME, NULL },
	[SUM_RUN_MEDIAN] = { "run_p50_ns", "Run median", RA_TABLE_TIME, NULL },
	[SUM_API_MEAN] = { "api_mean_ns", "API mean", RA_TABLE_TIME, NULL },
	[SUM_QUEUE_MEAN] = { "queue_mean_ns", "Queue mean", RA_TABLE_TIME, NULL },
	[SUM_QUEUE_MAX] = { "queue_max_ns", "Queue max", RA_TABLE_TIME, NULL },
	[SUM_RUN_MEAN] = { "run_mean_ns", "Run mean", RA_TABLE_TIME, NULL },
	[SUM_BACKWARDS] = { "backwards", "Backwards", RA_TABLE_COUNT, "0" },
	[SUM_NO_CALL] = { "no_call", "No call", RA_TABLE_COUNT, "0" },
};

/* The parts of a launch that have medians. */
enum part {
	PART_API,
	PART_QUEUE,
	PART_RUN,
	PARTS,
};

/* The times of one operation. The duration of its call is used only for the first operation that
 * the call launched. */
struct value {
	uint32_t row;
	int64_t part_ns[PARTS]; /* times of the parts; PART_API is negative if it is not used */
};

struct sums {
	struct ra_gpu_launch_sum *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map index;
	struct value *values; /* owned: of the operations whose call is known, ordered by row */
	size_t value_count;
};

static struct ra_gpu_launch_sum *add_sum(struct sums *sums, uint64_t key)
{
	uint32_t place;

	ra_util_map_number(&sums->index, key, &place);
	if (place == sums->count) { /* it is a new row */
		RA_UTIL_APPEND(sums->rows, sums->count, sums->capacity,
		               (struct ra_gpu_launch_sum){ .key = key });
	}
	return &sums->rows[place];
}

static void add_value(struct sums *sums, const struct ra_gpu *gpu, size_t op, uint32_t row,
                      bool is_first)
{
	struct ra_gpu_launch launch;

	if (ra_gpu_launch_find(gpu, &gpu->ops[op], &launch)) {
		sums->values[sums->value_count++] = (struct value){
			row, { is_first ? launch.api_ns : -1, launch.queue_ns, launch.run_ns }
		};
	}
}

static int compare_rows(const void *left, const void *right)
{
	const struct value *a = left;
	const struct value *b = right;

	return RA_ORDER_UP(a, b, row);
}

static void sum_all(struct sums *sums, const struct ra_report_input *input)
{
	const struct ra_gpu *gpu = &input->model->gpu;
	uint32_t *firsts = ra_gpu_launch_firsts(gpu);

	sums->values = ra_alloc_zeros(gpu->op_count + 1, sizeof(*sums->values));
	for (size_t i = 0; i < gpu->op_count; i++) {
		const uint64_t key = ra_op_names_find(input, &gpu->ops[i]);
		struct ra_gpu_launch_sum *sum = add_sum(sums, key);

		ra_gpu_launch_add(sum, gpu, i, firsts);
		add_value(sums, gpu, i, (uint32_t) (sum - sums->rows),
		          gpu->ops[i].api != RA_NONE && firsts[gpu->ops[i].api] == i);
	}
	if (sums->value_count > 0) {
		RA_SORT(sums->values, sums->value_count, compare_rows);
	}
	free(firsts);
}

static int compare_times(const void *left, const void *right)
{
	const int64_t *a = left;
	const int64_t *b = right;

	return RA_ORDER(*a, *b);
}

/* Finds the median. Sorts the times; there must be at least one. */
static struct ra_table_cell find_middle(int64_t *times, size_t count)
{
	RA_SORT(times, count, compare_times);
	return ra_table_make_number(times[(count - 1) / 2] +
	                            (times[count / 2] - times[(count - 1) / 2]) / 2);
}

/* The median of a part; empty if no value has that part. @times: has room for all values. */
static struct ra_table_cell find_median(const struct value *values, size_t count, enum part part,
                                        int64_t *times)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		if (values[i].part_ns[part] >= 0) {
			times[found++] = values[i].part_ns[part];
		}
	}
	if (found == 0) {
		return (struct ra_table_cell){ 0 };
	}
	return find_middle(times, found);
}

/* Adds the medians. The rows of the table are those of the sums. */
static void put_medians(const struct sums *sums, struct ra_table *table)
{
	static const enum sum_column columns[PARTS] = { SUM_API_MEDIAN, SUM_QUEUE_MEDIAN,
		                                        SUM_RUN_MEDIAN };
	int64_t *times = ra_alloc_zeros(sums->value_count + 1, sizeof(*times));
	size_t first = 0;

	for (size_t i = 1; i <= sums->value_count; i++) {
		const struct value *from = &sums->values[first];

		if (i < sums->value_count && sums->values[i].row == from->row) {
			continue;
		}
		for (size_t part = 0; part < PARTS; part++) {
			table->cells[from->row * SUM_COLUMNS + columns[part]] =
				find_median(from, i - first, (enum part) part, times);
		}
		first = i;
	}
	free(times);
}

/* Adds a figure with the median of all operations, because a few long waits determine the mean, and
 * the name of the report that has more. */
static void tell_queue(const struct sums *sums, struct ra_report_input *input)
{
	int64_t *times = ra_alloc_zeros(sums->value_count + 1, sizeof(*times));
	const struct ra_table_cell median =
		find_median(sums->values, sums->value_count, PART_QUEUE, times);

	free(times);
	if (median.has_value) {
		ra_report_add_figure(input, "launch_queue_p50_ns",
		                     "Queue, median of all operations", RA_TABLE_TIME, median);
		ra_report_add_note(input, "Queue: from the end of the call to the begin of the "
		                          "work, some us in each launch; the report idle (host "
		                          "wait) says how long GPUs waited for launches");
	}
}

/* Times of the calls that launched work, and times between these calls. */
struct pace {
	int64_t *calls; /* owned: durations */
	/* owned: times from the start of a call to the start of the next call of the same thread */
	int64_t *intervals;
	size_t call_count;
	size_t interval_count;
};

static void find_pace(struct pace *pace, const struct ra_gpu *gpu)
{
	const struct ra_gpu_api *last = NULL; /* the last call that launched work */
	uint32_t *firsts = ra_gpu_launch_firsts(gpu);

	pace->calls = ra_alloc_zeros(gpu->api_count + 1, sizeof(*pace->calls));
	pace->intervals = ra_alloc_zeros(gpu->api_count + 1, sizeof(*pace->intervals));
	for (size_t i = 0; i < gpu->api_count; i++) { /* ordered by track, then start */
		const struct ra_gpu_api *api = &gpu->apis[i];

		if (firsts[i] == RA_NONE) {
			continue;
		}
		pace->calls[pace->call_count++] = api->dur_ns;
		if (last != NULL && last->track == api->track) {
			pace->intervals[pace->interval_count++] = api->start_ns - last->start_ns;
		}
		last = api;
	}
	free(firsts);
}

/* Adds figures about how fast threads launch work: if a thread does so more slowly than the GPU
 * works, the GPU waits. */
static void tell_pace(struct ra_report_input *input)
{
	struct pace pace = { 0 };

	find_pace(&pace, &input->model->gpu);
	if (pace.interval_count > 0) {
		ra_report_add_figure(input, "launch_interval_p50_ns",
		                     "From launch to launch of a thread, median", RA_TABLE_TIME,
		                     find_middle(pace.intervals, pace.interval_count));
		ra_report_add_figure(
			input, "launch_call_p50_ns",
			"Of it the call, median (the rest is the program: Python, operators)",
			RA_TABLE_TIME, find_middle(pace.calls, pace.call_count));
	}
	free(pace.calls);
	free(pace.intervals);
}

static struct ra_table_cell mean(int64_t sum_ns, uint64_t count)
{
	return ra_table_make_count(((uint64_t) sum_ns + count / 2) / count);
}

static int64_t add_parts(const struct ra_gpu_launch_sum *sum)
{
	return ra_util_add_time(ra_util_add_time(sum->launch_ns, sum->queue_ns), sum->run_ns);
}

static void put_sum(const struct ra_report_input *input, const struct ra_gpu_launch_sum *sum,
                    struct ra_table *table)
{
	const int64_t total_ns = add_parts(sum);
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[SUM_NAME] = ra_table_make_text(ra_op_names_text(input, sum->key, table));
	cells[SUM_KIND] = ra_table_make_word(ra_gpu_kind_name(ra_op_names_kind(sum->key)));
	cells[SUM_TOTAL] = ra_table_make_number(total_ns);
	if (total_ns > 0) {
		cells[SUM_LAUNCH_SHARE] = ra_table_make_share(sum->launch_ns, total_ns);
		cells[SUM_QUEUE_SHARE] = ra_table_make_share(sum->queue_ns, total_ns);
		cells[SUM_RUN_SHARE] = ra_table_make_share(sum->run_ns, total_ns);
	}
	cells[SUM_CALLS] = ra_table_make_count(sum->ops);
	cells[SUM_LAUNCH] = ra_table_make_number(sum->launch_ns);
	cells[SUM_QUEUE] = ra_table_make_number(sum->queue_ns);
	cells[SUM_RUN] = ra_table_make_number(sum->run_ns);
	cells[SUM_API_CALLS] = ra_table_make_count(sum->calls);
	if (sum->calls > 0) {
		cells[SUM_API_MEAN] = mean(sum->api_ns, sum->calls);
	}
	if (sum->ops > 0) {
		cells[SUM_QUEUE_MEAN] = mean(sum->queue_ns, sum->ops);
		cells[SUM_QUEUE_MAX] = ra_table_make_number(sum->queue_max_ns);
		cells[SUM_RUN_MEAN] = mean(sum->run_ns, sum->ops);
	}
	cells[SUM_BACKWARDS] = ra_table_make_count(sum->backwards);
	cells[SUM_NO_CALL] = ra_table_make_count(sum->no_call);
}

static void fill_sums(struct ra_report_input *input, struct ra_table *table)
{
	struct sums sums = { 0 };
	int64_t total_ns = 0;

	sum_all(&sums, input);
	for (size_t i = 0; i < sums.count; i++) {
		put_sum(input, &sums.rows[i], table);
		total_ns = ra_util_add_time(total_ns, add_parts(&sums.rows[i]));
	}
	put_medians(&sums, table);
	tell_queue(&sums, input);
	tell_pace(input);
	if (total_ns > input->model->end_ns) {
		ra_report_add_note(input, "Launches: Total and Queue are sums over launches that "
		                          "wait at once, one behind another, so they exceed the "
		                          "recording; Queue median is of one launch");
	}
	free(sums.rows);
	free(sums.values);
	ra_util_map_free(&sums.index);
}

const struct ra_report ra_report_launch = {
	.name = "launch-sum",
	.title = "Launches by name",
	.summary = "from the call to the end of GPU work: launch, queue, run",
	.none = "no GPU work",
	.is_gpu = true,
	.columns = sum_columns,
	.column_count = SUM_COLUMNS,
	.sort = "run_ns",
	.fill = fill_sums,
};

enum op_column {
	OP_RANK,
	OP_START,
	OP_CORRELATION,
	OP_NAME,
	OP_KIND,
	OP_DEVICE,
	OP_CONTEXT,
	OP_STREAM,
	OP_TID,
	OP_CALL,
	OP_CALL_START,
	OP_API,
	OP_QUEUE,
	OP_RUN,
	OP_BYTES,
	OP_RANGE,
	OP_RULE,
	OP_CLUSTER,
	OP_TYPE,
	OP_PRIORITY,
	OP_COLUMNS,
};

static const struct ra_table_column op_columns[OP_COLUMNS] = {
	[OP_RANK] = { "rank", "Rank", RA_TABLE_COUNT, "0" },
	[OP_START] = { "start_ns", "Start", RA_TABLE_TIME, NULL },
	[OP_CORRELATION] = { "correlation", "Corr. ID", RA_TABLE_COUNT, NULL },
	[OP_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[OP_KIND] = { "kind", "Kind", RA_TABLE_TEXT, "kernel" },
	[OP_DEVICE] = { "device", "GPU", RA_TABLE_COUNT, "0" },
	[OP_CONTEXT] = { "context", "Context", RA_TABLE_COUNT, NULL },
	[OP_STREAM] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
	[OP_TID] = { "tid", "TID", RA_TABLE_COUNT, NULL },
	[OP_CALL] = { "api", "API call", RA_TABLE_TEXT, NULL },
	[OP_CALL_START] = { "api_start_ns", "API start", RA_TABLE_TIME, NULL },
	[OP_API] = { "cpu_duration_ns", "API", RA_TABLE_TIME, NULL },
	[OP_QUEUE] = { "launch_delay_ns", "Queue", RA_TABLE_TIME, NULL },
	[OP_RUN] = { "gpu_duration_ns", "Run", RA_TABLE_TIME, NULL },
	[OP_BYTES] = { "bytes", "Bytes", RA_TABLE_COUNT, "0" },
	[OP_RANGE] = { "range", "Range", RA_TABLE_TEXT, NULL },
	[OP_RULE] = { "rule", "Rule", RA_TABLE_TEXT, NULL },
	[OP_CLUSTER] = { "cluster_blocks", "Cluster", RA_TABLE_COUNT, "" },
	[OP_TYPE] = { "launch_type", "Type", RA_TABLE_TEXT, "" },
	[OP_PRIORITY] = { "priority", "Priority", RA_TABLE_COUNT, "" },
};

/* Fills the columns about the host. */
static void put_call(const struct ra_model *model, const struct ra_gpu_op *op,
                     struct ra_table_cell *cells)
{
	const struct ra_gpu_api *api;
	struct ra_gpu_launch launch;

	if (!ra_gpu_launch_find(&model->gpu, op, &launch)) {
		return;
	}
	api = &model->gpu.apis[op->api];
	cells[OP_TID] = ra_table_make_number(model->tracks[api->track].tid);
	cells[OP_CALL] = ra_table_make_text(ra_model_string(model, api->name));
	cells[OP_CALL_START] = ra_table_make_number(api->start_ns);
	cells[OP_API] = ra_table_make_number(api->dur_ns);
	cells[OP_QUEUE] = ra_table_make_number(launch.queue_ns);
}

/* Fills the columns about unusual settings of a kernel's launch. */
static void put_attributes(const struct ra_gpu *gpu, const struct ra_gpu_op *op,
                           struct ra_table_cell *cells)
{
	const struct ra_gpu_shape *shape =
		op->shape < gpu->shape_count ? &gpu->shapes[op->shape] : NULL;

	if (op->kind != RA_GPU_KERNEL || shape == NULL) {
		return;
	}
	if (ra_gpu_metrics_cluster(shape) > 0) {
		cells[OP_CLUSTER] = ra_table_make_count(ra_gpu_metrics_cluster(shape));
	}
	if (shape->launch_type != 0) {
		cells[OP_TYPE] = ra_table_make_word(ra_gpu_launch_name(shape->launch_type));
	}
	if (shape->priority != 0) {
		cells[OP_PRIORITY] = ra_table_make_number(shape->priority);
	}
}

static void put_op(const struct ra_report_input *input, int64_t rank, const struct ra_gpu_op *op,
                   struct ra_table *table)
{
	const struct ra_gpu_queue *queue = &input->model->gpu.queues[op->queue];
	struct ra_table_cell *cells = ra_table_add_row(table);
	uint64_t key = ra_op_names_find(input, op);
	struct rlog_string name = ra_op_names_text(input, key, table);

	cells[OP_RANK] = ra_table_make_number(rank);
	cells[OP_START] = ra_table_make_number(op->start_ns);
	if (op->corr != 0) {
		cells[OP_CORRELATION] = ra_table_make_count(op->corr);
	}
	cells[OP_NAME] = ra_table_make_text(name);
	cells[OP_KIND] = ra_table_make_word(ra_gpu_kind_name((enum ra_gpu_kind) op->kind));
	cells[OP_DEVICE] = ra_table_make_id(queue->device);
	cells[OP_CONTEXT] = ra_table_make_count(queue->context);
	cells[OP_STREAM] = ra_table_make_id(queue->stream);
	put_call(input->model, op, cells);
	put_attributes(&input->model->gpu, op, cells);
	cells[OP_RUN] = ra_table_make_number(op->dur_ns);
	if (op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET) {
		cells[OP_BYTES] = ra_table_make_count(op->bytes);
	}
	if (op->slice != RA_NONE) {
		name = ra_op_names_range(input, op->slice);
		cells[OP_RANGE] = ra_table_make_text(name);
		cells[OP_RULE] = ra_table_make_word(ra_gpu_rule_name((enum ra_gpu_rule) op->rule));
	}
}

/* Orders operations by start. The sort is stable, so equal ones stay ordered by device. */
static int compare_ops(const void *a, const void *b)
{
	const struct ra_gpu_order_op *left = a;
	const struct ra_gpu_order_op *right = b;
	int order = RA_ORDER_UP(left, right, start_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, device));
	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(left, right, end_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, op));
}

static void put_ops(const struct ra_report_input *file, int64_t rank, struct ra_table *table)
{
	const struct ra_gpu *gpu = &file->model->gpu;
	struct ra_gpu_order order;

	ra_gpu_order_init(&order, file->model);
	RA_SORT(order.ops, gpu->op_count, compare_ops);
	for (size_t i = 0; i < gpu->op_count; i++) {
		put_op(file, rank, &gpu->ops[order.ops[i].op], table);
	}
	ra_gpu_order_fini(&order);
}

static void fill_ops(struct ra_report_input *input, struct ra_table *table)
{
	for (size_t i = 0; i < ra_report_file_count(input); i++) {
		struct ra_report_input file;

		ra_rank_names_input(&file, input, i);
		put_ops(&file, ra_report_file_rank(input, i), table);
	}
}

const struct ra_report ra_report_launches = {
	.name = "launch",
	.reads_several = true,
	.title = "Launches",
	.summary = "every operation of the GPU with its call and its range",
	.none = "no GPU work",
	.is_gpu = true,
	.is_long = true,
	.columns = op_columns,
	.column_count = OP_COLUMNS,
	.fill = fill_ops,
};
