/* SPDX-License-Identifier: MIT */
/* The report "key_averages": torch.profiler's table, with our figures or with torch's. */
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/compat/torch/key-averages-table.h"
#include "analyzer/compat/torch/reports.h"
#include "analyzer/compat/torch/key-averages.h"

/* The columns of both modes. Only the names and kinds of times and shares differ. */
#define COLUMNS(time_key, time_kind, share_kind, cuda_usual)                                       \
	{                                                                                          \
		[RA_KEY_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },                           \
		[RA_KEY_DEVICE] = { "device_type", "Device", RA_TABLE_TEXT, NULL },                \
		[RA_KEY_ANNOTATION] = { "user_annotation", "Annotation", RA_TABLE_COUNT, "0" },    \
		[RA_KEY_SELF_CPU] = { "self_cpu" time_key, "Self CPU", time_kind, NULL },          \
		[RA_KEY_SELF_CPU_SHARE] = { "self_cpu_share", "Self CPU %", share_kind, NULL },    \
		[RA_KEY_CPU] = { "cpu_total" time_key, "CPU total", time_kind, NULL },             \
		[RA_KEY_CPU_SHARE] = { "cpu_total_share", "CPU total %", share_kind, NULL },       \
		[RA_KEY_CPU_AVERAGE] = { "cpu_time_avg" time_key, "CPU time avg", time_kind,       \
			                 NULL },                                                   \
		[RA_KEY_SELF_CUDA] = { "self_cuda" time_key, "Self CUDA", time_kind, cuda_usual }, \
		[RA_KEY_SELF_CUDA_SHARE] = { "self_cuda_share", "Self CUDA %", share_kind,         \
			                     cuda_usual },                                         \
		[RA_KEY_CUDA] = { "cuda_total" time_key, "CUDA total", time_kind, cuda_usual },    \
		[RA_KEY_CUDA_AVERAGE] = { "cuda_time_avg" time_key, "CUDA time avg", time_kind,    \
			                  cuda_usual },                                            \
		[RA_KEY_CPU_MEMORY] = { "cpu_mem", "CPU Mem", RA_TABLE_COUNT, NULL },              \
		[RA_KEY_SELF_CPU_MEMORY] = { "self_cpu_mem", "Self CPU Mem", RA_TABLE_COUNT,       \
			                     NULL },                                               \
		[RA_KEY_CUDA_MEMORY] = { "cuda_mem", "CUDA Mem", RA_TABLE_COUNT, NULL },           \
		[RA_KEY_SELF_CUDA_MEMORY] = { "self_cuda_mem", "Self CUDA Mem", RA_TABLE_COUNT,    \
			                      NULL },                                              \
		[RA_KEY_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },                  \
		[RA_KEY_SHAPES] = { "input_shapes", "Input Shapes", RA_TABLE_TEXT, NULL },         \
		[RA_KEY_STACK] = { "stack", "Source Location", RA_TABLE_TEXT, NULL },              \
		[RA_KEY_FLOPS] = { "flops", "FLOPs", RA_TABLE_FLOPS, NULL },                       \
	}

static const struct ra_table_column columns[RA_KEY_COLUMNS] =
	COLUMNS("_ns", RA_TABLE_TIME, RA_TABLE_SHARE, "0");
static const struct ra_table_column torch_columns[RA_KEY_COLUMNS] =
	COLUMNS("_us", RA_TABLE_REAL, RA_TABLE_PART, NULL);

/* Formats the sizes of inputs as Python prints the list: [[1, 512], []]. */
static struct rlog_string name_shapes(struct ra_table *table, struct rlog_string json)
{
	struct ra_util_text text = { 0 };
	bool in_text = false;

	if (json.length == 0) {
		return ra_util_string("[]");
	}
	for (uint32_t i = 0; i < json.length; i++) {
		const char c = json.bytes[i];

		in_text ^= c == '"';
		ra_util_text_put_char(&text, c == '"' ? '\'' : c);
		if (c == ',' && !in_text && i + 1 < json.length && json.bytes[i + 1] != ' ') {
			ra_util_text_put_char(&text, ' ');
		}
	}
	return ra_table_take_text(table, &text);
}

/* Fills the cells that both modes have, and sets which columns exist. */
static void fill_common(const struct ra_key_average *row, unsigned by, struct ra_table *table,
                        struct ra_table_cell *cells)
{
	static const enum ra_key_column memory[RA_KEY_SIDES] = {
		[RA_KEY_CPU_SELF] = RA_KEY_SELF_CPU_MEMORY,
		[RA_KEY_CPU_TOTAL] = RA_KEY_CPU_MEMORY,
		[RA_KEY_GPU_SELF] = RA_KEY_SELF_CUDA_MEMORY,
		[RA_KEY_GPU_TOTAL] = RA_KEY_CUDA_MEMORY,
	};

