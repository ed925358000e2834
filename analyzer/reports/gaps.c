/* SPDX-License-Identifier: MIT */
/* The report "gaps": when a GPU was idle, and what the CPU did meanwhile. */
#include "analyzer/reports/reports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/advice/advice-reading.h"
#include "analyzer/base/order/order.h"
#include "analyzer/figures/gpu/gpu-gaps.h"
#include "analyzer/figures/gpu/gpu-meanwhile.h"
#include "analyzer/figures/python-stacks.h"
#include "analyzer/report/op-names.h"
#include "analyzer/figures/rank-gpu.h"
#include "analyzer/steps/select.h"
#include "analyzer/base/util.h"

/* Most gaps that are shown, unless --limit asks for more: the report looks up what the CPU did in
 * each gap, and devices that are idle at the same time repeat each other. */
#define USUAL_GAPS 50   /* for each device */
#define MOST_GAPS  1000 /* for all devices together */
/* a GPU's clock ticks every 32 ns to 1 us, so a shorter gap may be one tick … */
#define LEAST_NS 100
#define MUCH     1000 /* … and it is dropped if other gaps are this many times longer */

enum gap_column {
	GAP_DEVICE,
	GAP_START,
	GAP_DURATION,
	GAP_CAUSE,
	GAP_TID,
	GAP_API,
	GAP_API_TIME,
	GAP_RANGE,
	GAP_RANGE_TIME,
	GAP_PYTHON,
	GAP_BEFORE,
	GAP_AFTER,
	GAP_COLUMNS,
};

static const struct ra_table_column gap_columns[GAP_COLUMNS] = {
	[GAP_DEVICE] = { "device", "GPU", RA_TABLE_COUNT, "0" },
	[GAP_START] = { "start_ns", "Start", RA_TABLE_TIME, NULL },
	[GAP_DURATION] = { "dur_ns", "Duration", RA_TABLE_TIME, NULL },
	[GAP_CAUSE] = { "cause", "Cause", RA_TABLE_TEXT, NULL },
	[GAP_TID] = { "tid", "TID", RA_TABLE_COUNT, NULL },
	[GAP_API] = { "api", "Longest call", RA_TABLE_TEXT, NULL },
	[GAP_API_TIME] = { "api_ns", "Call time", RA_TABLE_TIME, NULL },
	[GAP_RANGE] = { "range", "Mostly in range", RA_TABLE_TEXT, NULL },
	[GAP_RANGE_TIME] = { "range_ns", "Range time", RA_TABLE_TIME, NULL },
	[GAP_PYTHON] = { "python", "Python function", RA_TABLE_TEXT, "" },
	[GAP_BEFORE] = { "before", "After the end of", RA_TABLE_TEXT, NULL },
	[GAP_AFTER] = { "after", "Until", RA_TABLE_TEXT, NULL },
};

struct device_gap {
	struct ra_gpu_gap gap;
	uint32_t device;
	bool is_unrecorded; /* nothing of the host was recorded during the gap, either */
};

/* The time from the host's first recorded event to its last. */
struct host_time {
	int64_t start_ns;
	int64_t end_ns; /* less than start_ns: nothing of the host is recorded */
};

struct gap_list {
	struct host_time host;
	int64_t start_ns; /* only the part of a gap between start_ns and end_ns is listed */
	int64_t end_ns;
	bool is_for_people;   /* false: for programs, gaps must add up to the idle time */
	uint64_t short_count; /* number of dropped gaps, which may be ticks of the clock */
	int64_t short_ns;
	size_t left_count; /* number of gaps that are not listed */
	int64_t left_ns;
	struct device_gap *gaps; /* owned */
	size_t count;
	size_t capacity;
};

/* Orders gaps: the longest first; of equally long ones the earliest; of equal starts that of the
 * first device. */
static int compare_gaps(const void *left, const void *right)
{
	const struct device_gap *a = left;
	const struct device_gap *b = right;
	int order = RA_ORDER_DOWN(a, b, gap.dur_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, gap.start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, device));
}

/* Orders gaps by device, then like compare_gaps(). */
static int compare_devices(const void *left, const void *right)
{
	const struct device_gap *a = left;
	const struct device_gap *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, device), compare_gaps(left, right));
}

/* Sorts the gaps from `first` on. Keeps at most `most` of them. */
static void keep_longest(struct gap_list *list, size_t first, size_t most)
{
	const size_t count = list->count - first;

	if (count > 0) {
		RA_SORT(list->gaps + first, count, compare_gaps);
	}
	for (size_t i = first + (count < most ? count : most); i < list->count; i++) {
		list->left_count++;
		list->left_ns = ra_util_add_time(list->left_ns, list->gaps[i].gap.dur_ns);
	}
	list->count = first + (count < most ? count : most);
}

