/* SPDX-License-Identifier: MIT */
/* analyzer why FILE: computes the figures for its sentences and tables. */
#include "analyzer/commands/why/why-figures.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-gaps.h"
#include "analyzer/reports/reports.h"

/* If gaps before nodes of graphs take more than this part of the window, a busy time is only a
 * lower limit. */
#define GRAPHS_PART 0.1

enum path_column {
	PATH_KIND,
	PATH_NAME,
	PATH_COUNT,
	PATH_TOTAL,
	PATH_SHARE,
	PATH_OTHERS,
	PATH_MORE,
	PATH_COLUMNS,
};

static const struct ra_table_column path_columns[PATH_COLUMNS] = {
	[PATH_KIND] = { "kind", "Kind", RA_TABLE_TEXT, NULL },
	[PATH_NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[PATH_COUNT] = { "count", "# of Parts", RA_TABLE_COUNT, NULL },
	[PATH_TOTAL] = { "path_ns", "On the path", RA_TABLE_TIME, NULL },
	[PATH_SHARE] = { "share", "Share", RA_TABLE_SHARE, NULL },
	[PATH_OTHERS] = { "others_ns", "Median of others", RA_TABLE_TIME, NULL },
	[PATH_MORE] = { "more_ns", "Difference", RA_TABLE_TIME, NULL },
};

const struct ra_table_cell *ra_why_cell(const struct ra_table *table, size_t row, const char *key)
{
	return &table->cells[row * table->column_count +
	                     ra_table_find_column(table->columns, table->column_count, key)];
}

/* Finds the row for a kind and name; adds it if it is missing. */
static struct ra_table_cell *find_row(struct ra_table *table, struct ra_util_map *index,
                                      const struct ra_table_cell *kind,
                                      const struct ra_table_cell *name)
{
	struct ra_table_cell *cells;
	uint64_t key = ra_util_string_hash(name->u.text.bytes, name->u.text.length);

	for (uint32_t at; (at = ra_util_map_find(index, key)) != RA_UTIL_MAP_NONE; key++) {
		cells = &table->cells[at * table->column_count];
		if (ra_util_string_compare(cells[PATH_KIND].u.text, kind->u.text) == 0 &&
		    ra_util_string_compare(cells[PATH_NAME].u.text, name->u.text) == 0) {
			return cells;
		}
	}
	ra_util_map_put(index, key, (uint32_t) table->row_count);
	cells = ra_table_add_row(table);
	cells[PATH_KIND] = ra_table_make_text(
		ra_table_keep_text(table, kind->u.text.bytes, kind->u.text.length));
	cells[PATH_NAME] = ra_table_make_text(
		ra_table_keep_text(table, name->u.text.bytes, name->u.text.length));
	cells[PATH_COUNT] = ra_table_make_number(0);
	cells[PATH_TOTAL] = ra_table_make_number(0);
	cells[PATH_OTHERS] = ra_table_make_number(0);
	return cells;
}

/* Adds the rows of the chosen steps. Rows of the same kind and name are summed. Return: the sum of
 * all rows. */
static int64_t add_chosen(struct ra_why *why, struct ra_util_map *index)
{
	const struct ra_query all = { .limit = 0 };
	struct ra_table steps;
	int64_t whole_ns = 0;

	ra_report_make(&ra_report_critical_path, why->input, &all, &steps);
	for (size_t r = 0; r < steps.row_count; r++) {
		const int64_t part_ns = ra_why_cell(&steps, r, "path")->u.number;
		struct ra_table_cell *cells =
			find_row(&why->path, index, ra_why_cell(&steps, r, "kind"),
		                 ra_why_cell(&steps, r, "name"));

		cells[PATH_COUNT].u.number += ra_why_cell(&steps, r, "count")->u.number;
		cells[PATH_TOTAL].u.number = ra_util_add_time(cells[PATH_TOTAL].u.number, part_ns);
		whole_ns = ra_util_add_time(whole_ns, part_ns);
	}
	ra_table_fini(&steps);
	return whole_ns;
}

/* The time that a row has in one of the other steps. */
struct other {
	uint32_t row;
	int64_t step;
	int64_t path_ns;
};

struct others {
	struct other *parts; /* owned */
	size_t count;
	size_t capacity;
};

static int compare_parts(const void *left, const void *right)
{
	const struct other *a = left;
	const struct other *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, row), RA_ORDER_UP(a, b, step));
}

