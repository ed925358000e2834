/* SPDX-License-Identifier: MIT */
/* The report "operators": calls, host and device time of operators. */
#include "analyzer/base/alloc.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/report/report-steps.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/reports/operators-walk.h"
#include "analyzer/reports/reports.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/figures/python-stacks.h"
#include "analyzer/compat/tb/tables.h"
#include "analyzer/figures/throughput/rates.h"
#include "analyzer/names/tensor.h"
#include "analyzer/rows/kineto-details.h"
#include "analyzer/base/util.h"

enum column {
	NAME,
	SHAPES,
	STACK,
	DTYPE,
	CALLS,
	SELF_DEVICE,
	DEVICE_TOTAL,
	SELF_HOST,
	HOST_TOTAL,
	ELIGIBLE,
	TENSOR_SELF,
	RATES,
	COLUMNS = RATES + RA_RATE_COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[SHAPES] = { "input_shapes", "Input shapes", RA_TABLE_TEXT, NULL },
	[STACK] = { "call_stack", "Call stack", RA_TABLE_TEXT, NULL },
	[DTYPE] = { "data_type", "Data type", RA_TABLE_TEXT, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[SELF_DEVICE] = { "self_device_ns", "Self device", RA_TABLE_TIME, NULL },
	[DEVICE_TOTAL] = { "device_total_ns", "Device total", RA_TABLE_TIME, NULL },
	[SELF_HOST] = { "self_host_ns", "Self host", RA_TABLE_TIME, NULL },
	[HOST_TOTAL] = { "host_total_ns", "Host total", RA_TABLE_TIME, NULL },
	[ELIGIBLE] = { "tensor_cores_eligible", "TC eligible", RA_TABLE_FLAG, NULL },
	[TENSOR_SELF] = { "tensor_cores_self", "TC self", RA_TABLE_SHARE, NULL },
	RA_RATE_TABLE_COLUMNS(RATES),
};

struct row {
	uint64_t calls;
	int64_t self_device_ns;
	int64_t device_total_ns;
	int64_t self_host_ns;
	int64_t host_total_ns;
	int64_t tensor_ns;
	struct ra_rate rate;
	uint64_t open;    /* number of these operators that are open at the current place */
	uint64_t last_op; /* 1 + the last GPU operation added */
};

struct operators {
	const struct ra_model *model;
	struct ra_labels *labels; /* borrowed; for ranges of logs; NULL: names are not changed */
	bool by_shape;
	bool by_stack;
	bool by_dtype;
	struct ra_util_map dtypes;      /* string id of an event's types → enum ra_kernel_type */
	struct ra_python_stacks stacks; /* owned; used if by_stack is set */
	bool of_modules;
	uint32_t *row_of; /* owned; by slice: its row; RA_NONE: it is no operator */
	int64_t *self_ns; /* owned; by slice: its time without the operators inside it */
	/* owned; by slice: the slice itself if it is an operator, or the nearest operator around
	 * it */
	uint32_t *owner;
	struct ra_works works;
	struct ra_tb_index index;
	struct row *rows; /* owned */
	size_t capacity;
	int64_t outside_ns; /* GPU time that belongs to no operator */
	uint64_t outside;
	bool *uses_tensor; /* owned; by name of a kernel: the kernel uses tensor cores */
	bool has_tensor;   /* names of kernels tell if they use tensor cores */
};

/* True for a call of an nn.Module: a Python function with a module number. */
static bool is_module(const struct ra_model *model, uint32_t slice)
{
	struct ra_kineto_value value;

	return ra_kineto_get(model->kineto, ra_model_rows_find_slice(model, slice),
	                     RA_KINETO_ARG_PYTHON_MODULE_ID, &value) &&
	       value.type != RA_KINETO_NULL;
}

/* True for an operator. A trace tells which ranges are operators; in a log all push/pop ranges
 * are. */
static bool is_operator(const struct operators *by, const struct ra_track *track, uint32_t slice)
{
	const struct ra_model *model = by->model;

	if (by->of_modules) {
		return is_module(model, slice);
	}
	if (track->kind != RA_TRACK_THREAD || (model->slices.flags[slice] & RA_SLICE_WAIT) != 0) {
		return false;
	}
	return ra_model_rows_is_operator(model, slice);
}

/* The first type of an input for which devices have a peak rate. */
static uint32_t find_dtype(struct operators *by, uint32_t slice)
{
	const struct ra_kineto *kineto = by->model->kineto;
	const uint32_t id = ra_kineto_get_text(kineto, ra_model_rows_find_slice(by->model, slice),
	                                       RA_KINETO_ARG_INPUT_TYPE);

	uint32_t type = id == 0 ? RA_KERNEL_TYPE_UNKNOWN : ra_util_map_find(&by->dtypes, id);

	if (type == RA_UTIL_MAP_NONE) {
		type = ra_op_work_find_type(ra_kineto_string(kineto, id));
		ra_util_map_put(&by->dtypes, id, type);
	}
	return type;
}

static uint32_t find_row(struct operators *by, const struct ra_tb_key *key)
{
	const uint32_t row = ra_tb_index_find(&by->index, key);

	if (by->capacity < by->index.count) {
		const size_t before = by->capacity;

		ra_util_grow(&by->rows, &by->capacity, by->index.count, sizeof(*by->rows));
		memset(by->rows + before, 0, (by->capacity - before) * sizeof(*by->rows));
	}
	return row;
}

static void add_slice(struct operators *by, uint32_t slice)
{
	const struct ra_slices *slices = &by->model->slices;
	const uint32_t parent = slices->parent[slice];
	struct ra_tb_key key = { { ra_labels_find(by->labels, slices->name[slice]) } };
	uint32_t row;

	if (by->by_shape) {
		key.part[1] = ra_kineto_get_shape(by->model->kineto,
		                                  ra_model_rows_find_slice(by->model, slice));
	}
	if (by->by_stack) {
		key.part[2] = ra_python_stacks_find(&by->stacks,
		                                    ra_model_rows_find_slice(by->model, slice));
	}
	if (by->by_dtype) {
		key.part[3] = find_dtype(by, slice);
	}
	row = find_row(by, &key);
	by->row_of[slice] = row;
	by->owner[slice] = slice;
	by->self_ns[slice] = slices->dur_ns[slice];
	by->rows[row].calls++;
	if (parent != RA_NONE && by->owner[parent] != RA_NONE) {
		by->self_ns[by->owner[parent]] -= slices->dur_ns[slice];
	}
}

/* Adds the slices of a track. Parents come before children. */
static void add_track(struct operators *by, const struct ra_track *track)
{
	const struct ra_slices *slices = &by->model->slices;

	for (size_t i = 0; i < track->slice_count; i++) {
		const uint32_t slice = (uint32_t) (track->first_slice + i);
		const uint32_t parent = slices->parent[slice];

		by->owner[slice] = parent == RA_NONE ? RA_NONE : by->owner[parent];
		if (is_operator(by, track, slice)) {
			add_slice(by, slice);
		}
	}
}

static uint32_t above(const struct operators *by, uint32_t slice)
{
	const uint32_t parent = by->model->slices.parent[slice];

	return parent == RA_NONE ? RA_NONE : by->owner[parent];
}

/* Sums the host's time of operators. An operator inside another operator of its row adds nothing to
 * the row's total. */
static void sum_host(struct operators *by)
{
	const struct ra_slices *slices = &by->model->slices;
	uint32_t open = RA_NONE; /* innermost open operator */

	for (uint32_t slice = 0; slice < slices->count && by->rows != NULL; slice++) {
		struct row *row;

		if (by->row_of[slice] == RA_NONE) {
			continue;
		}
		if ((slices->flags[slice] & RA_SLICE_CROSSING) != 0) { /* it is not in the tree */
			row = &by->rows[by->row_of[slice]];
			row->host_total_ns =
				ra_util_add_time(row->host_total_ns, slices->dur_ns[slice]);
			continue;
		}
		while (open != RA_NONE && open != above(by, slice)) {
			by->rows[by->row_of[open]].open--;
			open = above(by, open);
		}
		row = &by->rows[by->row_of[slice]];
		if (row->open == 0) {
			row->host_total_ns =
				ra_util_add_time(row->host_total_ns, slices->dur_ns[slice]);
		} else if (by->works.count > 0) {
			/* the outer operator counts this work */
			by->works.of_slice[slice] = RA_NONE;
		}
		row->open++;
		open = slice;
	}
}

/* Subtracts from an operator's own time the time of the CUDA calls that it makes. Calls inside
 * another call are a part of that call. */
static void take_calls(struct operators *by)
{
	const struct ra_gpu *gpu = &by->model->gpu;
	const struct ra_slices *slices = &by->model->slices;
	uint32_t track = RA_NONE;
	int64_t until_ns = 0;

	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const uint32_t owner = api->slice == RA_NONE ? RA_NONE : by->owner[api->slice];
		int64_t end_ns = api->start_ns + api->dur_ns;

		if (api->track == track && api->start_ns < until_ns) {
			continue;
		}
		track = api->track;
		until_ns = end_ns;
		if (owner == RA_NONE) {
			continue;
		}
		if (end_ns > slices->start_ns[owner] + slices->dur_ns[owner]) {
			end_ns = slices->start_ns[owner] + slices->dur_ns[owner];
		}
		by->self_ns[owner] -= end_ns > api->start_ns ? end_ns - api->start_ns : 0;
	}
}

