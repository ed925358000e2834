/* SPDX-License-Identifier: MIT */
/* The report "ranges": calls and times of each range, the table that users of torch.profiler know.
 */
#include "analyzer/reports/reports.h"

#include "analyzer/report/range-names.h"

enum column {
	NAME,
	CATEGORY,
	PAYLOAD,
	DOMAIN,
	KIND,
	SELF_SHARE,
	SELF,
	TOTAL_SHARE,
	TOTAL,
	AVERAGE,
	GPU_SELF_SHARE,
	GPU_SELF,
	GPU_TOTAL,
	GPU_AVERAGE,
	CALLS,
	MINIMUM,
	MEDIAN,
	MAXIMUM,
	SHAPE,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[CATEGORY] = { "category", "Category", RA_TABLE_TEXT, NULL },
	[PAYLOAD] = { "payload", "Payload", RA_TABLE_VALUE, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[KIND] = { "kind", "Kind", RA_TABLE_TEXT, "push/pop" },
	[SELF_SHARE] = { "self_cpu_share", "Self CPU %", RA_TABLE_SHARE, NULL },
	[SELF] = { "self_cpu_ns", "Self CPU", RA_TABLE_TIME, NULL },
	[TOTAL_SHARE] = { "cpu_total_share", "CPU total %", RA_TABLE_SHARE, NULL },
	[TOTAL] = { "cpu_total_ns", "CPU total", RA_TABLE_TIME, NULL },
	[AVERAGE] = { "cpu_time_avg_ns", "CPU time avg", RA_TABLE_TIME, NULL },
	[GPU_SELF_SHARE] = { "self_cuda_share", "Self CUDA %", RA_TABLE_SHARE, NULL },
	[GPU_SELF] = { "self_cuda_ns", "Self CUDA", RA_TABLE_TIME, NULL },
	[GPU_TOTAL] = { "cuda_total_ns", "CUDA total", RA_TABLE_TIME, NULL },
	[GPU_AVERAGE] = { "cuda_time_avg_ns", "CUDA time avg", RA_TABLE_TIME, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[MINIMUM] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
	[MEDIAN] = { "median_ns", "Median", RA_TABLE_TIME, NULL },
	[MAXIMUM] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
	[SHAPE] = { "input_shapes", "Input Shapes", RA_TABLE_TEXT, NULL },
};

static const struct ra_range_names_columns key_columns = { NAME,   CATEGORY, PAYLOAD,
	                                                   DOMAIN, KIND,     SHAPE };

static void add_range(const struct ra_report_input *input, const struct ra_metrics_row *row,
                      struct ra_table *table)
{
	const int64_t whole = input->metrics.self_sum_ns;
	const bool is_on_thread = row->key.kind != RA_TRACK_START_END;
	const struct ra_range_names names = { input, input->metrics.paths, &key_columns };
	struct ra_table_cell *cells = ra_table_add_row(table);

	ra_range_names_put(&names, &row->key, table, cells);
	if (is_on_thread) {
		cells[SELF_SHARE] = ra_table_make_share(row->self_ns, whole);
		cells[TOTAL_SHARE] = ra_table_make_share(row->total_ns, whole);
	}
	cells[SELF] = ra_table_make_number(row->self_ns);
	cells[TOTAL] = ra_table_make_number(row->total_ns);
	cells[AVERAGE] = ra_table_make_number(row->mean_ns);
	cells[GPU_SELF_SHARE] = ra_table_make_share(row->gpu_self_ns, input->metrics.gpu_sum_ns);
	cells[GPU_SELF] = ra_table_make_number(row->gpu_self_ns);
	cells[GPU_TOTAL] = ra_table_make_number(row->gpu_total_ns);
	cells[GPU_AVERAGE] = ra_table_make_number(row->gpu_mean_ns);
	cells[CALLS] = ra_table_make_count(row->calls);
	cells[MINIMUM] = ra_table_make_number(row->min_ns);
	cells[MEDIAN] = ra_table_make_number(row->median_ns);
	cells[MAXIMUM] = ra_table_make_number(row->max_ns);
}

/* GPU work that ranges caused in a backward pass; when the CPU asked for it is in other rows. */
static void add_backward(const struct ra_report_input *input,
                         const struct ra_metrics_backward *backward, struct ra_table *table)
{
	const struct ra_metrics_row *row = &input->metrics.rows[backward->row];
	const struct ra_range_names names = { input, input->metrics.paths, &key_columns };
	struct ra_table_cell *cells = ra_table_add_row(table);

	ra_range_names_put(&names, &row->key, table, cells);
	ra_range_names_put_backward(table, &cells[NAME]);
	cells[GPU_SELF_SHARE] =
		ra_table_make_share(backward->gpu_self_ns, input->metrics.gpu_sum_ns);
	cells[GPU_SELF] = ra_table_make_number(backward->gpu_self_ns);
	cells[GPU_TOTAL] = ra_table_make_number(backward->gpu_total_ns);
	cells[GPU_AVERAGE] = ra_table_make_count(
		((uint64_t) backward->gpu_total_ns + backward->calls / 2) / backward->calls);
	cells[CALLS] = ra_table_make_count(backward->calls);
}

/* GPU work that belongs to no range, so that the column adds up. */
static void add_outside(const struct ra_report_input *input, struct ra_table *table)
{
	static const struct rlog_string name = { "(outside any range)", 19, 19 };
	const struct ra_gpu *gpu = &input->model->gpu;
	const int64_t outside_ns = gpu->rule_ns[RA_GPU_RULE_NONE];
	struct ra_table_cell *cells;

	if (gpu->rule_ops[RA_GPU_RULE_NONE] == 0) {
		return;
	}
	cells = ra_table_add_row(table);
	cells[NAME] = ra_table_make_text(name);
	cells[GPU_SELF_SHARE] = ra_table_make_share(outside_ns, input->metrics.gpu_sum_ns);
	cells[GPU_SELF] = ra_table_make_number(outside_ns);
	cells[GPU_TOTAL] = ra_table_make_number(outside_ns);
}

static void fill_ranges(struct ra_report_input *input, struct ra_table *table)
{
	ra_report_need_metrics(input);
	ra_range_names_hide(input, &key_columns, table);
	for (int column = GPU_SELF_SHARE; column <= GPU_AVERAGE; column++) {
		if (input->model->gpu.op_count == 0) {
			ra_table_hide(table, (size_t) column);
		}
	}
	for (size_t i = 0; i < input->metrics.count; i++) {
		add_range(input, &input->metrics.rows[i], table);
	}
	for (size_t i = 0; i < input->metrics.backward_count; i++) {
		add_backward(input, &input->metrics.backwards[i], table);
	}
	add_outside(input, table);
	/* Sorting keeps the order of equal rows: this is that of start/end ranges. */
	ra_table_sort(table, TOTAL, true);
}

const struct ra_report ra_report_ranges = {
	.name = "ranges",
	.groups = RA_GROUP_BY_NAME | RA_GROUP_BY_SHAPE | RA_GROUP_BY_PATH | RA_GROUP_BY_CATEGORY |
	          RA_GROUP_BY_PAYLOAD,
	.title = "Ranges",
	.none = "no ranges",
	.note = "CPU times are wall-clock times of the thread between push and pop",
	.summary = "calls and times of each range",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "cpu_total_share", /* start/end ranges have none and come last */
	.fill = fill_ranges,
};