	cells[RA_KEY_NAME] = ra_table_make_text(row->name);
	cells[RA_KEY_DEVICE] = ra_table_make_word(row->is_device ? "CUDA" : "CPU");
	cells[RA_KEY_ANNOTATION] = ra_table_make_number(row->is_annotation ? 1 : 0);
	cells[RA_KEY_CALLS] = ra_table_make_count(row->calls);
	for (size_t i = 0; i < RA_KEY_SIDES; i++) {
		cells[memory[i]] = ra_table_make_number(row->bytes[i]);
	}
	if ((by & RA_GROUP_BY_SHAPE) != 0) {
		cells[RA_KEY_SHAPES] = ra_table_make_text(name_shapes(table, row->shapes));
	}
	if ((by & RA_GROUP_BY_STACK) != 0) {
		cells[RA_KEY_STACK] = ra_table_make_text(row->stack);
	}
	if (row->flops > 0) {
		cells[RA_KEY_FLOPS] = ra_table_make_real(row->flops);
	}
}

static void hide_columns(const struct ra_key_averages *averages, unsigned by,
                         struct ra_table *table)
{
	bool has_flops = false;

	for (size_t i = 0; i < averages->count && !has_flops; i++) {
		has_flops = averages->rows[i].flops > 0;
	}
	if (!has_flops) {
		ra_table_hide(table, RA_KEY_FLOPS);
	}
	if ((by & RA_GROUP_BY_SHAPE) == 0) {
		ra_table_hide(table, RA_KEY_SHAPES);
	}
	if ((by & RA_GROUP_BY_STACK) == 0) {
		ra_table_hide(table, RA_KEY_STACK);
	}
	for (size_t i = RA_KEY_CPU_MEMORY; i <= RA_KEY_SELF_CUDA_MEMORY; i++) {
		if (!averages->has_memory) {
			ra_table_hide(table, i);
		}
	}
}

static struct ra_table_cell make_average(int64_t sum_ns, uint64_t calls)
{
	return ra_table_make_count(calls == 0 ? 0 : ((uint64_t) sum_ns + calls / 2) / calls);
}

static void add_row(const struct ra_key_averages *averages, const struct ra_key_average *row,
                    unsigned by, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[RA_KEY_SELF_CPU] = ra_table_make_number(row->ns[RA_KEY_CPU_SELF]);
	if (!row->is_span) {
		cells[RA_KEY_SELF_CPU_SHARE] =
			ra_table_make_share(row->ns[RA_KEY_CPU_SELF], averages->cpu_ns);
		cells[RA_KEY_CPU_SHARE] =
			ra_table_make_share(row->ns[RA_KEY_CPU_TOTAL], averages->cpu_ns);
	}
	cells[RA_KEY_CPU] = ra_table_make_number(row->ns[RA_KEY_CPU_TOTAL]);
	cells[RA_KEY_CPU_AVERAGE] = make_average(row->calls_ns, row->calls);
	cells[RA_KEY_SELF_CUDA] = ra_table_make_number(row->ns[RA_KEY_GPU_SELF]);
	cells[RA_KEY_SELF_CUDA_SHARE] =
		ra_table_make_share(row->ns[RA_KEY_GPU_SELF], averages->gpu_ns);
	cells[RA_KEY_CUDA] = ra_table_make_number(row->ns[RA_KEY_GPU_TOTAL]);
	cells[RA_KEY_CUDA_AVERAGE] = make_average(row->gpu_calls_ns, row->calls);
	fill_common(row, by, table, cells);
}

/* Compares by CPU total, largest first. The report then sorts by Self CUDA, and equal rows keep
 * this order. */
static int compare_rows(const void *left, const void *right)
{
	const struct ra_key_average *a = left;
	const struct ra_key_average *b = right;

	return RA_ORDER_THEN(RA_ORDER_DOWN(a, b, ns[RA_KEY_CPU_TOTAL]), RA_ORDER_UP(a, b, order));
}

static void fill(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_key_averages averages;

	ra_key_averages_init(&averages, input, table);
	for (size_t i = 0; i < averages.count; i++) {
		averages.rows[i].order = i;
	}
	RA_SORT(averages.rows, averages.count, compare_rows);
	for (size_t i = 0; i < averages.count; i++) {
		add_row(&averages, &averages.rows[i], input->group_by, table);
	}
	hide_columns(&averages, input->group_by, table);
	ra_report_add_figure(input, "self_cpu_time_total_ns", "Self CPU time total", RA_TABLE_TIME,
	                     ra_table_make_number(averages.cpu_ns));
	ra_report_add_figure(input, "self_cuda_time_total_ns", "Self CUDA time total",
	                     RA_TABLE_TIME, ra_table_make_number(averages.gpu_ns));
	if (averages.gpu_ns == 0) {
		input->figures[input->figure_count - 1].column.usual =
			"0"; /* these columns are hidden */
	}
	ra_key_averages_fini(&averages);
}

