/* SPDX-License-Identifier: MIT */
/* The report "memory-growth": memory allocated and freed on the way to its peak, by the operators
 * around the calls. It needs no addresses. */
#include <assert.h>
#include <stdlib.h>

#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/memory.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/report/op-names.h"
#include "analyzer/report/report-steps.h"
#include "analyzer/reports/reports.h"

enum column {
	DEVICE,
	KIND,
	AROUND,
	NET,
	SHARE,
	ALLOCATIONS,
	FROM,
	PEAK_TIME,
	STEPS,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, NULL },
	[KIND] = { "memory", "Memory", RA_TABLE_TEXT, NULL },
	[AROUND] = { "operator", "Operator around", RA_TABLE_TEXT, NULL },
	[NET] = { "net_bytes", "Net", RA_TABLE_COUNT, NULL },
	[SHARE] = { "net_share", "Of what grew", RA_TABLE_SHARE, NULL },
	[ALLOCATIONS] = { "allocations", "# of Allocs", RA_TABLE_COUNT, NULL },
	[FROM] = { "from_ns", "From", RA_TABLE_TIME, NULL },
	[PEAK_TIME] = { "peak_time_ns", "Peak at", RA_TABLE_TIME, NULL },
	[STEPS] = { "peak_steps", "Steps with it", RA_TABLE_COUNT, "0" },
};

static const char note[] =
	"Net: allocated less freed in the operator, from the last lowest allocation before the "
	"peak (From) up to it: what memory grew by, not who holds it, which only addresses tell. "
	"Steps with it: steps that come within a thousandth of the peak";

static const char base_note[] =
	"What was allocated before (weights, for one) is a row of its own, so rows add up to the "
	"peak";

#define OUTSIDE UINT32_MAX

/* The memory figures of operators with one name. */
struct row {
	uint32_t label;
	uint32_t slice; /* one of these operators, for the name; OUTSIDE: no range was open */
	int64_t net_bytes;
	uint64_t allocations;
};

struct filling {
	struct ra_report_input *input;
	struct ra_table *table;
	const struct ra_steps *steps; /* borrowed */
	const struct ra_memory *memory;
	const struct ra_memory_pool *pool;
	struct ra_util_map row_of; /* owned; label → row */
	struct row *rows;          /* owned */
	size_t count;
	size_t capacity;
};

/* Finds the outermost operator that is no step; if there is none, the innermost range. */
static uint32_t find_around(const struct filling *filling, uint32_t slice)
{
	const struct ra_model *model = filling->input->model;
	uint32_t innermost = OUTSIDE;
	uint32_t around = OUTSIDE;

	for (; slice != RA_NONE; slice = model->slices.parent[slice]) {
		if ((model->slices.flags[slice] & RA_SLICE_WAIT) != 0) {
			continue;
		}
		innermost = innermost == OUTSIDE ? slice : innermost;
		if (!filling->steps->is_step[slice] && ra_model_rows_is_operator(model, slice)) {
			around = slice;
		}
	}
	return around == OUTSIDE ? innermost : around;
}

static void add_record(struct filling *filling, const struct ra_memory_record *record)
{
	const struct ra_slices *slices = &filling->input->model->slices;
	const uint32_t slice = find_around(filling, record->slice);
	const uint32_t label =
		slice == OUTSIDE ? OUTSIDE
				 : ra_labels_find(filling->input->labels, slices->name[slice]);
	uint32_t index = ra_util_map_find(&filling->row_of, label);

	if (index == RA_UTIL_MAP_NONE) {
		index = (uint32_t) filling->count;
		ra_util_map_put(&filling->row_of, label, index);
		RA_UTIL_APPEND(filling->rows, filling->count, filling->capacity,
		               (struct row){ .label = label, .slice = slice });
	}
	assert(filling->rows != NULL); /* index is that of a row */
	filling->rows[index].net_bytes =
		ra_util_add_wrapped(filling->rows[index].net_bytes, record->bytes);
	filling->rows[index].allocations += !record->is_free;
}

/* Finds the record before the peak after which the least memory was allocated; of several the last.
 * RA_NONE: the least was before the first record. */
static uint32_t find_lowest(const struct filling *filling)
{
	const struct ra_memory_record *records = filling->memory->records;
	int64_t lowest_bytes = filling->pool->before;
	uint32_t lowest = RA_NONE;

	for (uint32_t i = filling->pool->first; i != RA_NONE && i < filling->pool->peak;
	     i = records[i].next) {
		if (records[i].allocated <= lowest_bytes) {
			lowest_bytes = records[i].allocated;
			lowest = i;
		}
	}
	return lowest;
}

/* Counts the steps in which the memory is within a thousandth of the peak. */
static uint64_t count_steps(const struct filling *filling)
{
	const struct ra_memory_record *records = filling->memory->records;
	const struct ra_steps *steps = filling->steps;
	const int64_t least = filling->pool->peak_bytes - filling->pool->peak_bytes / 1000;
	size_t counted = 0; /* all steps before this one are handled */
	uint64_t count = 0;

	if (steps->hosts == NULL) {
		return 0; /* there are no steps */
	}
	for (uint32_t i = filling->pool->first; i != RA_NONE; i = records[i].next) {
		while (counted < steps->times.step_count &&
		       steps->hosts[counted].end_ns <= records[i].time_ns) {
			counted++;
		}
		if (counted < steps->times.step_count && records[i].allocated >= least &&
		    steps->hosts[counted].start_ns <= records[i].time_ns) {
			count++;
			counted++;
		}
	}
	return count;
}

