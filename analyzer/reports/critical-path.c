/* SPDX-License-Identifier: MIT */
/* The report "critical-path": the parts of each step's critical path, the chain of work and waits
 * that ends the step. */
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/critical-path.h"
#include "analyzer/figures/python-stacks.h"
#include "analyzer/report/op-names.h"
#include "analyzer/report/report-steps.h"

enum column {
	STEP,
	KIND,
	NAME,
	COUNT,
	TOTAL,
	SHARE,
	COLUMNS
};

static const struct ra_table_column columns[COLUMNS] = {
	[STEP] = { "step", "Step", RA_TABLE_COUNT, NULL },
	[KIND] = { "kind", "Kind", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[COUNT] = { "count", "# of Parts", RA_TABLE_COUNT, NULL },
	[TOTAL] = { "path_ns", "On the path", RA_TABLE_TIME, NULL },
	[SHARE] = { "step_share", "Step %", RA_TABLE_SHARE, NULL },
};

/* The kinds of parts of a path. */
enum row_kind {
	ROW_RANGE,
	ROW_LOCK,
	ROW_CALL,
	ROW_OPERATION,
	ROW_DELAY,
	ROW_PYTHON, /* in no range or call, but in a Python function */
	ROW_NOTHING,
};

/* The parts of one step that have the same kind and name. */
struct row {
	int64_t total_ns;
	uint64_t count;
	/* for operations, their key; for others, the string id, the label, or the kind of part */
	uint64_t key;
	struct rlog_string python; /* name of a Python function */
	enum row_kind kind;
	size_t order; /* number of the first of its parts, in the order of the path */
};

/* The data from which rows are made. */
struct source {
	const struct ra_report_input *input;
	const struct ra_critical_path *path;
	const struct ra_python_stacks *stacks;
};

struct rows {
	struct row *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map index;
};

static void find_range(const struct ra_report_input *input, uint32_t slice, struct row *row)
{
	const struct ra_slices *slices = &input->model->slices;

	row->kind = (slices->flags[slice] & RA_SLICE_WAIT) != 0 ? ROW_LOCK : ROW_RANGE;
	row->key = ra_labels_find(input->labels, slices->name[slice]);
}

/* Finds the Python function of a thread that is in no range or call. If there is none, finds that
 * of the main thread. */
static void find_python(const struct source *source, const struct ra_critical_part *part,
                        struct row *row)
{
	const uint32_t tracks[] = { part->index, source->path->threads.home };

	row->kind = ROW_NOTHING;
	row->key = 0;
	for (size_t i = 0; i < 2 && row->kind == ROW_NOTHING; i++) {
		row->python = ra_python_stacks_function_on(source->stacks, source->input->model,
		                                           tracks[i], part->start_ns, part->end_ns);
		if (row->python.length > 0) {
			row->kind = ROW_PYTHON;
			row->key = (uint64_t) (uintptr_t) row->python.bytes;
		}
	}
}

static void find_row(const struct source *source, const struct ra_critical_part *part,
                     struct row *row)
{
	const struct ra_report_input *input = source->input;
	const struct ra_gpu *gpu = &input->model->gpu;

	switch (part->kind) {
	case RA_CRITICAL_RANGE:
		find_range(input, part->index, row);
		return;
	case RA_CRITICAL_CALL:
		row->kind = ROW_CALL;
		row->key = gpu->apis[part->index].name;
		return;
	case RA_CRITICAL_OPERATION:
		row->kind = ROW_OPERATION;
		row->key = ra_op_names_find(input, &gpu->ops[part->index]);
		return;
	case RA_CRITICAL_LAUNCH:
	case RA_CRITICAL_STREAM:
	case RA_CRITICAL_EVENT:
		row->kind = ROW_DELAY;
		row->key = part->kind;
		return;
	case RA_CRITICAL_NOTHING:
	case RA_CRITICAL_KINDS:
		break;
	}
	find_python(source, part, row);
}

static void add_part(const struct source *source, struct rows *rows,
                     const struct ra_critical_part *part)
{
	struct row row = { .order = rows->count };
	uint32_t at;

	find_row(source, part, &row);
	ra_util_map_number(&rows->index, (uint64_t) row.kind << 60 | row.key, &at);
	if (at == rows->count) { /* it is a new row */
		RA_UTIL_APPEND(rows->rows, rows->count, rows->capacity, row);
	}
	rows->rows[at].count++;
	rows->rows[at].total_ns += part->end_ns - part->start_ns;
}

static void name_row(const struct ra_report_input *input, const struct row *row,
                     struct ra_table *table, struct ra_table_cell *cells)
{
	static const char *const kinds[] = {
		[ROW_RANGE] = "range", [ROW_LOCK] = "wait",     [ROW_CALL] = "call",
		[ROW_DELAY] = "delay", [ROW_PYTHON] = "python", [ROW_NOTHING] = "nothing",
	};
	static const char *const delays[RA_CRITICAL_KINDS] = {
		[RA_CRITICAL_LAUNCH] = "after the launch",
		[RA_CRITICAL_STREAM] = "after the operation before",
		[RA_CRITICAL_EVENT] = "after an operation of another stream",
	};
	struct rlog_string name;

	if (row->kind == ROW_OPERATION) {
		name = ra_op_names_text(input, row->key, table);
	} else if (row->kind == ROW_CALL) {
		name = ra_model_string(input->model, (uint32_t) row->key);
	} else if (row->kind == ROW_DELAY) {
		name = ra_util_string(delays[row->key]);
	} else if (row->kind == ROW_PYTHON) {
		name = row->python;
	} else if (row->kind == ROW_NOTHING) {
		name = ra_util_string("(in no range and no call)");
	} else {
		name = ra_op_names_of_label(input, (uint32_t) row->key);
	}
	cells[KIND] = ra_table_make_word(row->kind == ROW_OPERATION
	                                         ? ra_gpu_kind_name(ra_op_names_kind(row->key))
	                                         : kinds[row->kind]);
	cells[NAME] = ra_table_make_text(name);
}

/* Orders rows by time, the longest first. */
static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left;
	const struct row *b = right;

	return RA_ORDER_THEN(RA_ORDER_DOWN(a, b, total_ns), RA_ORDER_UP(a, b, order));
}

