/* SPDX-License-Identifier: MIT */
/* Adds to a summary's part GPU work, calls of CUDA, and devices. */
#include "analyzer/summary-file/build/sum-build-rows.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/figures/gpu/gpu-busy.h"
#include "analyzer/steps/steps.h"
#include "analyzer/summary-file/build/sum-series.h"
#include "analyzer/base/util.h"

/* If a row has more calls than this, its single calls are not stored. */
#define MOST_CALLS (1u << 16)

/* A call of a collective. When all are collected, they are sorted by start. */
struct call {
	uint32_t row;
	uint32_t op;
	int64_t start_ns;
	int64_t dur_ns;
};

struct calls {
	struct call *rows; /* owned */
	size_t count;
	size_t capacity;
};

/* The key of a row of GPU work or calls. */
struct gpu_key {
	enum ra_sum_table table;
	uint32_t kind;
	uint32_t label;
	int64_t device;
};

/* Finds or makes the row of a key. A new row has is_new set, and needs a name. Numbers of devices
 * in traces come from the file; a number that does not fit into the map's key is stored next to the
 * key. */
static struct ra_sum_row *find_row(struct ra_sum_build_job *job, struct ra_util_map *rows,
                                   const struct gpu_key *key)
{
	struct ra_sum_row *row;
	uint64_t word = ((uint64_t) key->device << 40) ^ ((uint64_t) key->table << 37) ^
	                ((uint64_t) key->kind << 32) ^ key->label;
	uint32_t index;

	for (;; word++) {
		index = ra_util_map_find(rows, word);
		if (index == RA_UTIL_MAP_NONE) {
			break;
		}
		row = &job->part->rows[index];
		if (row->table == key->table && row->kind == key->kind &&
		    row->device == key->device && row->name == key->label) {
			return row;
		}
	}
	row = ra_sum_add_row(job->part);
	row->table = key->table;
	row->kind = key->kind;
	row->device = key->device;
	row->name = key->label;
	ra_util_map_put(rows, word, (uint32_t) (job->part->row_count - 1));
	return row;
}

static void count_row(struct ra_sum_build_job *job, struct ra_sum_row *row, int64_t dur_ns,
                      int64_t start_ns)
{
	struct ra_sum_series *series = job->options->series;

	if (series != NULL) {
		ra_sum_series_note(series, (uint32_t) (row - job->part->rows), dur_ns,
		                   (uint32_t) row->stat.count);
	}
	row->total_ns = ra_util_add_time(row->total_ns, dur_ns);
	ra_sum_stat_add(&row->stat, dur_ns, start_ns);
}

/* The text that names a kernel. Kernels share few names, and names are long, so each name is looked
 * up once. */
static uint32_t name_kernel(struct ra_sum_build_job *job, uint32_t name)
{
	uint32_t *text = &job->kernel_texts[name];

	if (*text == 0) {
		const uint32_t label = ra_labels_find(&job->kernels, name);

		*text = ra_sum_build_text(job, ra_labels_name(&job->kernels, label));
	}
	return *text;
}

uint32_t ra_sum_build_name_call(struct ra_sum_build_job *job, const struct ra_gpu_api *api)
{
	uint32_t *text = &job->call_texts[api->name];

	if (*text == 0) {
		*text = ra_sum_build_text(job, ra_model_string(job->whole, api->name));
	}
	return *text;
}

uint32_t ra_sum_build_name_op(struct ra_sum_build_job *job, const struct ra_gpu_op *op)
{
	struct ra_util_text text = { 0 };
	uint32_t index;

	switch ((enum ra_gpu_kind) op->kind) {
	case RA_GPU_KERNEL:
		return name_kernel(job, op->name);
	case RA_GPU_COPY:
		return ra_sum_build_text(job, ra_util_string(ra_gpu_copy_name(op->copy_kind)));
	case RA_GPU_GRAPH:
		ra_util_text_format(&text, op->graph == 0 ? "graph" : "graph %lu",
		                    (unsigned long) op->graph);
		index = ra_sum_build_text(
			job, (struct rlog_string){ text.bytes, (uint32_t) text.length, 0 });
		ra_util_text_free(&text);
		return index;
	case RA_GPU_SET:
	case RA_GPU_KINDS:
		break;
	}
	return ra_sum_build_text(job, ra_util_string("Memset"));
}

static int compare_calls(const void *a, const void *b)
{
	const struct call *left = a;
	const struct call *right = b;
	int order = RA_ORDER_UP(left, right, row);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, op));
}