static int compare_times(const void *left, const void *right)
{
	const int64_t *a = left;
	const int64_t *b = right;

	return RA_ORDER(*a, *b);
}

/* Adds the rows of the other steps, so that there is also a row for what only they have. */
static void collect_others(struct ra_why *why, struct ra_util_map *index, struct others *others)
{
	const struct ra_settings *const chosen = why->input->settings;
	const struct ra_query all = { .limit = 0 };
	struct ra_settings whole = *chosen;
	struct ra_table steps;
	int64_t first = 0;

	whole.steps = NULL;
	why->input->settings = &whole;
	ra_report_make(&ra_report_critical_path, why->input, &all, &steps);
	why->input->settings = chosen;
	first = steps.row_count > 0 ? ra_why_cell(&steps, 0, "step")->u.number : 0;
	for (size_t r = 0; r < steps.row_count; r++) {
		const int64_t step = ra_why_cell(&steps, r, "step")->u.number;
		struct other part = { .step = step,
			              .path_ns = ra_why_cell(&steps, r, "path")->u.number };

		if (step == why->others.number || (why->others.lacks_first && step == first)) {
			continue;
		}
		part.row = (uint32_t) ((find_row(&why->path, index, ra_why_cell(&steps, r, "kind"),
		                                 ra_why_cell(&steps, r, "name")) -
		                        why->path.cells) /
		                       PATH_COLUMNS);
		RA_UTIL_APPEND(others->parts, others->count, others->capacity, part);
	}
	ra_table_fini(&steps);
}

/*
 * Finds the median of a row over `steps` steps; steps without the row count as 0.
 * @times: of the steps with the row, and room for all.
 */
static int64_t find_median(int64_t *times, size_t count, size_t steps)
{
	for (; count < steps; count++) {
		times[count] = 0;
	}
	RA_SORT(times, count, compare_times);
	return times[(count - 1) / 2] + (times[count / 2] - times[(count - 1) / 2]) / 2;
}

/* Sets the median of the others for each row. */
static void add_others(struct ra_why *why, struct ra_util_map *index)
{
	struct others others = { 0 };
	int64_t *times;
	size_t count = 0;

	collect_others(why, index, &others);
	times = ra_alloc_zeros(others.count + why->others.count + 1, sizeof(*times));
	if (others.count > 0) {
		RA_SORT(others.parts, others.count, compare_parts);
	}
	for (size_t i = 0; i < others.count; i++) {
		const struct other *part = &others.parts[i];
		const bool is_last = i + 1 == others.count || others.parts[i + 1].row != part->row;

		if (count > 0 && part->step == others.parts[i - 1].step) {
			times[count - 1] = ra_util_add_time(times[count - 1], part->path_ns);
		} else {
			times[count++] = part->path_ns;
		}
		if (is_last) {
			why->path.cells[part->row * PATH_COLUMNS + PATH_OTHERS].u.number =
				find_median(times, count, why->others.count);
			count = 0;
		}
	}
	free(times);
	free(others.parts);
}

/* Sorts the critical path: of several steps by time, longest first; of one step by increase,
 * largest first. */
static void make_path(struct ra_why *why)
{
	struct ra_util_map index = { 0 };
	int64_t whole_ns;

	ra_table_init(&why->path, path_columns, PATH_COLUMNS);
	whole_ns = add_chosen(why, &index);
	if (why->has_others) {
		add_others(why, &index);
		ra_table_hide(&why->path, PATH_SHARE);
	} else {
		ra_table_hide(&why->path, PATH_OTHERS);
		ra_table_hide(&why->path, PATH_MORE);
	}
	for (size_t r = 0; r < why->path.row_count; r++) {
		struct ra_table_cell *cells = &why->path.cells[r * PATH_COLUMNS];

		cells[PATH_SHARE] = ra_table_make_share(cells[PATH_TOTAL].u.number, whole_ns);
		if (why->has_others) {
			cells[PATH_MORE] = ra_table_make_number(cells[PATH_TOTAL].u.number -
			                                        cells[PATH_OTHERS].u.number);
		}
	}
	ra_table_sort(&why->path, PATH_TOTAL, true);
	ra_util_map_free(&index);
}