static void put_rows(const struct ra_report_input *input, const struct ra_step *step,
                     struct rows *rows, struct ra_table *table)
{
	const int64_t whole_ns = (int64_t) step->end - (int64_t) step->start;

	RA_SORT(rows->rows, rows->count, compare_rows);
	for (size_t i = 0; i < rows->count; i++) {
		struct ra_table_cell *cells = ra_table_add_row(table);

		name_row(input, &rows->rows[i], table, cells);
		cells[STEP] = ra_report_steps_number(step);
		cells[COUNT] = ra_table_make_count(rows->rows[i].count);
		cells[TOTAL] = ra_table_make_number(rows->rows[i].total_ns);
		cells[SHARE] = ra_table_make_share(rows->rows[i].total_ns, whole_ns);
	}
}

static void fill_step(const struct source *source, struct ra_critical_path *path,
                      const struct ra_step *step, struct ra_table *table)
{
	struct rows rows = { 0 };

	ra_critical_path_walk(path, (int64_t) step->start, (int64_t) step->end);
	for (size_t i = 0; i < path->part_count; i++) {
		add_part(source, &rows, &path->parts[i]);
	}
	put_rows(source->input, step, &rows, table);
	free(rows.rows);
	ra_util_map_free(&rows.index);
}

static void fill_critical_path(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_steps_options options = { input->settings->step_range,
		                                  input->settings->steps };
	struct ra_critical_path path = { 0 };
	struct ra_python_stacks stacks;
	const struct source source = { input, &path, &stacks };
	struct ra_steps steps;

	ra_steps_init(&steps, input->model, &options);
	ra_report_steps_note_guess(input, &steps);
	ra_critical_path_init(&path, input->model, steps.is_step);
	ra_python_stacks_init_calls(&stacks, input->model);
	for (size_t i = 0; i < steps.times.step_count; i++) {
		fill_step(&source, &path, &steps.times.steps[i], table);
	}
	ra_python_stacks_fini(&stacks);
	ra_critical_path_fini(&path);
	ra_steps_fini(&steps);
}

const struct ra_report ra_report_critical_path = {
	.name = "critical-path",
	.scope = RA_REPORT_OF_ALL,
	.title = "Critical path",
	.summary = "the chain of ranges, calls, GPU work and waits that ends each step",
	.none = "no ranges and no GPU work",
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_critical_path,
};
