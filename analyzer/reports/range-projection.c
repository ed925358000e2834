/* SPDX-License-Identifier: MIT */
/* The reports "range-projection", "range-projection-sum" and "range-kernels": when ranges had GPU
 * work, in nsys' definition (doc/metrics.md, section 32). */
#include "analyzer/base/alloc.h"
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/ranges/durations.h"
#include "analyzer/figures/ranges/launch-ranges.h"
#include "analyzer/report/op-names.h"
#include "analyzer/report/range-names.h"

enum trace_column {
	TRACE_NAME,
	TRACE_DOMAIN,
	TRACE_KIND,
	TRACE_PID,
	TRACE_TID,
	TRACE_LEVEL,
	TRACE_CHILDREN,
	TRACE_START,
	TRACE_DUR,
	TRACE_GPU_START,
	TRACE_GPU_DUR,
	TRACE_OPS,
	TRACE_COLUMNS,
};

static const struct ra_table_column trace_columns[TRACE_COLUMNS] = {
	[TRACE_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[TRACE_DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[TRACE_KIND] = { "kind", "Kind", RA_TABLE_TEXT, "push/pop" },
	[TRACE_PID] = { "pid", "PID", RA_TABLE_COUNT, NULL },
	[TRACE_TID] = { "tid", "TID", RA_TABLE_COUNT, NULL },
	[TRACE_LEVEL] = { "level", "Level", RA_TABLE_COUNT, NULL },
	[TRACE_CHILDREN] = { "children", "Children", RA_TABLE_COUNT, NULL },
	[TRACE_START] = { "start_ns", "Start", RA_TABLE_TIME, NULL },
	[TRACE_DUR] = { "dur_ns", "Duration", RA_TABLE_TIME, NULL },
	[TRACE_GPU_START] = { "projected_start_ns", "GPU start", RA_TABLE_TIME, NULL },
	[TRACE_GPU_DUR] = { "projected_ns", "Projected", RA_TABLE_TIME, NULL },
	[TRACE_OPS] = { "operations", "GPU ops", RA_TABLE_COUNT, NULL },
};

enum sum_column {
	SUM_NAME,
	SUM_DOMAIN,
	SUM_KIND,
	SUM_CALLS,
	SUM_TIMES,
	SUM_CPU = SUM_TIMES + RA_DURATIONS_SPREAD,
	SUM_OPS,
	SUM_OPS_MEAN,
	SUM_LEVEL,
	SUM_CHILDREN,
	SUM_COLUMNS,
};

static const struct ra_table_column sum_columns[SUM_COLUMNS] = {
	[SUM_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[SUM_DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[SUM_KIND] = { "kind", "Kind", RA_TABLE_TEXT, "push/pop" },
	[SUM_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	RA_DURATIONS_SPREAD_LIST(SUM_TIMES, "projected_", "", "Projected"),
	[SUM_CPU] = { "cpu_total_ns", "CPU total", RA_TABLE_TIME, NULL },
	[SUM_OPS] = { "operations", "GPU ops", RA_TABLE_COUNT, NULL },
	[SUM_OPS_MEAN] = { "operations_mean", "Ops mean", RA_TABLE_RATIO, NULL },
	[SUM_LEVEL] = { "level_mean", "Level", RA_TABLE_RATIO, NULL },
	[SUM_CHILDREN] = { "children_mean", "Children", RA_TABLE_RATIO, NULL },
};

enum kernel_column {
	KERNEL_RANGE,
	KERNEL_DOMAIN,
	KERNEL_KIND,
	KERNEL_PID,
	KERNEL_TID,
	KERNEL_NAME,
	KERNEL_RANGES,
	KERNEL_CALLS,
	KERNEL_TIMES,
	KERNEL_COLUMNS = KERNEL_TIMES + RA_DURATIONS_SPREAD,
};

static const struct ra_table_column kernel_columns[KERNEL_COLUMNS] = {
	[KERNEL_RANGE] = { "range", "Range", RA_TABLE_TEXT, NULL },
	[KERNEL_DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, "(default)" },
	[KERNEL_KIND] = { "kind", "Kind", RA_TABLE_TEXT, "push/pop" },
	[KERNEL_PID] = { "pid", "PID", RA_TABLE_COUNT, NULL },
	[KERNEL_TID] = { "tid", "TID", RA_TABLE_COUNT, NULL },
	[KERNEL_NAME] = { "name", "Kernel", RA_TABLE_TEXT, NULL },
	[KERNEL_RANGES] = { "ranges", "Ranges", RA_TABLE_COUNT, NULL },
	[KERNEL_CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	RA_DURATIONS_SPREAD_LIST(KERNEL_TIMES, "", "", "Total"),
};

/* Sums over those ranges of a group that have GPU work. */
struct sum {
	uint64_t ops;
	uint64_t levels;
	uint64_t children;
	int64_t cpu_ns;
};

/* A row of range-kernels. */
struct pair {
	uint32_t group;
	uint32_t track;
	uint64_t kernel;
	uint64_t ranges;
};

struct filling {
	const struct ra_report_input *input;
	struct ra_table *table;
	struct ra_group group;          /* owned */
	struct ra_launch_ranges ranges; /* owned */
	struct ra_durations durations;  /* owned; by group; for range-kernels, by pair */
	struct ra_util_map origins;     /* (group, track) → index */
	struct ra_util_map pair_of;     /* (that index, kernel) → index of the pair */
	struct ra_util_map hits;        /* (slice, kernel) → 0: it was counted */
	struct pair *pairs;             /* owned */
	size_t pair_count;
	size_t pair_capacity;
};

static void fini(struct filling *filling)
{
	ra_group_fini(&filling->group);
	ra_launch_ranges_fini(&filling->ranges);
	ra_durations_fini(&filling->durations);
	ra_util_map_free(&filling->origins);
	ra_util_map_free(&filling->pair_of);
	ra_util_map_free(&filling->hits);
	free(filling->pairs);
}

static void init(struct filling *filling, ra_launch_ranges_visit *visit)
{
	const struct ra_model *model = filling->input->model;

	ra_group_init(&filling->group, model, RA_GROUP_BY_NAME, filling->input->labels);
	ra_launch_ranges_init(&filling->ranges, model, visit, filling);
}

/* Adds a row that begins with name, domain and kind of a group. */
static struct ra_table_cell *start_row(const struct filling *filling, uint32_t group)
{
	struct ra_table_cell *cells = ra_table_add_row(filling->table);

	ra_range_names_put_plain(filling->input, &filling->group.keys[group], cells);
	return cells;
}

/* Fills the pid and tid of a thread. @cells: two adjacent cells. */
static void put_thread(const struct ra_model *model, uint32_t index, struct ra_table_cell *cells)
{
	const struct ra_track *track = &model->tracks[index];

	if (track->process < model->process_count) {
		cells[0] = ra_table_make_number(model->processes[track->process].pid);
	}
	cells[1] = ra_table_make_number(track->tid);
}

static void fill_trace(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = { .input = input, .table = table };

	init(&filling, NULL);
	for (size_t i = 0; i < filling.ranges.count; i++) {
		const struct ra_launch_range *row = &filling.ranges.rows[i];
		struct ra_table_cell *cells;

		if (row->ops == 0) {
			continue;
		}
		cells = start_row(&filling, filling.group.of_slice[row->slice]);
		put_thread(input->model, row->track, &cells[TRACE_PID]);
		if (!row->is_start_end) {
			cells[TRACE_LEVEL] = ra_table_make_count(row->level);
			cells[TRACE_CHILDREN] = ra_table_make_count(row->children);
		}
		cells[TRACE_START] = ra_table_make_number(row->start_ns);
		cells[TRACE_DUR] = ra_table_make_number(row->end_ns - row->start_ns);
		cells[TRACE_GPU_START] = ra_table_make_number(row->first_ns);
		cells[TRACE_GPU_DUR] = ra_table_make_number(row->last_ns - row->first_ns);
		cells[TRACE_OPS] = ra_table_make_count(row->ops);
	}
	fini(&filling);
}

const struct ra_report ra_report_range_projection = {
	.name = "range-projection",
	.title = "Ranges on the GPU",
	.summary = "every range with the time of the GPU work that its calls launched",
	.more_of = "projection",
	.none = "no GPU work of ranges",
	.is_gpu = true,
	.is_long = true,
	.columns = trace_columns,
	.column_count = TRACE_COLUMNS,
	.sort = "+start_ns",
	.fill = fill_trace,
};

static void put_sum(const struct filling *filling, const struct ra_durations_row *row,
                    const struct sum *sum)
{
	const int64_t count = (int64_t) row->count;
	struct ra_table_cell *cells = start_row(filling, (uint32_t) row->key);

	cells[SUM_CALLS] = ra_table_make_count(row->count);
	ra_durations_put_spread(row, &cells[SUM_TIMES]);
	cells[SUM_CPU] = ra_table_make_number(sum->cpu_ns);
	cells[SUM_OPS] = ra_table_make_count(sum->ops);
	cells[SUM_OPS_MEAN] = ra_table_make_share((int64_t) sum->ops, count);
	if (filling->group.keys[row->key].kind == RA_TRACK_THREAD) {
		cells[SUM_LEVEL] = ra_table_make_share((int64_t) sum->levels, count);
		cells[SUM_CHILDREN] = ra_table_make_share((int64_t) sum->children, count);
	}
}

static void fill_sum(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = { .input = input, .table = table };
	struct sum *sums;

	init(&filling, NULL);
	sums = ra_alloc_zeros(filling.group.count + 1, sizeof(*sums));
	for (size_t i = 0; i < filling.ranges.count; i++) {
		const struct ra_launch_range *row = &filling.ranges.rows[i];
		const uint32_t group = filling.group.of_slice[row->slice];

		if (row->ops > 0) {
			sums[group].ops += row->ops;
			sums[group].levels += row->level;
			sums[group].children += row->children;
			sums[group].cpu_ns =
				ra_util_add_time(sums[group].cpu_ns, row->end_ns - row->start_ns);
			ra_durations_add(&filling.durations, group, row->last_ns - row->first_ns);
		}
	}
	ra_durations_finish(&filling.durations);
	ra_durations_find_medians(&filling.durations);
	for (size_t i = 0; i < filling.durations.count; i++) {
		const struct ra_durations_row *row = &filling.durations.rows[i];

		put_sum(&filling, row, &sums[row->key]);
	}
	free(sums);
	fini(&filling);
}

const struct ra_report ra_report_range_projection_sum = {
	.name = "range-projection-sum",
	.title = "Ranges on the GPU by name",
	.summary = "ranges by name with the time of their GPU work: sum, median, extremes",
	.more_of = "projection",
	.none = "no GPU work of ranges",
	.is_gpu = true,
	.columns = sum_columns,
	.column_count = SUM_COLUMNS,
	.sort = "projected_total_ns",
	.fill = fill_sum,
};

/* Adds an operation to the row for the group and thread of its range. */
static void add_kernel(void *context, const struct ra_launch_range *range, uint32_t index)
{
	struct filling *filling = context;
	const struct ra_gpu_op *op = &filling->input->model->gpu.ops[index];
	struct pair pair = { .group = filling->group.of_slice[range->slice],
		             .track = range->track };
	const size_t hits = filling->hits.count;
	uint32_t number = 0;

	if (op->kind != RA_GPU_KERNEL) {
		return;
	}
	pair.kernel = ra_op_names_find(filling->input, op);
	ra_util_map_number(&filling->origins, (uint64_t) pair.group << 32 | pair.track, &number);
	ra_util_map_number(&filling->pair_of, (uint64_t) number << 32 | (uint32_t) pair.kernel,
	                   &number);
	if (number == filling->pair_count) {
		RA_UTIL_APPEND(filling->pairs, filling->pair_count, filling->pair_capacity, pair);
	}
	ra_util_map_put(&filling->hits, (uint64_t) range->slice << 32 | (uint32_t) pair.kernel, 0);
	filling->pairs[number].ranges += filling->hits.count - hits;
	ra_durations_add(&filling->durations, number, op->dur_ns);
}

static void put_kernel(const struct filling *filling, const struct ra_durations_row *row)
{
	const struct pair *pair = &filling->pairs[row->key];
	struct ra_table_cell *cells = start_row(filling, pair->group);
	struct rlog_string name = ra_op_names_text(filling->input, pair->kernel, filling->table);

	put_thread(filling->input->model, pair->track, &cells[KERNEL_PID]);
	cells[KERNEL_NAME] = ra_table_make_text(name);
	cells[KERNEL_RANGES] = ra_table_make_count(pair->ranges);
	cells[KERNEL_CALLS] = ra_table_make_count(row->count);
	ra_durations_put_spread(row, &cells[KERNEL_TIMES]);
}

static void fill_kernels(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = { .input = input, .table = table };

	init(&filling, add_kernel);
	ra_durations_finish(&filling.durations);
	ra_durations_find_medians(&filling.durations);
	for (size_t i = 0; i < filling.durations.count; i++) {
		put_kernel(&filling, &filling.durations.rows[i]);
	}
	fini(&filling);
}

const struct ra_report ra_report_range_kernels = {
	.name = "range-kernels",
	.title = "Kernels of ranges",
	.summary = "kernels by every range around the call that launched them",
	.more_of = "op-kernels",
	.none = "no kernels of ranges",
	.is_gpu = true,
	.columns = kernel_columns,
	.column_count = KERNEL_COLUMNS,
	.sort = "total_ns",
	.fill = fill_kernels,
};
