/* SPDX-License-Identifier: MIT */
/* Reports operators, kernels and memory, as in the TensorBoard plugin. */
#include "analyzer/compat/tb/report-tb.h"

#include "analyzer/compat/tb/tables.h"

#define TB RA_COMPAT_BIT(RA_COMPAT_TB)

/* Returns a name, or the plugin's name for the root of a thread. */
static struct ra_table_cell make_name(const struct ra_tb *tb, uint32_t name)
{
	static const struct rlog_string root = { "CallTreeRoot", 12, 12 };
	static const struct rlog_string none = { "N/A", 3, 3 };

	if (name == RA_TB_ROOT_NAME) {
		return ra_table_make_text(root);
	}
	return ra_table_make_text(
		name == RA_KINETO_NONE ? none : ra_kineto_string(tb->events.kineto, name));
}

/* Writes a list as Python does. */
static struct ra_table_cell make_list(const struct ra_tb *tb, uint32_t id, struct ra_table *table)
{
	return ra_table_make_text(ra_report_keep_list(
		table, id == 0 ? ra_util_string("[]") : ra_kineto_string(tb->events.kineto, id)));
}

enum operator_column {
	OP_NAME,
	OP_SHAPES,
	OP_STACK,
	OP_CALLS,
	OP_SELF_DEVICE,
	OP_DEVICE_TOTAL,
	OP_SELF_HOST,
	OP_HOST_TOTAL,
	OP_ELIGIBLE,
	OP_TENSOR_SELF,
	OP_TENSOR_TOTAL,
	OP_COLUMNS,
};