static void sum_self(struct operators *by)
{
	for (uint32_t slice = 0; slice < by->model->slices.count; slice++) {
		const uint32_t row = by->row_of[slice];

		if (row != RA_NONE && by->self_ns[slice] > 0) {
			by->rows[row].self_host_ns =
				ra_util_add_time(by->rows[row].self_host_ns, by->self_ns[slice]);
		}
	}
}

/* Adds work that no operator of the host launched. It may name an operator of the device, as XLA's
 * programs do. Then each operation counts as one call of that operator. */
static void add_outside(struct operators *by, size_t i)
{
	const struct ra_gpu_op *op = &by->model->gpu.ops[i];
	const uint32_t name = ra_kineto_details_operator(
		by->model->kineto, ra_model_rows_find_op(by->model, i), by->of_modules);
	const struct ra_tb_key key = { { ra_labels_find(by->labels, name) } };
	struct row *row;
	uint32_t place;

	if (name == 0) {
		by->outside_ns = ra_util_add_time(by->outside_ns, op->dur_ns);
		by->outside++;
		return;
	}
	place = find_row(by, &key); /* this may move the rows in memory */
	row = &by->rows[place];
	row->calls++;
	row->self_device_ns = ra_util_add_time(row->self_device_ns, op->dur_ns);
	row->device_total_ns = ra_util_add_time(row->device_total_ns, op->dur_ns);
	if (op->kind == RA_GPU_KERNEL && by->uses_tensor[op->name]) {
		row->tensor_ns = ra_util_add_time(row->tensor_ns, op->dur_ns);
	}
}