/* True if a GPU has gaps that are probably unrecorded kernels of graphs, and these gaps take so
 * much of the window that they should be mentioned. */
static bool may_lack_graphs(const struct ra_why *why)
{
	const struct ra_step_times *times = &why->steps->steps.times;
	const struct ra_model *model = why->input->model;
	struct ra_gpu_order order;
	int64_t start_ns;
	int64_t end_ns;
	bool is_any = false;

	if (times->step_count == 0) {
		return false;
	}
	start_ns = llround(times->steps[0].start);
	end_ns = llround(times->steps[times->step_count - 1].end);
	ra_gpu_order_init(&order, model);
	for (size_t d = 0; d < order.device_count && !is_any; d++) {
		is_any = (double) ra_gpu_gaps_of_graphs(model, &order, d, start_ns, end_ns) >
		         GRAPHS_PART * (double) (end_ns - start_ns);
	}
	ra_gpu_order_fini(&order);
	return is_any;
}

/* Finds the label that a row of the path shows; RA_NONE: it is no range's label. */
static uint32_t find_label(const struct ra_why *why, struct rlog_string name)
{
	const struct ra_slices *slices = &why->input->model->slices;
	uint32_t last = RA_NONE;

	for (size_t i = 0; i < slices->count; i++) {
		const uint32_t label = ra_labels_find(why->input->labels, slices->name[i]);

		if (label != last &&
		    ra_util_string_compare(ra_labels_name(why->input->labels, label), name) == 0) {
			return label;
		}
		last = label;
	}
	return RA_NONE;
}

int64_t ra_why_range_more(const struct ra_why *why, struct rlog_string name)
{
	const struct ra_slices *slices = &why->input->model->slices;
	const size_t count = why->all.times.step_count;
	const uint32_t label = find_label(why, name);
	int64_t *times = ra_alloc_zeros(count + 1, sizeof(*times)); /* the last element is for
	                                                               ranges in no step */
	int64_t more_ns;
	size_t kept = 0;

	for (size_t i = 0; i < slices->count && label != RA_NONE; i++) {
		const uint32_t parent = slices->parent[i];

		if (ra_labels_find(why->input->labels, slices->name[i]) == label &&
		    (parent == RA_NONE ||
		     ra_labels_find(why->input->labels, slices->name[parent]) != label)) {
			int64_t *time = &times[ra_steps_find(&why->all, slices->start_ns[i])];

			*time = ra_util_add_time(*time, slices->dur_ns[i]);
		}
	}
	more_ns = times[why->others.index];
	for (size_t i = why->others.lacks_first ? 1 : 0; i < count; i++) {
		if (i != why->others.index) {
			times[kept++] = times[i];
		}
	}
	more_ns -= find_median(times, kept, kept);
	free(times);
	return more_ns;
}

void ra_why_init(struct ra_why *why, struct ra_report_input *input)
{
	const struct ra_query all = { .limit = 0 };

	why->input = input;
	why->steps = ra_report_steps_find(input);
	why->has_others = ra_cmd_others_find(&why->others, input->model, input->settings);
	if (why->has_others) {
		const struct ra_steps_options every = { input->settings->step_range, NULL };

		ra_steps_init(&why->all, input->model, &every);
	}
	ra_report_make(&ra_report_advice, input, &all, &why->advice);
	ra_report_make(&ra_report_gpu, input, &all, &why->gpus);
	make_path(why);
	why->may_lack_graphs = may_lack_graphs(why);
}

void ra_why_fini(struct ra_why *why)
{
	ra_table_fini(&why->advice);
	ra_table_fini(&why->gpus);
	ra_table_fini(&why->path);
	ra_steps_fini(&why->all);
}