static const struct ra_table_column operator_columns[OP_COLUMNS] = {
	[OP_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[OP_SHAPES] = { "input_shapes", "Input shapes", RA_TABLE_TEXT, NULL },
	[OP_STACK] = { "call_stack", "Call stack", RA_TABLE_TEXT, NULL },
	[OP_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[OP_SELF_DEVICE] = { "self_device_us", "Self device", RA_TABLE_REAL, NULL },
	[OP_DEVICE_TOTAL] = { "device_total_us", "Device total", RA_TABLE_REAL, NULL },
	[OP_SELF_HOST] = { "self_host_us", "Self host", RA_TABLE_REAL, NULL },
	[OP_HOST_TOTAL] = { "host_total_us", "Host total", RA_TABLE_REAL, NULL },
	[OP_ELIGIBLE] = { "tensor_cores_eligible", "TC eligible", RA_TABLE_FLAG, NULL },
	[OP_TENSOR_SELF] = { "tensor_cores_self", "TC self", RA_TABLE_REAL, NULL },
	[OP_TENSOR_TOTAL] = { "tensor_cores_total", "TC total", RA_TABLE_REAL, NULL },
};

static double divide(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static void add_operator(const struct ra_tb *tb, const struct ra_tb_operator *row,
                         struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[OP_SHAPES] = make_list(tb, row->shape, table);
	cells[OP_NAME] = make_name(tb, row->name);
	if (row->stack != 0) {
		cells[OP_STACK] =
			ra_table_make_text(ra_kineto_string(tb->events.kineto, row->stack));
	}
	cells[OP_CALLS] = ra_table_make_count(row->calls);
	cells[OP_SELF_DEVICE] = ra_table_make_real(row->device_self);
	cells[OP_DEVICE_TOTAL] = ra_table_make_real(row->device_total);
	cells[OP_SELF_HOST] = ra_table_make_real(row->host_self);
	cells[OP_HOST_TOTAL] = ra_table_make_real(row->host_total);
	cells[OP_ELIGIBLE] = ra_table_make_number(row->is_eligible);
	cells[OP_TENSOR_SELF] = ra_table_make_real(divide(row->tensor_self, row->device_self));
	cells[OP_TENSOR_TOTAL] = ra_table_make_real(divide(row->tensor_total, row->device_total));
}

static void fill_operators(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_tb *tb = ra_report_tb_need_tables(input);

	for (size_t i = 0; tb != NULL && i < tb->tables->operators.count; i++) {
		add_operator(tb, &tb->tables->operators.rows[i], table);
	}
	if ((input->group_by & RA_GROUP_BY_SHAPE) == 0) {
		ra_table_hide(table, OP_SHAPES);
	}
	if ((input->group_by & RA_GROUP_BY_STACK) == 0) {
		ra_table_hide(table, OP_STACK);
	}
}

const struct ra_report ra_report_tb_operators = {
	.name = "operators",
	.groups = RA_GROUP_BY_NAME | RA_GROUP_BY_SHAPE | RA_GROUP_BY_STACK,
	.compat = TB,
	.title = "Operators",
	.none = "no events of the category cpu_op",
	.summary = "operators of PyTorch: calls, host and device time, tensor cores",
	.columns = operator_columns,
	.column_count = OP_COLUMNS,
	.sort = "self_device_us",
	.fill = fill_operators,
};

enum kernel_column {
	KERNEL_NAME,
	KERNEL_CALLS,
	KERNEL_TOTAL,
	KERNEL_MEAN,
	KERNEL_MAX,
	KERNEL_MIN,
	KERNEL_BLOCKS,
	KERNEL_OCCUPANCY,
	KERNEL_TENSOR,
	/* Columns that only the table of kernels by operator has: */
	KERNEL_OPERATOR,
	KERNEL_ELIGIBLE,
	KERNEL_GRID,
	KERNEL_BLOCK,
	KERNEL_REGISTERS,
	KERNEL_SHARED,
	KERNEL_COLUMNS,
};

static const struct ra_table_column kernel_columns[KERNEL_COLUMNS] = {
	[KERNEL_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[KERNEL_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[KERNEL_TOTAL] = { "total_us", "Total", RA_TABLE_REAL, NULL },
	[KERNEL_MEAN] = { "mean_us", "Mean", RA_TABLE_REAL, NULL },
	[KERNEL_MAX] = { "max_us", "Max", RA_TABLE_REAL, NULL },
	[KERNEL_MIN] = { "min_us", "Min", RA_TABLE_REAL, NULL },
	[KERNEL_BLOCKS] = { "mean_blocks_per_sm", "Blocks/SM", RA_TABLE_REAL, NULL },
	[KERNEL_OCCUPANCY] = { "mean_est_achieved_occupancy", "Est. occupancy", RA_TABLE_REAL,
	                       NULL },
	[KERNEL_TENSOR] = { "tensor_cores_used", "TC used", RA_TABLE_FLAG, NULL },
	[KERNEL_OPERATOR] = { "operator", "Operator", RA_TABLE_TEXT, NULL },
	[KERNEL_ELIGIBLE] = { "tensor_cores_eligible", "TC eligible", RA_TABLE_FLAG, NULL },
	[KERNEL_GRID] = { "grid", "Grid", RA_TABLE_TEXT, NULL },
	[KERNEL_BLOCK] = { "block", "Block", RA_TABLE_TEXT, NULL },
	[KERNEL_REGISTERS] = { "registers_per_thread", "Registers", RA_TABLE_COUNT, NULL },
	[KERNEL_SHARED] = { "shared_memory_bytes", "Shared", RA_TABLE_COUNT, NULL },
};

static void put_launch(const struct ra_tb *tb, uint32_t row, struct ra_table *table,
                       struct ra_table_cell *cells)
{
	const struct ra_kineto *kineto = tb->events.kineto;
	const uint32_t grid = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_GRID);
	const uint32_t block = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_BLOCK);
	int64_t number;

	if (ra_kineto_get_int(kineto, row, RA_KINETO_ARG_REGISTERS, &number)) {
		cells[KERNEL_REGISTERS] = ra_table_make_number(number);
	}
	if (ra_kineto_get_int(kineto, row, RA_KINETO_ARG_SHARED_MEMORY, &number)) {
		cells[KERNEL_SHARED] = ra_table_make_number(number);
	}
	if (grid != 0) {
		cells[KERNEL_GRID] = make_list(tb, grid, table);
	}
	if (block != 0) {
		cells[KERNEL_BLOCK] = make_list(tb, block, table);
	}
}

static void add_kernel(const struct ra_tb *tb, const struct ra_tb_kernel *row, bool by_operator,
                       struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[KERNEL_NAME] = make_name(tb, tb->events.kineto->name[row->row]);
	cells[KERNEL_CALLS] = ra_table_make_count(row->calls);
	cells[KERNEL_TOTAL] = ra_table_make_real(row->total);
	cells[KERNEL_MEAN] = ra_table_make_real(row->total / (double) row->calls);
	cells[KERNEL_MAX] = ra_table_make_real(row->max);
	cells[KERNEL_MIN] = ra_table_make_real(row->min);
	cells[KERNEL_BLOCKS] = ra_table_make_real(row->mean_blocks);
	cells[KERNEL_OCCUPANCY] = ra_table_make_real(row->mean_occupancy / 100);
	cells[KERNEL_TENSOR] = ra_table_make_number(row->is_tensor);
	if (by_operator) {
		cells[KERNEL_OPERATOR] = make_name(tb, row->op_name);
		cells[KERNEL_ELIGIBLE] = ra_table_make_number(row->op_is_eligible);
		put_launch(tb, row->row, table, cells);
	}
}

static void fill_any_kernels(struct ra_report_input *input, struct ra_table *table,
                             bool by_operator)
{
	const struct ra_tb *tb = ra_report_tb_need_tables(input);
	const struct ra_tb_kernels *kernels;

	if (tb == NULL) {
		return;
	}
	kernels = by_operator ? &tb->tables->op_kernels : &tb->tables->kernels;
	for (size_t i = 0; i < kernels->count; i++) {
		add_kernel(tb, &kernels->rows[i], by_operator, table);
	}
}

static void fill_kernels(struct ra_report_input *input, struct ra_table *table)
{
	for (size_t i = KERNEL_OPERATOR; i < KERNEL_COLUMNS; i++) {
		ra_table_hide(table, i);
	}
	fill_any_kernels(input, table, false);
}

const struct ra_report ra_report_tb_kernels = {
	.name = "kernels",
	.compat = TB,
	.title = "Kernels",
	.none = "no work of a GPU",
	.summary = "kernels by name: calls, times, occupancy, tensor cores",
	.columns = kernel_columns,
	.column_count = KERNEL_COLUMNS,
	.sort = "total_us",
	.fill = fill_kernels,
};

static void fill_op_kernels(struct ra_report_input *input, struct ra_table *table)
{
	fill_any_kernels(input, table, true);
}

const struct ra_report ra_report_tb_op_kernels = {
	.name = "op-kernels",
	.compat = TB,
	.title = "Kernels by operator",
	.none = "no work of a GPU",
	.summary = "kernels by name, operator and launch",
	.columns = kernel_columns,
	.column_count = KERNEL_COLUMNS,
	.sort = "total_us",
	.fill = fill_op_kernels,
};

enum memory_column {
	MEMORY_DEVICE,
	MEMORY_NAME,
	MEMORY_CALLS,
	MEMORY_SELF_INCREASE,
	MEMORY_SELF_ALLOCATED,
	MEMORY_SELF_ALLOCATIONS,
	MEMORY_INCREASE,
	MEMORY_ALLOCATED,
	MEMORY_ALLOCATIONS,
	MEMORY_COLUMNS,
};

static const struct ra_table_column memory_columns[MEMORY_COLUMNS] = {
	[MEMORY_DEVICE] = { "device", "Device", RA_TABLE_TEXT, NULL },
	[MEMORY_NAME] = { "name", "Operator", RA_TABLE_TEXT, NULL },
	[MEMORY_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[MEMORY_SELF_INCREASE] = { "self_increase_bytes", "Self increase", RA_TABLE_COUNT, NULL },
	[MEMORY_SELF_ALLOCATED] = { "self_allocated_bytes", "Self allocated", RA_TABLE_COUNT,
	                            NULL },
	[MEMORY_SELF_ALLOCATIONS] = { "self_allocations", "Self allocations", RA_TABLE_COUNT,
	                              NULL },
	[MEMORY_INCREASE] = { "increase_bytes", "Increase", RA_TABLE_COUNT, NULL },
	[MEMORY_ALLOCATED] = { "allocated_bytes", "Allocated", RA_TABLE_COUNT, NULL },
	[MEMORY_ALLOCATIONS] = { "allocations", "Allocations", RA_TABLE_COUNT, NULL },
};

/* "CPU", "GPU0", or "?" for a type of device that the plugin does not know. */
static struct ra_table_cell make_memory_device(int64_t type, int64_t device, struct ra_table *table)
{
	struct ra_util_text text = { 0 };

	if (type == 1) {
		ra_util_text_format(&text, "GPU%lld", (long long) device);
	} else {
		ra_util_text_format(&text, type == 0 ? "CPU" : "?");
	}
	return ra_table_make_text(ra_table_take_text(table, &text));
}

static void add_memory(const struct ra_tb *tb, const struct ra_tb_memory *row,
                       struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[MEMORY_DEVICE] = make_memory_device(row->device_type, row->device, table);
	cells[MEMORY_NAME] = make_name(tb, row->name);
	cells[MEMORY_CALLS] = ra_table_make_count(row->calls);
	cells[MEMORY_SELF_INCREASE] = ra_table_make_number(row->self_increase);
	cells[MEMORY_SELF_ALLOCATED] = ra_table_make_number(row->self_allocated);
	cells[MEMORY_SELF_ALLOCATIONS] = ra_table_make_number(row->self_allocations);
	cells[MEMORY_INCREASE] = ra_table_make_number(row->increase);
	cells[MEMORY_ALLOCATED] = ra_table_make_number(row->allocated);
	cells[MEMORY_ALLOCATIONS] = ra_table_make_number(row->allocations);
}

/* Most traces have no memory records. Then nothing needs to be computed. */
static const struct ra_tb_memories *find_memories(struct ra_report_input *input)
{
	static const struct ra_tb_memories none;
	const struct ra_kineto *kineto = input->model->kineto;

	if (kineto == NULL || kineto->kind_count[RA_KINETO_MEMORY] == 0) {
		return &none;
	}
	return &ra_report_tb_need_tables(input)->tables->memories;
}

static void fill_memory(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_tb_memories *memories = find_memories(input);

	for (size_t i = 0; i < memories->count; i++) {
		add_memory(input->tb, &memories->rows[i], table);
	}
}

const struct ra_report ra_report_tb_memory = {
	.name = "memory",
	.compat = TB,
	.title = "Memory by operator",
	.none = "no [memory] events: record with profile_memory=True while the program allocates",
	.summary = "memory that operators allocated and freed, by device",
	.columns = memory_columns,
	.column_count = MEMORY_COLUMNS,
	.sort = "allocated_bytes",
	.fill = fill_memory,
};

static const struct ra_table_column peak_columns[] = {
	{ "device_type", "Type", RA_TABLE_CHIP, NULL },
	{ "device", "Device", RA_TABLE_COUNT, NULL },
	{ "peak_allocated_bytes", "Peak allocated", RA_TABLE_SIZE, NULL },
	{ "peak_reserved_bytes", "Peak reserved", RA_TABLE_SIZE, NULL },
};

static void fill_peaks(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_tb_memories *memories = find_memories(input);

	for (size_t i = 0; i < memories->peak_count; i++) {
		const struct ra_tb_peak *peak = &memories->peaks[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		if (peak->device_type >= 0) { /* otherwise the plugin does not know the device */
			cells[0] = ra_table_make_number(peak->device_type);
		}
		cells[1] = ra_table_make_number(peak->device); /* -1: a CPU */
		cells[2] = ra_table_make_real(peak->allocated);
		cells[3] = ra_table_make_real(peak->reserved);
	}
}

const struct ra_report ra_report_tb_memory_peak = {
	.name = "memory-peak",
	.compat = TB,
	.title = "Peak memory",
	.none = "no [memory] events: record with profile_memory=True while the program allocates",
	.summary = "most memory that was allocated at once, by device",
	.columns = peak_columns,
	.column_count = sizeof(peak_columns) / sizeof(peak_columns[0]),
	.fill = fill_peaks,
};