/* Adds GPU work. An operation is added once to each row that has an operator open at its launch. */
static void sum_device(struct operators *by)
{
	const struct ra_gpu *gpu = &by->model->gpu;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		uint32_t at = op->slice == RA_NONE ? RA_NONE : by->owner[op->slice];
		struct row *row;

		if (at == RA_NONE) {
			add_outside(by, i);
			continue;
		}
		row = &by->rows[by->row_of[at]];
		row->self_device_ns = ra_util_add_time(row->self_device_ns, op->dur_ns);
		if (op->kind == RA_GPU_KERNEL && by->uses_tensor[op->name]) {
			row->tensor_ns = ra_util_add_time(row->tensor_ns, op->dur_ns);
		}
		for (; at != RA_NONE; at = above(by, at)) {
			row = &by->rows[by->row_of[at]];
			if (row->last_op != i + 1) {
				row->last_op = i + 1;
				row->device_total_ns =
					ra_util_add_time(row->device_total_ns, op->dur_ns);
			}
		}
	}
}

/* Sums the work and the GPU time of those calls for which both are known. */
static void sum_rates(struct operators *by)
{
	const struct ra_works *works = &by->works;
	const struct ra_gpu *gpu = &by->model->gpu;
	/* by slice; reuses the array, which is not needed any more for its first purpose */
	int64_t *device_ns = by->self_ns;

	if (works->count == 0) {
		return;
	}
	memset(device_ns, 0, by->model->slices.count * sizeof(*device_ns));
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		uint32_t at = op->slice == RA_NONE ? RA_NONE : by->owner[op->slice];

		for (; at != RA_NONE; at = above(by, at)) {
			if (works->of_slice[at] == RA_NONE || device_ns[at] < 0) {
				continue;
			}
			if (ra_rate_is_foreign(op) &&
			    !(works->rows[works->of_slice[at]].flops > 0)) {
				device_ns[at] = -1;
				continue;
			}
			device_ns[at] = ra_util_add_time(device_ns[at], op->dur_ns);
		}
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		uint32_t at = op->slice == RA_NONE ? RA_NONE : by->owner[op->slice];

		for (; at != RA_NONE; at = above(by, at)) {
			if (works->of_slice[at] != RA_NONE && device_ns[at] > 0) {
				ra_rates_add_peak(&by->rows[by->row_of[at]].rate, works, at, op);
			}
		}
	}
	for (uint32_t slice = 0; slice < by->model->slices.count; slice++) {
		if (by->row_of[slice] != RA_NONE && works->of_slice[slice] != RA_NONE &&
		    device_ns[slice] > 0) {
			ra_rates_add(&by->rows[by->row_of[slice]].rate,
			             &works->rows[works->of_slice[slice]], 1, device_ns[slice]);
		}
	}
}