static void add_host_time(struct host_time *host, int64_t start_ns, int64_t dur_ns)
{
	const int64_t end_ns = ra_util_add_time(start_ns, dur_ns);

	host->start_ns = start_ns < host->start_ns ? start_ns : host->start_ns;
	host->end_ns = end_ns > host->end_ns ? end_ns : host->end_ns;
}

static struct host_time find_host_time(const struct ra_model *model)
{
	struct host_time host = { INT64_MAX, INT64_MIN };

	for (size_t i = 0; i < model->slices.count; i++) {
		add_host_time(&host, model->slices.start_ns[i], model->slices.dur_ns[i]);
	}
	for (size_t i = 0; i < model->gpu.api_count; i++) {
		add_host_time(&host, model->gpu.apis[i].start_ns, model->gpu.apis[i].dur_ns);
	}
	return host;
}

/* Cuts a gap to the part between start_ns and end_ns. Return: false if nothing is left. */
static bool cut_gap(const struct gap_list *list, struct ra_gpu_gap *gap)
{
	const int64_t end_ns = ra_util_add_time(gap->start_ns, gap->dur_ns);

	gap->start_ns = gap->start_ns > list->start_ns ? gap->start_ns : list->start_ns;
	gap->dur_ns = (end_ns < list->end_ns ? end_ns : list->end_ns) - gap->start_ns;
	return gap->dur_ns > 0;
}

/* Appends a gap. A gap at the begin or end of the recording is split: the part in which nothing of
 * the host is recorded becomes a gap of its own. */
static void add_gap(struct gap_list *list, const struct ra_gpu_gap *gap, uint32_t device)
{
	const struct host_time *host = &list->host;
	struct device_gap part = { *gap, device, false };
	struct device_gap rest = { *gap, device, true };
	const int64_t end_ns = gap->start_ns + gap->dur_ns;
	const bool has_host = host->end_ns >= host->start_ns;

	if (has_host && gap->cause == RA_GPU_GAPS_BEFORE && host->start_ns > gap->start_ns) {
		rest.gap.dur_ns =
			(host->start_ns < end_ns ? host->start_ns : end_ns) - gap->start_ns;
		rest.gap.after = RA_NONE;
		part.gap.start_ns += rest.gap.dur_ns;
	} else if (has_host && gap->cause == RA_GPU_GAPS_AFTER && host->end_ns < end_ns) {
		rest.gap.start_ns = host->end_ns > gap->start_ns ? host->end_ns : gap->start_ns;
		rest.gap.dur_ns = end_ns - rest.gap.start_ns;
		rest.gap.before = RA_NONE;
	} else {
		rest.gap.dur_ns = 0;
	}
	part.gap.dur_ns -= rest.gap.dur_ns;
	if (part.gap.dur_ns > 0 && cut_gap(list, &part.gap)) {
		RA_UTIL_APPEND(list->gaps, list->count, list->capacity, part);
	}
	if (rest.gap.dur_ns > 0 && cut_gap(list, &rest.gap)) {
		RA_UTIL_APPEND(list->gaps, list->count, list->capacity, rest);
	}
}

/* Drops gaps from the end of a sorted list that are so short that they may be ticks of the clock,
 * if there are much longer gaps. */
static void drop_short(struct gap_list *list, size_t first)
{
	const int64_t longest_ns = list->count > first ? list->gaps[first].gap.dur_ns : 0;
	const int64_t least_ns = longest_ns / MUCH < LEAST_NS ? longest_ns / MUCH : LEAST_NS;

	while (list->count > first && list->gaps[list->count - 1].gap.dur_ns < least_ns) {
		list->count--;
		list->short_count++;
		list->short_ns =
			ra_util_add_time(list->short_ns, list->gaps[list->count].gap.dur_ns);
	}
}

/* Appends the longest gaps of a device. */
static void collect_gaps(struct gap_list *list, struct ra_gpu_gaps *walk, uint32_t device,
                         size_t most)
{
	const size_t first = list->count;
	struct ra_gpu_gap gap;

	while (ra_gpu_gaps_next(walk, &gap)) {
		add_gap(list, &gap, device);
	}
	keep_longest(list, first, SIZE_MAX);
	if (list->is_for_people) {
		drop_short(list, first);
	}
	keep_longest(list, first, most);
}

static void put_op(const struct ra_report_input *input, uint32_t op, struct ra_table *table,
                   struct ra_table_cell *cell)
{
	uint64_t key;

