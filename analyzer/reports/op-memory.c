/* SPDX-License-Identifier: MIT */
/* The report "op-memory": which ranges allocated and freed memory, and how much of that was still
 * allocated at the peak. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/search.h"
#include "analyzer/figures/memory.h"
#include "analyzer/names/labels.h"
#include "analyzer/report/report-steps.h"
#include "analyzer/reports/reports.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

enum column {
	DEVICE,
	NAME,
	CALLS,
	SELF_INCREASE,
	SELF_ALLOCATED,
	SELF_ALLOCATIONS,
	INCREASE,
	ALLOCATED,
	ALLOCATIONS,
	AT_PEAK,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[DEVICE] = { "device", "On", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Range", RA_TABLE_TEXT, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[SELF_INCREASE] = { "self_increase_bytes", "Self increase", RA_TABLE_COUNT, NULL },
	[SELF_ALLOCATED] = { "self_allocated_bytes", "Self allocated", RA_TABLE_COUNT, NULL },
	[SELF_ALLOCATIONS] = { "self_allocations", "Self allocations", RA_TABLE_COUNT, NULL },
	[INCREASE] = { "increase_bytes", "Increase", RA_TABLE_COUNT, NULL },
	[ALLOCATED] = { "allocated_bytes", "Allocated", RA_TABLE_COUNT, NULL },
	[ALLOCATIONS] = { "allocations", "Allocations", RA_TABLE_COUNT, NULL },
	[AT_PEAK] = { "self_at_peak_bytes", "Self at peak", RA_TABLE_COUNT, NULL },
};

/* Sums for the ranges of one name in a pool: for the ranges alone (self), and with the ranges
 * inside them. */
struct row {
	uint32_t pool;
	uint32_t label; /* OUTSIDE: no range was open */
	int64_t self_increase;
	int64_t self_allocated;
	uint64_t self_allocations;
	int64_t increase;
	int64_t allocated;
	uint64_t allocations;
	int64_t at_peak;
	size_t last; /* 1 + the last record added, because each record is added once */
};

#define OUTSIDE UINT32_MAX

static const char sums_note[] = "Increase and Allocated are sums over all steps; what the peak is "
				"made of: memory-holders, and without addresses memory-growth";

struct filling {
	const struct ra_report_input *input;
	struct ra_table *table;
	struct ra_labels *labels;   /* borrowed */
	struct ra_memory memory;    /* owned */
	struct ra_util_map row_of;  /* pool << 32 | label → row */
	struct ra_util_map call_of; /* label → index into `calls` */
	const uint8_t *is_step;     /* borrowed: by slice */
	uint32_t *steps; /* owned: the ranges that are steps, by start, if all are on one thread */
	size_t step_count;
	struct row *rows; /* owned */
	size_t count;
	size_t capacity;
	uint64_t *calls; /* owned */
	size_t call_count;
	size_t call_capacity;
};

static uint32_t find_label(const struct filling *filling, uint32_t slice)
{
	return ra_labels_find(filling->labels, filling->input->model->slices.name[slice]);
}

/* The row of a name in a pool. The pointer is valid until the next call. */
static struct row *find_row(struct filling *filling, uint32_t pool, uint32_t label)
{
	const uint64_t key = (uint64_t) pool << 32 | label;
	const uint32_t index = ra_util_map_find(&filling->row_of, key);

	if (index != RA_UTIL_MAP_NONE) {
		return &filling->rows[index];
	}
	ra_util_grow(&filling->rows, &filling->capacity, filling->count + 1,
	             sizeof(*filling->rows));
	ra_util_map_put(&filling->row_of, key, (uint32_t) filling->count);
	filling->rows[filling->count] = (struct row){ .pool = pool, .label = label };
	return &filling->rows[filling->count++];
}

static void add_self(const struct filling *filling, struct row *row, size_t i)
{
	const struct ra_memory_record *record = &filling->memory.records[i];
	const uint32_t peak = filling->memory.pools[record->pool].peak;

	row->self_increase = ra_util_add_wrapped(row->self_increase, record->bytes);
	if (record->is_free) {
		return;
	}
	row->self_allocated = ra_util_add_wrapped(row->self_allocated, record->bytes);
	row->self_allocations++;
	if (peak != RA_NONE && i <= peak && (record->gone == RA_NONE || record->gone > peak)) {
		row->at_peak = ra_util_add_wrapped(row->at_peak, record->bytes);
	}
}