/* What the rows of a pool share. */
struct span {
	int64_t added; /* sum over the rows that allocated more than they freed */
	int64_t from_ns;
	uint64_t steps;
};

static struct ra_table_cell *put_cells(const struct filling *filling, const struct span *span,
                                       int64_t net_bytes)
{
	const struct ra_memory_pool *pool = filling->pool;
	struct ra_table_cell *cells = ra_table_add_row(filling->table);
	char name[RA_MEMORY_NAME_BYTES];

	if (pool->device != RA_NONE) {
		cells[DEVICE] = ra_table_make_id(pool->device);
	}
	cells[KIND] = ra_table_make_text(
		ra_table_keep_text(filling->table, name, ra_memory_kind(pool, name)));
	cells[NET] = ra_table_make_number(net_bytes);
	cells[FROM] = ra_table_make_number(span->from_ns);
	cells[PEAK_TIME] = ra_table_make_number(filling->memory->records[pool->peak].time_ns);
	if (!filling->steps->is_whole) {
		cells[STEPS] = ra_table_make_count(span->steps);
	}
	return cells;
}

static void put_row(const struct filling *filling, const struct row *row, const struct span *span)
{
	struct ra_table_cell *cells = put_cells(filling, span, row->net_bytes);

	cells[AROUND] = row->slice == OUTSIDE
	                        ? ra_table_make_word("(outside any range)")
	                        : ra_table_make_text(ra_op_names_range(filling->input, row->slice));
	if (row->net_bytes > 0) {
		cells[SHARE] = ra_table_make_share(row->net_bytes, span->added);
	}
	cells[ALLOCATIONS] = ra_table_make_count(row->allocations);
}

/* Adds a row for bytes that belong to no operator, unless there are none. */
static void put_words(const struct filling *filling, const struct span *span, const char *words,
                      int64_t bytes)
{
	if (bytes != 0) {
		put_cells(filling, span, bytes)[AROUND] = ra_table_make_word(words);
	}
}

static void put_pool(struct filling *filling)
{
	const struct ra_memory_record *records = filling->memory->records;
	const struct ra_memory_pool *pool = filling->pool;
	const uint32_t lowest = find_lowest(filling);
	const int64_t base =
		lowest == RA_NONE ? pool->before : filling->memory->records[lowest].allocated;
	struct span span = {
		.from_ns = records[lowest == RA_NONE ? pool->first : lowest].time_ns,
		.steps = count_steps(filling),
	};
	int64_t net_bytes = 0;

	for (uint32_t i = lowest == RA_NONE ? pool->first : records[lowest].next;
	     i != RA_NONE && i <= pool->peak; i = records[i].next) {
		add_record(filling, &records[i]);
	}
	for (size_t i = 0; i < filling->count; i++) {
		net_bytes = ra_util_add_wrapped(net_bytes, filling->rows[i].net_bytes);
		span.added += filling->rows[i].net_bytes > 0 ? filling->rows[i].net_bytes : 0;
	}
	if (base != 0) {
		ra_report_add_note(filling->input, base_note);
	}
	put_words(filling, &span,
	          lowest == RA_NONE ? "(before the recording)" : "(already allocated at From)",
	          base);
	for (size_t i = 0; i < filling->count; i++) {
		put_row(filling, &filling->rows[i], &span);
	}
	/* The totals in the trace may include memory that its records lack. */
	put_words(filling, &span, "(not known)", pool->peak_bytes - base - net_bytes);
	ra_util_map_free(&filling->row_of);
	filling->row_of = (struct ra_util_map){ 0 };
	filling->count = 0;
}

static void fill(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = { .input = input, .table = table };
	struct ra_memory memory;

	ra_memory_init(&memory, input->model);
	filling.memory = &memory;
	filling.steps = &ra_report_steps_find(input)->steps;
	if (memory.count > 0) {
		ra_report_add_note(input, note);
		ra_memory_note_start(input, &memory);
	}
	for (uint32_t i = 0; i < memory.pool_count; i++) {
		filling.pool = &memory.pools[i];
		if (filling.pool->peak != RA_NONE) {
			put_pool(&filling);
		}
	}
	ra_memory_fini(&memory);
	free(filling.rows);
}

const struct ra_report ra_report_memory_growth = {
	.name = "memory-growth",
	.title = "What memory grew by up to its peak (net; not its holders)",
	.summary = "operators' net memory up to the peak, also without addresses",
	.more_of = "memory-holders",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "net_bytes",
	.is_gpu = true,
	.is_long = true, /* memory-holders tells more if the trace has addresses */
	.fill = fill,
	.none = "no allocations were recorded: ranges run --cuda memory does that",
	.none_trace = ra_memory_none_trace,
};