	if (op == RA_NONE) {
		return;
	}
	key = ra_op_names_find(input, &input->model->gpu.ops[op]);
	*cell = ra_table_make_text(ra_op_names_text(input, key, table));
}

/* Finds the thread for which the device waited: the thread that launched the work after the gap, or
 * if that is unknown, the work before it. RA_NONE: unknown. */
static uint32_t find_track(const struct ra_gpu *gpu, const struct ra_gpu_gap *gap)
{
	const uint32_t ops[2] = { gap->after, gap->before };

	for (size_t i = 0; i < 2; i++) {
		if (ops[i] != RA_NONE && gpu->ops[ops[i]].api != RA_NONE) {
			return gpu->apis[gpu->ops[ops[i]].api].track;
		}
	}
	return RA_NONE;
}

/* True if the table is for people and has a limited width. */
static bool has_short_names(const struct ra_report_input *input)
{
	return input->kernels != NULL && input->kernels->options.kernel_form == RA_KERNEL_SHORT;
}

/* Drops the folders from "folder/file.py(7): step" if names must be short. */
static struct rlog_string shorten(const struct ra_report_input *input, struct rlog_string name)
{
	const char *line = memchr(name.bytes, '(', name.length);
	const char *file = line;

	if (line == NULL || !has_short_names(input)) {
		return name;
	}
	while (file > name.bytes && file[-1] != '/') {
		file--;
	}
	return (struct rlog_string){ file, name.length - (uint32_t) (file - name.bytes), 0 };
}

/* The data that tell what happened during gaps. */
struct sources {
	const struct ra_report_input *input;
	struct ra_python_stacks stacks;
	struct ra_steps steps; /* ranges that are steps are ignored, because they explain nothing */
};

/* Writes where the work after a gap was launched. If its thread launched it long before, the thread
 * may do nothing now; then writes the range in which it launched the work. */
static void put_launch(const struct sources *sources, const struct ra_gpu_gap *gap,
                       struct ra_table_cell *cells)
{
	const struct ra_model *model = sources->input->model;
	const struct ra_gpu_api *api;
	uint32_t slice;

	if (gap->cause != RA_GPU_GAPS_QUEUED || model->gpu.ops[gap->after].api == RA_NONE) {
		return;
	}
	api = &model->gpu.apis[model->gpu.ops[gap->after].api];
	if (!cells[GAP_API].has_value) {
		cells[GAP_API] = ra_table_make_text(ra_model_string(model, api->name));
	}
	for (slice = api->slice; slice != RA_NONE && sources->steps.is_step[slice];) {
		slice = model->slices.parent[slice];
	}
	if (!cells[GAP_RANGE].has_value && slice != RA_NONE) {
		cells[GAP_RANGE] = ra_table_make_text(
			ra_op_names_single(sources->input, model->slices.name[slice]));
	}
}

static void put_meanwhile(const struct sources *sources, const struct ra_gpu_gap *gap,
                          struct ra_table_cell *cells)
{
	const struct ra_report_input *input = sources->input;
	const struct ra_model *model = input->model;
	const uint32_t track = find_track(&model->gpu, gap);
	struct ra_gpu_meanwhile meanwhile;
	struct rlog_string python;
	int64_t start_ns;

	if (track == RA_NONE) {
		return;
	}
	ra_gpu_meanwhile_find_in(&meanwhile, &(struct ra_gpu_meanwhile_time){
						     .model = model,
						     .is_step = sources->steps.is_step,
						     .track = track,
						     .start_ns = gap->start_ns,
						     .end_ns = gap->start_ns + gap->dur_ns,
					     });
	cells[GAP_TID] = ra_table_make_number(model->tracks[track].tid);
	if (meanwhile.api != RA_NONE) {
		cells[GAP_API] = ra_table_make_text(ra_model_string(model, meanwhile.api));
		cells[GAP_API_TIME] = ra_table_make_number(meanwhile.api_ns);
	}
	if (meanwhile.range != RA_NONE) {
		cells[GAP_RANGE] = ra_table_make_text(ra_op_names_single(input, meanwhile.range));
		cells[GAP_RANGE_TIME] = ra_table_make_number(meanwhile.range_ns);
	}
	put_launch(sources, gap, cells);
	start_ns = ra_select_real(model, gap->start_ns); /* rows have the times of the trace */
	python = ra_python_stacks_function_on(&sources->stacks, model, track, start_ns,
	                                      start_ns + gap->dur_ns);
	if (python.length > 0) {
		cells[GAP_PYTHON] = ra_table_make_text(shorten(input, python));
	}
}