/* Adds the durations of collectives. With these, ranks are compared call by call. */
static void add_calls(struct ra_sum_part *part, struct calls *calls)
{
	RA_SORT(calls->rows, calls->count, compare_calls);
	for (size_t i = 0; i < calls->count; i++) {
		const struct call *call = &calls->rows[i];

		if (part->rows[call->row].stat.count > MOST_CALLS) {
			continue;
		}
		if (i == 0 || call->row != calls->rows[i - 1].row) {
			ra_sum_add_calls(part, call->row, call->start_ns);
		}
		ra_sum_add_duration(part, call->dur_ns < 0 ? 0 : call->dur_ns);
	}
}

static void add_op(struct ra_sum_build_job *job, struct ra_util_map *rows, struct calls *calls,
                   const struct ra_gpu_op *op)
{
	const bool is_copy = op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET;
	struct gpu_key key = {
		.table = is_copy ? RA_SUM_COPIES : RA_SUM_KERNELS,
		.kind = op->is_collective ? RA_SUM_COLLECTIVE : op->kind,
		.device = job->model->gpu.queues[op->queue].device,
	};
	struct ra_sum_row *row;

	key.label = ra_sum_build_name_op(job, op);
	row = find_row(job, rows, &key);
	row->bytes = ra_util_add(row->bytes, op->bytes);
	if (key.kind == RA_SUM_COLLECTIVE) {
		RA_UTIL_APPEND(calls->rows, calls->count, calls->capacity,
		               (struct call){ .row = (uint32_t) (row - job->part->rows),
		                              .op = (uint32_t) (op - job->model->gpu.ops),
		                              .start_ns = op->start_ns,
		                              .dur_ns = op->dur_ns });
	}
	count_row(job, row, op->dur_ns, op->start_ns);
}

static void add_api(struct ra_sum_build_job *job, struct ra_util_map *rows,
                    const struct ra_gpu_api *api)
{
	struct gpu_key key = { .table = RA_SUM_APIS, .device = -1 };
	struct ra_sum_row *row;

	key.label = ra_sum_build_name_call(job, api);
	row = find_row(job, rows, &key);
	row->errors += api->result != 0;
	count_row(job, row, api->dur_ns, api->start_ns);
}

static void add_devices(struct ra_sum_build_job *job)
{
	struct ra_sum_part *part = job->part;
	struct ra_gpu_order order = { 0 };
	struct ra_gpu_busies busies = { 0 };

	ra_gpu_order_init(&order, job->time);
	ra_gpu_busy_init(&busies, job->time, &order);
	ra_sum_make_lists(part, 0, busies.count, 0);
	for (size_t i = 0; i < busies.count; i++) {
		const struct ra_gpu_busy *busy = &busies.rows[i];
		const struct ra_gpu_device *device =
			ra_gpu_find_device(&job->time->gpu, busy->device);

		part->devices[i] = (struct ra_sum_device){
			.id = busy->device,
			.ops = busy->ops,
			.busy_ns = busy->busy_ns,
			.kernel_busy_ns = busy->kernel_busy_ns,
			.sync_ns = busy->sync_ns,
		};
		part->device_count++;
		if (device != NULL && device->name != 0) {
			part->devices[i].name =
				ra_sum_build_text(job, ra_model_string(job->time, device->name));
		}
	}
	ra_gpu_busy_fini(&busies);
	ra_gpu_order_fini(&order);
}

static void add_kinds(struct ra_sum_build_job *job)
{
	struct ra_rank_gpu gpu;

	ra_rank_gpu_sum(&gpu, job->time);
	job->part->gpu_span_ns = gpu.span_ns;
	for (size_t i = 0; i < RA_RANK_KINDS; i++) {
		job->part->gpu_exactly_ns[i] = gpu.device_ns[i];
	}
	job->part->gpu_outside_ns = job->model->gpu.rule_ns[RA_GPU_RULE_NONE];
	job->part->gpu_outside_ops = job->model->gpu.rule_ops[RA_GPU_RULE_NONE];
}

void ra_sum_build_gpu(struct ra_sum_build_job *job)
{
	const struct ra_gpu *gpu = &job->model->gpu;
	struct ra_util_map rows = { 0 };
	struct calls calls = { 0 };

	for (size_t i = 0; i < gpu->op_count; i++) {
		add_op(job, &rows, &calls, &gpu->ops[i]);
	}
	for (size_t i = 0; i < gpu->api_count; i++) {
		add_api(job, &rows, &gpu->apis[i]);
	}
	ra_util_map_free(&rows);
	add_calls(job->part, &calls);
	free(calls.rows);
	add_devices(job);
	add_kinds(job);
}