static void add_total(struct row *row, const struct ra_memory_record *record, size_t i)
{
	if (row->last == i + 1) {
		return; /* this range is inside another range of the same name */
	}
	row->last = i + 1;
	row->increase = ra_util_add_wrapped(row->increase, record->bytes);
	if (!record->is_free) {
		row->allocated = ra_util_add_wrapped(row->allocated, record->bytes);
		row->allocations++;
	}
}

/* Lists the steps, if they divide the time. They do not if a step is inside another one, or if
 * several threads have steps. Then a step gets only what its own thread did. A thread's ranges are
 * ordered by start. */
static void list_steps(struct filling *filling)
{
	const struct ra_model *model = filling->input->model;
	const struct ra_slices *slices = &model->slices;
	int64_t end_ns = INT64_MIN;

	filling->steps = ra_alloc_zeros(slices->count + 1, sizeof(*filling->steps));
	for (size_t i = 0; i < slices->count; i++) {
		if (filling->is_step[i] == 0) {
			continue;
		}
		if (slices->start_ns[i] < end_ns) {
			filling->step_count = 0;
			return;
		}
		end_ns = ra_util_add_time(slices->start_ns[i], slices->dur_ns[i]);
		filling->steps[filling->step_count++] = (uint32_t) i;
	}
}

/* The step at a time; RA_NONE: none. */
static uint32_t find_step(const struct filling *filling, int64_t time_ns)
{
	const struct ra_slices *slices = &filling->input->model->slices;
	struct ra_search at = ra_search_in(0, filling->step_count);
	uint32_t step;

	while (ra_search_next(&at)) {
		ra_search_tell(&at, slices->start_ns[filling->steps[at.middle]] <= time_ns);
	}
	if (at.low == 0) {
		return RA_NONE;
	}
	step = filling->steps[at.low - 1];
	return time_ns < ra_util_add_time(slices->start_ns[step], slices->dur_ns[step]) ? step
	                                                                                : RA_NONE;
}

/* Adds a record to the step in which it happened, whatever its thread: a backward pass has a thread
 * of its own. */
static void add_to_step(struct filling *filling, size_t i)
{
	const struct ra_memory_record *record = &filling->memory.records[i];
	const uint32_t step = find_step(filling, record->time_ns);

	if (step != RA_NONE) {
		add_total(find_row(filling, record->pool, find_label(filling, step)), record, i);
	}
}

static void add_record(struct filling *filling, size_t i)
{
	const struct ra_slices *slices = &filling->input->model->slices;
	const struct ra_memory_record *record = &filling->memory.records[i];
	bool is_self = true;

	for (uint32_t slice = record->slice; slice != RA_NONE; slice = slices->parent[slice]) {
		struct row *row;

		if ((slices->flags[slice] & RA_SLICE_WAIT) != 0) {
			continue; /* there is no range */
		}
		row = find_row(filling, record->pool, find_label(filling, slice));
		if (is_self) {
			add_self(filling, row, i);
			is_self = false;
		}
		add_total(row, record, i);
	}
	if (is_self) {
		struct row *row = find_row(filling, record->pool, OUTSIDE);

		add_self(filling, row, i);
		add_total(row, record, i);
	}
	add_to_step(filling, i);
}

/* Counts the calls of the names that are in rows. */
static void count_calls(struct filling *filling)
{
	const struct ra_slices *slices = &filling->input->model->slices;

	for (size_t i = 0; i < filling->count; i++) {
		const uint32_t label = filling->rows[i].label;

		if (ra_util_map_find(&filling->call_of, label) != RA_UTIL_MAP_NONE) {
			continue;
		}
		ra_util_grow(&filling->calls, &filling->call_capacity, filling->call_count + 1,
		             sizeof(*filling->calls));
		ra_util_map_put(&filling->call_of, label, (uint32_t) filling->call_count);
		filling->calls[filling->call_count++] = 0;
	}
	for (size_t i = 0; i < slices->count && filling->count > 0; i++) {
		const uint32_t at =
			ra_util_map_find(&filling->call_of, find_label(filling, (uint32_t) i));

		if (at != RA_UTIL_MAP_NONE && (slices->flags[i] & RA_SLICE_WAIT) == 0) {
			filling->calls[at]++;
		}
	}
}