static void collect(struct operators *by)
{
	const struct ra_model *model = by->model;
	const size_t count = model->slices.count;

	by->row_of = ra_alloc_bytes((count + 1) * sizeof(*by->row_of));
	by->owner = ra_alloc_bytes((count + 1) * sizeof(*by->owner));
	by->self_ns = ra_alloc_zeros(count + 1, sizeof(*by->self_ns));
	memset(by->row_of, 0xff, (count + 1) * sizeof(*by->row_of));
	memset(by->owner, 0xff, (count + 1) * sizeof(*by->owner));
	ra_works_init(&by->works, model);
	for (size_t t = 0; t < model->track_count; t++) {
		add_track(by, &model->tracks[t]);
	}
	sum_host(by);
	take_calls(by);
	sum_self(by);
	sum_device(by);
	sum_rates(by);
}

static int64_t clip_time(uint64_t ns)
{
	return ns < INT64_MAX ? (int64_t) ns : INT64_MAX;
}

/* Fills the rows from a model with a walk, which has no GPU work. */
static void collect_walk(struct operators *by)
{
	struct ra_operators_walk walk = { 0 };

	if (!by->of_modules) {
		ra_operators_walk_fill(&walk, by->model, by->labels);
	}
	for (size_t i = 0; i < walk.count; i++) {
		const struct ra_tb_key key = { { walk.rows[i].label } };
		const uint32_t place = find_row(by, &key); /* this may move the rows in memory */
		struct row *row = &by->rows[place];

		row->calls = walk.rows[i].calls;
		row->self_host_ns = clip_time(walk.rows[i].self_ns);
		row->host_total_ns = clip_time(walk.rows[i].total_ns);
	}
	ra_operators_walk_fini(&walk);
}

static void put_shapes(const struct operators *by, const struct ra_tb_key *key,
                       struct ra_table *table, struct ra_table_cell *cell)
{
	const uint32_t id = key->part[1];

	if (by->by_shape && by->labels != NULL) {
		*cell = ra_table_make_text(ra_labels_shape(by->labels, key->part[0]));
	} else if (id != 0) {
		*cell = ra_table_make_text(
			ra_report_keep_list(table, ra_kineto_string(by->model->kineto, id)));
	}
}

static void put_rows(const struct operators *by, struct ra_table *table)
{
	for (size_t i = 0; i < by->index.count; i++) {
		const struct row *row = &by->rows[i];
		const struct rlog_string name =
			by->labels != NULL ? ra_labels_name(by->labels, by->index.keys[i].part[0])
					   : ra_model_string(by->model, by->index.keys[i].part[0]);
		struct ra_table_cell *cells = ra_table_add_row(table);

		put_shapes(by, &by->index.keys[i], table, &cells[SHAPES]);
		cells[NAME] = ra_table_make_text(name);
		if (by->index.keys[i].part[2] != 0) {
			cells[STACK] = ra_table_make_text(ra_python_stacks_text(
				&by->stacks, by->index.keys[i].part[2], table));
		}
		cells[DTYPE] = ra_table_make_word(
			ra_kernel_kinds_type((uint8_t) by->index.keys[i].part[3]));
		cells[CALLS] = ra_table_make_count(row->calls);
		cells[SELF_DEVICE] = ra_table_make_number(row->self_device_ns);
		cells[DEVICE_TOTAL] = ra_table_make_number(row->device_total_ns);
		cells[SELF_HOST] = ra_table_make_number(row->self_host_ns);
		cells[HOST_TOTAL] = ra_table_make_number(row->host_total_ns);
		cells[ELIGIBLE] = ra_table_make_number(ra_tensor_is_any_operator(name));
		if (row->self_device_ns > 0 && by->has_tensor) {
			cells[TENSOR_SELF] =
				ra_table_make_share(row->tensor_ns, row->self_device_ns);
		}
		ra_rates_put(&row->rate, &cells[RATES]);
	}
}

