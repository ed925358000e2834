/* SPDX-License-Identifier: MIT */
/* The report "ranges": calls and times of each range, in a table like that of torch.profiler. */
#include "analyzer/reports/reports.h"

#include "analyzer/figures/ranges/range-counts.h"
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
	INSTRUCTIONS,
	CYCLES,
	PER_CYCLE,
	CACHE_MISSES,
	BRANCH_MISSES,
	PAGE_FAULTS,
	TASK_CLOCK,
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
	[INSTRUCTIONS] = { "instructions", "Instructions", RA_TABLE_COUNT, NULL },
	[CYCLES] = { "cycles", "Cycles", RA_TABLE_COUNT, NULL },
	[PER_CYCLE] = { "instructions_per_cycle", "Per cycle", RA_TABLE_REAL, NULL },
	[CACHE_MISSES] = { "cache_misses", "Cache misses", RA_TABLE_COUNT, NULL },
	[BRANCH_MISSES] = { "branch_misses", "Branch misses", RA_TABLE_COUNT, NULL },
	[PAGE_FAULTS] = { "page_faults", "Page faults", RA_TABLE_COUNT, NULL },
	[TASK_CLOCK] = { "task_clock_ns", "Task clock", RA_TABLE_TIME, NULL },
	[SHAPE] = { "input_shapes", "Input Shapes", RA_TABLE_TEXT, NULL },
};

static const struct ra_range_names_columns key_columns = { NAME,   CATEGORY, PAYLOAD,
	                                                   DOMAIN, KIND,     SHAPE };

/* The columns for counter values, by kind of counter. */
static const enum column count_columns[RA_COUNT_KINDS] = {
	[RA_COUNT_INSTRUCTIONS] = INSTRUCTIONS, [RA_COUNT_CYCLES] = CYCLES,
	[RA_COUNT_CACHE_MISSES] = CACHE_MISSES, [RA_COUNT_BRANCH_MISSES] = BRANCH_MISSES,
	[RA_COUNT_PAGE_FAULTS] = PAGE_FAULTS,   [RA_COUNT_TASK_CLOCK] = TASK_CLOCK,
};

static bool has_count(const struct ra_metrics_row *row, size_t i)
{
	return i < RA_COUNTS && (row->has_counts & 1u << i) != 0;
}

static void add_counts(const struct ra_model *model, const struct ra_metrics_row *row,
                       struct ra_table_cell *cells)
{
	const size_t instructions = ra_range_counts_find(model, RA_COUNT_INSTRUCTIONS);
	const size_t cycles = ra_range_counts_find(model, RA_COUNT_CYCLES);

	for (size_t i = 0; i < RA_COUNTS; i++) {
		if (has_count(row, i) && model->count_kinds[i] != RA_COUNT_NONE) {
			cells[count_columns[model->count_kinds[i]]] =
				ra_table_make_count(row->counts[i]);
		}
	}
	if (has_count(row, instructions) && has_count(row, cycles) && row->counts[cycles] > 0) {
		cells[PER_CYCLE] = ra_table_make_real((double) row->counts[instructions] /
		                                      (double) row->counts[cycles]);
	}
}

/* Hides the columns of counters that the log does not have. */
static void hide_counts(const struct ra_model *model, struct ra_table *table)
{
	for (int kind = RA_COUNT_NONE + 1; kind < RA_COUNT_KINDS; kind++) {
		if (ra_range_counts_find(model, (enum ra_count_kind) kind) == RA_COUNTS) {
			ra_table_hide(table, (size_t) count_columns[kind]);
		}
	}
	if (ra_range_counts_find(model, RA_COUNT_INSTRUCTIONS) == RA_COUNTS ||
	    ra_range_counts_find(model, RA_COUNT_CYCLES) == RA_COUNTS) {
		ra_table_hide(table, PER_CYCLE);
	}
}

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
	add_counts(input->model, row, cells);
}

/* Adds rows for GPU work that ranges caused in a backward pass. The CPU time of its launches is in
 * other rows. */
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

/* Adds a row for GPU work outside all ranges, so that the column adds up. */
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
	hide_counts(input->model, table);
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
	/* Sets the order of start/end ranges for the final sort, which is stable. */
	ra_table_sort(table, TOTAL, true);
}

const struct ra_report ra_report_ranges = {
	.name = "ranges",
	.needs = RA_REPORT_NEEDS_SUMS,
	.groups = RA_GROUP_BY_NAME | RA_GROUP_BY_SHAPE | RA_GROUP_BY_PATH | RA_GROUP_BY_CATEGORY |
	          RA_GROUP_BY_PAYLOAD,
	.title = "Ranges",
	.none = "no ranges",
	.note = "CPU times are wall-clock times of the thread between push and pop",
	.summary = "calls and times of each range",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "cpu_total_share", /* start/end ranges have no such share and come last */
	.fill = fill_ranges,
};