static void put_row(struct filling *filling, const struct row *row)
{
	static const struct rlog_string outside = { "(outside any range)", 19, 19 };
	const struct ra_memory_pool *pool = &filling->memory.pools[row->pool];
	struct ra_table_cell *cells = ra_table_add_row(filling->table);
	char name[RA_MEMORY_NAME_BYTES];

	cells[DEVICE] = ra_table_make_text(
		ra_table_keep_text(filling->table, name, ra_memory_name(pool, name)));
	if (row->label == OUTSIDE) {
		cells[NAME] = ra_table_make_text(outside);
	} else {
		const struct rlog_string text =
			filling->labels != NULL
				? ra_labels_name(filling->labels, row->label)
				: ra_model_string(filling->input->model, row->label);

		cells[NAME] = ra_table_make_text(
			ra_table_keep_text(filling->table, text.bytes, text.length));
		cells[CALLS] = ra_table_make_count(
			filling->calls[ra_util_map_find(&filling->call_of, row->label)]);
	}
	cells[SELF_INCREASE] = ra_table_make_number(row->self_increase);
	cells[SELF_ALLOCATED] = ra_table_make_number(row->self_allocated);
	cells[SELF_ALLOCATIONS] = ra_table_make_count(row->self_allocations);
	cells[INCREASE] = ra_table_make_number(row->increase);
	cells[ALLOCATED] = ra_table_make_number(row->allocated);
	cells[ALLOCATIONS] = ra_table_make_count(row->allocations);
	if (pool->has_addresses) {
		cells[AT_PEAK] = ra_table_make_number(row->at_peak);
	}
}

/* Makes labels that join names which differ only in a number. */
static void merge_labels(struct filling *filling, struct ra_labels *merged)
{
	struct ra_labels_options options = filling->labels->options;

	options.merges_numbers = true;
	ra_labels_init(merged, filling->input->model, &options);
	filling->labels->merged = merged->merged; /* for the note below the tables */
	filling->labels = merged;
}

static void fill(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = { .input = input, .table = table, .labels = input->labels };
	struct ra_labels merged = { 0 };
	bool has_addresses = false;

	ra_memory_init(&filling.memory, input->model);
	if (input->merges_numbers && input->labels != NULL && filling.memory.count > 0) {
		merge_labels(&filling, &merged);
	}
	if (filling.memory.count > 0) {
		filling.is_step = ra_report_steps_find(input)->steps.is_step;
		list_steps(&filling);
	}
	for (size_t i = 0; i < filling.memory.count; i++) {
		add_record(&filling, i);
	}
	count_calls(&filling);
	for (size_t i = 0; i < filling.count; i++) {
		put_row(&filling, &filling.rows[i]);
	}
	if (filling.step_count > 1) {
		ra_report_add_note(input, sums_note);
	}
	for (size_t i = 0; i < filling.memory.pool_count; i++) {
		has_addresses |= filling.memory.pools[i].has_addresses;
	}
	if (!has_addresses) {
		ra_table_hide(table, AT_PEAK);
	}
	ra_memory_fini(&filling.memory);
	ra_labels_fini(&merged);
	ra_util_map_free(&filling.row_of);
	ra_util_map_free(&filling.call_of);
	free(filling.steps);
	free(filling.rows);
	free(filling.calls);
}

const struct ra_report ra_report_op_memory = {
	.name = "op-memory",
	.title = "Memory by range",
	.summary = "memory that ranges allocated and freed, by device",
	.more_of = "memory-holders",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "allocated_bytes",
	.is_gpu = true,
	.fill = fill,
	.none = "no allocations were recorded: ranges run --cuda memory does that",
	.none_trace = ra_memory_none_trace,
};