static void put_gap(const struct sources *sources, const struct device_gap *from,
                    struct ra_table *table)
{
	const struct ra_report_input *input = sources->input;
	const struct ra_gpu_gap *gap = &from->gap;
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[GAP_DEVICE] = ra_table_make_id(from->device);
	cells[GAP_START] = ra_table_make_number(ra_select_real(input->model, gap->start_ns));
	cells[GAP_DURATION] = ra_table_make_number(gap->dur_ns);
	cells[GAP_CAUSE] = ra_table_make_word(from->is_unrecorded ? "nothing recorded"
	                                                          : ra_gpu_gaps_name(gap->cause));
	put_meanwhile(sources, gap, cells);
	put_op(input, gap->before, table, &cells[GAP_BEFORE]);
	put_op(input, gap->after, table, &cells[GAP_AFTER]);
}

static const char gaps_note[] = "Longest call and range: of the thread that launched the next "
				"operation; `analyzer search` shows others";

static void note_short(struct ra_report_input *input, const struct gap_list *list)
{
	if (list->short_count > 0) {
		ra_report_add_figure(input, "short_gaps", "Gaps below 100ns, which are not listed",
		                     RA_TABLE_COUNT, ra_table_make_count(list->short_count));
		ra_report_add_figure(input, "short_gaps_ns", "These gaps in total", RA_TABLE_TIME,
		                     ra_table_make_number(list->short_ns));
	}
}

/* Adds a note why calls and ranges may have no time. */
static void note_launches(struct ra_report_input *input, const struct ra_table *table)
{
	for (size_t i = 0; i < table->row_count; i++) {
		const struct ra_table_cell *cells = &table->cells[i * GAP_COLUMNS];

		if ((cells[GAP_API].has_value && !cells[GAP_API_TIME].has_value) ||
		    (cells[GAP_RANGE].has_value && !cells[GAP_RANGE_TIME].has_value)) {
			ra_report_add_note(input, "Call or range without a time: in which it "
			                          "launched that, before the gap");
			return;
		}
	}
}

static void fill_gaps(struct ra_report_input *input, struct ra_table *table)
{
	const size_t most = input->limit > USUAL_GAPS ? input->limit : USUAL_GAPS;
	struct gap_list list = { .host = find_host_time(input->model),
		                 .start_ns = INT64_MIN,
		                 .end_ns = INT64_MAX,
		                 .is_for_people = has_short_names(input) };
	const struct ra_steps_options all = { .range = input->settings->step_range };
	struct sources sources = { .input = input };
	struct ra_gpu_order order;

	ra_python_stacks_init_calls(&sources.stacks, input->model);
	ra_steps_init(&sources.steps, input->model, &all);
	if (input->within_steps && sources.steps.times.step_count > 0) {
		const struct ra_step_times *times = &sources.steps.times;

		list.start_ns = llround(times->steps[0].start);
		list.end_ns = llround(times->steps[times->step_count - 1].end);
	}
	if (sources.stacks.count == 0) {
		ra_table_hide(table, GAP_PYTHON);
	}
	ra_gpu_order_init(&order, input->model);
	for (size_t d = 0; d < order.device_count; d++) {
		struct ra_gpu_gaps walk;

		if (order.devices[d].count == 0) {
			continue; /* the program does not use this GPU */
		}
		ra_gpu_gaps_begin_device(&walk, &input->model->gpu, &order, d);
		collect_gaps(&list, &walk, order.devices[d].id, most);
	}
	keep_longest(&list, 0, most > MOST_GAPS ? most : MOST_GAPS);
	RA_SORT(list.gaps, list.count, compare_devices);
	for (size_t i = 0; i < list.count; i++) {
		put_gap(&sources, &list.gaps[i], table);
	}
	ra_python_stacks_fini(&sources.stacks);
	ra_steps_fini(&sources.steps);
	table->unmade_count = list.left_count;
	table->unmade_ns = list.left_ns;
	note_short(input, &list);
	ra_report_add_note(input, gaps_note);
	note_launches(input, table);
	free(list.gaps);
	ra_gpu_order_fini(&order);
}

const struct ra_report ra_report_gaps = {
	.name = "gaps",
	.scope = RA_REPORT_OF_TIME,
	.title = "Gaps",
	.summary = "the longest times in which a GPU had nothing to do, and what the CPU did then",
	.none = "no GPU work",
	.is_gpu = true,
	.columns = gap_columns,
	.column_count = GAP_COLUMNS,
	.sort = "dur",
	.fill = fill_gaps,
};