/* Adds a row for GPU work outside all operators, so that the column adds up. */
static void put_outside(const struct operators *by, struct ra_table *table)
{
	static const struct rlog_string name = { "(outside any operator)", 22, 22 };
	struct ra_table_cell *cells;

	if (by->outside == 0) {
		return;
	}
	cells = ra_table_add_row(table);
	cells[NAME] = ra_table_make_text(name);
	cells[SELF_DEVICE] = ra_table_make_number(by->outside_ns);
	cells[DEVICE_TOTAL] = ra_table_make_number(by->outside_ns);
}

static void hide_rates(struct ra_report_input *input, const struct operators *by,
                       struct ra_table *table)
{
	struct ra_rate sum = { 0 };

	for (size_t i = 0; i < by->index.count; i++) {
		ra_rate_take_known(&sum, &by->rows[i].rate);
	}
	ra_report_show_rates(input, &sum, table, RATES);
}

static void fill_any(struct ra_report_input *input, struct ra_table *table, bool of_modules)
{
	struct operators by = {
		.model = input->model,
		.labels = ra_model_has(input->model, RA_HAS_OPERATORS) ? NULL : input->labels,
		.by_shape = !of_modules && (input->group_by & RA_GROUP_BY_SHAPE) != 0,
		.by_stack = !of_modules && (input->group_by & RA_GROUP_BY_STACK) != 0,
		.by_dtype = !of_modules && (input->group_by & RA_GROUP_BY_DTYPE) != 0,
		.of_modules = of_modules,
		.uses_tensor = ra_gpu_metrics_find_tensor(input->model),
		.has_tensor = !ra_gpu_metrics_is_rocm(input->model),
	};

	if (by.by_stack) {
		ra_python_stacks_init(&by.stacks, input->model);
	}
	if (by.model->walk != NULL) {
		collect_walk(&by);
	} else {
		collect(&by);
	}
	put_rows(&by, table);
	if (!of_modules || table->row_count > 0) {
		put_outside(&by, table);
	}
	hide_rates(input, &by, table);
	if (!by.by_shape) {
		ra_table_hide(table, SHAPES);
	}
	if (!by.by_dtype) {
		ra_table_hide(table, DTYPE);
	}
	if (!by.by_stack) {
		ra_table_hide(table, STACK);
	}
	ra_python_stacks_fini(&by.stacks);
	ra_tb_index_fini(&by.index);
	ra_util_map_free(&by.dtypes);
	ra_works_fini(&by.works);
	free(by.uses_tensor);
	free(by.row_of);
	free(by.owner);
	free(by.self_ns);
	free(by.rows);
}

static void fill_operators(struct ra_report_input *input, struct ra_table *table)
{
	fill_any(input, table, false);
}

const struct ra_report ra_report_operators = {
	.name = "operators",
	.groups = RA_GROUP_BY_NAME | RA_GROUP_BY_SHAPE | RA_GROUP_BY_STACK | RA_GROUP_BY_DTYPE,
	.title = "Operators",
	.summary = "operators of PyTorch, or ranges: host and device time",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "self_device_ns",
	.fill = fill_operators,
	.none = "no operators",
};

static void fill_modules(struct ra_report_input *input, struct ra_table *table)
{
	ra_table_hide(table, ELIGIBLE);
	fill_any(input, table, true);
}

const struct ra_report ra_report_modules = {
	.name = "modules",
	.title = "Modules",
	.summary = "modules of PyTorch (with --python): host and device time",
	.more_of = "operators",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "device_total_ns",
	.fill = fill_modules,
	.none = "no modules: record the trace with with_modules or with_stack, and read it with "
		"--python",
};