static struct ra_table_cell make_torch_share(double part, double whole)
{
	struct ra_table_cell none = { .has_value = false };

	return whole == 0 ? none : ra_table_make_real(part / whole);
}

static struct ra_table_cell make_torch_average(double sum_us, uint64_t calls)
{
	return ra_table_make_real(calls == 0 ? 0 : sum_us / (double) calls);
}

static void add_torch_row(const struct ra_key_averages *averages, const struct ra_key_average *row,
                          unsigned by, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[RA_KEY_SELF_CPU] = ra_table_make_real(row->us[RA_KEY_CPU_SELF]);
	cells[RA_KEY_SELF_CPU_SHARE] = make_torch_share(row->us[RA_KEY_CPU_SELF], averages->cpu_us);
	cells[RA_KEY_CPU] = ra_table_make_real(row->us[RA_KEY_CPU_TOTAL]);
	cells[RA_KEY_CPU_SHARE] = make_torch_share(row->us[RA_KEY_CPU_TOTAL], averages->cpu_us);
	cells[RA_KEY_CPU_AVERAGE] = make_torch_average(row->us[RA_KEY_CPU_TOTAL], row->calls);
	cells[RA_KEY_SELF_CUDA] = ra_table_make_real(row->us[RA_KEY_GPU_SELF]);
	cells[RA_KEY_SELF_CUDA_SHARE] =
		make_torch_share(row->us[RA_KEY_GPU_SELF], averages->gpu_us);
	cells[RA_KEY_CUDA] = ra_table_make_real(row->us[RA_KEY_GPU_TOTAL]);
	cells[RA_KEY_CUDA_AVERAGE] = make_torch_average(row->us[RA_KEY_GPU_TOTAL], row->calls);
	fill_common(row, by, table, cells);
}

static void fill_torch(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_key_averages averages = { 0 };

	if (input->model->kineto != NULL) {
		ra_key_averages_init_torch(&averages, input->model->kineto, input->group_by,
		                           input->compat == RA_COMPAT_TORCH_OLD);
	}
	for (size_t i = 0; i < averages.count; i++) {
		add_torch_row(&averages, &averages.rows[i], input->group_by, table);
	}
	hide_columns(&averages, input->group_by, table);
	ra_report_add_figure(input, "self_cpu_time_total_us", "Self CPU time total (us)",
	                     RA_TABLE_REAL, ra_table_make_real(averages.cpu_us));
	ra_report_add_figure(input, "self_cuda_time_total_us", "Self CUDA time total (us)",
	                     RA_TABLE_REAL, ra_table_make_real(averages.gpu_us));
	ra_key_averages_fini(&averages);
}

static double read_us(const struct ra_report_figure *figure)
{
	return figure->column.kind == RA_TABLE_REAL ? figure->cell.u.real
	                                            : (double) figure->cell.u.number / 1000;
}

/* No other report has this layout, so all figures in the input are this report's. */
static void put_torch(const struct ra_report_input *input, const struct ra_table *table,
                      size_t limit, struct ra_util_text *text)
{
	const struct ra_key_layout layout = {
		.cpu_us = read_us(&input->figures[0]),
		.gpu_us = read_us(&input->figures[1]),
		.limit = limit,
		.is_old = input->compat == RA_COMPAT_TORCH_OLD,
		.has_nan = input->compat != RA_COMPAT_NONE,
		.has_flops = input->settings != NULL && input->settings->flops != 0,
	};

	ra_key_averages_put_layout(text, table, &layout);
}

const struct ra_report ra_report_key_averages = {
	.name = "key_averages",
	.groups = RA_GROUP_BY_NAME | RA_GROUP_BY_SHAPE | RA_GROUP_BY_STACK,
	.title = "Key averages",
	.summary = "ranges, API calls and GPU operations by name, as torch.profiler's table",
	.none = "no ranges, no API calls and no work of a GPU",
	.columns = columns,
	.column_count = RA_KEY_COLUMNS,
	.sort = "self_cuda",
	.fill = fill,
	.put_torch = put_torch,
};

const struct ra_report ra_report_key_averages_torch = {
	.name = "key_averages",
	.groups = RA_GROUP_BY_NAME | RA_GROUP_BY_SHAPE | RA_GROUP_BY_STACK,
	.compat = RA_COMPAT_BIT(RA_COMPAT_TORCH) | RA_COMPAT_BIT(RA_COMPAT_TORCH_OLD),
	.title = "Key averages",
	.summary = "torch.profiler's table",
	.none = "no events of the categories of torch's profiler: cpu_op, cuda_runtime, kernel and "
		"others",
	.columns = torch_columns,
	.column_count = RA_KEY_COLUMNS,
	.fill = fill_torch,
	.put_torch = put_torch,
};
