/* SPDX-License-Identifier: MIT */
/* The reports "memory" and "memory-peak": memory allocated and freed, by device and kind. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/figures/memory.h"
#include "analyzer/report/op-names.h"
#include "analyzer/reports/reports.h"
#include "analyzer/base/util.h"

enum column {
	DEVICE,
	KIND,
	ALLOCATIONS,
	ALLOCATED,
	LARGEST,
	FREES,
	FREED,
	PEAK,
	PEAK_TIME,
	PEAK_RANGE,
	RESERVED,
	BEFORE,
	LEFT,
	LEFT_BYTES,
	UNMATCHED,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, NULL },
	[KIND] = { "memory", "Memory", RA_TABLE_TEXT, NULL },
	[ALLOCATIONS] = { "allocations", "# of Allocs", RA_TABLE_COUNT, NULL },
	[ALLOCATED] = { "allocated_bytes", "Allocated", RA_TABLE_COUNT, NULL },
	[LARGEST] = { "largest_bytes", "Largest", RA_TABLE_COUNT, NULL },
	[FREES] = { "frees", "# of Frees", RA_TABLE_COUNT, NULL },
	[FREED] = { "freed_bytes", "Freed", RA_TABLE_COUNT, NULL },
	[PEAK] = { "peak_bytes", "Peak", RA_TABLE_COUNT, NULL },
	[PEAK_TIME] = { "peak_time_ns", "Peak at", RA_TABLE_TIME, NULL },
	[PEAK_RANGE] = { "peak_range", "Peak in", RA_TABLE_TEXT, "" },
	[RESERVED] = { "peak_reserved_bytes", "Reserved", RA_TABLE_COUNT, "0" },
	[BEFORE] = { "before_bytes", "Before", RA_TABLE_COUNT, "0" },
	[LEFT] = { "left", "# Left", RA_TABLE_COUNT, NULL },
	[LEFT_BYTES] = { "left_bytes", "Left", RA_TABLE_COUNT, NULL },
	[UNMATCHED] = { "unmatched", "Unmatched", RA_TABLE_COUNT, "0" },
};

/* A path has at most this many names. */
#define PATH_NAMES 8

/* Sums over the records of a pool. */
struct sum {
	uint64_t allocations;
	uint64_t allocated_bytes;
	uint64_t largest_bytes;
	uint64_t frees;
	uint64_t freed_bytes;
	uint64_t left;
	uint64_t left_bytes;
	uint64_t unmatched;
};

static void add_record(struct sum *sum, const struct ra_memory_record *record)
{
	const uint64_t bytes = (uint64_t) (record->bytes < 0 ? -record->bytes : record->bytes);

	sum->unmatched += record->was_unmatched;
	if (record->is_free) {
		sum->frees++;
		sum->freed_bytes = ra_util_add(sum->freed_bytes, bytes);
		return;
	}
	sum->allocations++;
	sum->allocated_bytes = ra_util_add(sum->allocated_bytes, bytes);
	sum->largest_bytes = bytes > sum->largest_bytes ? bytes : sum->largest_bytes;
	if (record->gone == RA_NONE) {
		sum->left++;
		sum->left_bytes = ra_util_add(sum->left_bytes, bytes);
	}
}

/* Writes the names of the open ranges, from the outermost inwards. If there are too many, writes
 * the innermost ones. */
static void put_path(const struct ra_report_input *input, uint32_t slice, struct ra_table *table,
                     struct ra_table_cell *cell)
{
	const struct ra_slices *slices = &input->model->slices;
	struct ra_util_text text = { 0 };
	uint32_t path[PATH_NAMES];
	size_t depth = 0;

	for (; slice != RA_NONE && depth < PATH_NAMES; slice = slices->parent[slice]) {
		path[depth] = slice;
		depth += (slices->flags[slice] & RA_SLICE_WAIT) == 0;
	}
	if (slice != RA_NONE) {
		ra_util_text_format(&text, "... > ");
	}
	while (depth-- > 0) {
		struct rlog_string name = ra_op_names_range(input, path[depth]);

		ra_util_text_put(&text, name.bytes, name.length);
		ra_util_text_put(&text, " > ", depth > 0 ? 3 : 0);
	}
	*cell = ra_table_make_text(ra_table_take_text(table, &text));
	ra_util_text_free(&text);
}

/* Writes where and when the peak was. A peak that was before all records has no place. */
static void put_peak(const struct ra_report_input *input, const struct ra_memory *memory,
                     const struct ra_memory_pool *pool, struct ra_table *table,
                     struct ra_table_cell *cells)
{
	const struct ra_memory_record *peak = &memory->records[pool->first];

	cells[PEAK] = ra_table_make_number(pool->peak_bytes);
	if (pool->peak != RA_NONE) {
		peak = &memory->records[pool->peak];
		if (peak->slice != RA_NONE) {
			put_path(input, peak->slice, table, &cells[PEAK_RANGE]);
		}
	}
	if (pool->peak_bytes > 0) {
		cells[PEAK_TIME] = ra_table_make_number(peak->time_ns);
	}
}

static void put_pool(const struct ra_report_input *input, const struct ra_memory *memory,
                     const struct ra_memory_pool *pool, const struct sum *sum,
                     struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	char name[RA_MEMORY_NAME_BYTES];

	if (pool->device != RA_NONE) {
		cells[DEVICE] = ra_table_make_id(pool->device);
	}
	cells[KIND] =
		ra_table_make_text(ra_table_keep_text(table, name, ra_memory_kind(pool, name)));
	cells[ALLOCATIONS] = ra_table_make_count(sum->allocations);
	cells[ALLOCATED] = ra_table_make_count(sum->allocated_bytes);
	cells[LARGEST] = ra_table_make_count(sum->largest_bytes);
	cells[FREES] = ra_table_make_count(sum->frees);
	cells[FREED] = ra_table_make_count(sum->freed_bytes);
	if (pool->peak_reserved >= 0) {
		cells[RESERVED] = ra_table_make_number(pool->peak_reserved);
	}
	cells[BEFORE] = ra_table_make_number(pool->before);
	if (pool->has_addresses) {
		cells[LEFT] = ra_table_make_count(sum->left);
		cells[LEFT_BYTES] = ra_table_make_count(sum->left_bytes);
		cells[UNMATCHED] = ra_table_make_count(sum->unmatched);
	}
	put_peak(input, memory, pool, table, cells);
}

/* Adds a note that the peak may lack memory that was allocated before the first record, because
 * PyTorch up to 1.12 recorded no totals. */
void ra_memory_note_start(struct ra_report_input *input, const struct ra_memory *memory)
{
	static const char unknown_start[] = "Peak: where the trace has no totals, memory from "
					    "before the first record is not in it";

	for (size_t i = 0; i < memory->pool_count; i++) {
		if (memory->pools[i].is_torch && !memory->pools[i].has_totals) {
			ra_report_add_note(input, unknown_start);
		}
	}
}

/* Adds figures about what happened to CUDA's memory pools, if there are any. */
static void add_pools(struct ra_report_input *input)
{
	const struct ra_gpu *gpu = &input->model->gpu;
	uint64_t counts[4] = { 0 };

	for (size_t i = 0; i < gpu->pool_event_count; i++) {
		counts[gpu->pool_events[i].kind & 3]++;
	}
	if (gpu->pool_event_count > 0) {
		ra_report_add_figure(input, "memory_pools_created", "Memory pools created",
		                     RA_TABLE_COUNT, ra_table_make_count(counts[1]));
		ra_report_add_figure(input, "memory_pools_trimmed", "Memory pools trimmed",
		                     RA_TABLE_COUNT, ra_table_make_count(counts[3]));
		ra_report_add_figure(input, "memory_pools_destroyed", "Memory pools destroyed",
		                     RA_TABLE_COUNT, ra_table_make_count(counts[2]));
	}
}

static void fill_memory(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_memory memory;
	struct sum *sums;

	ra_memory_init(&memory, input->model);
	sums = ra_alloc_zeros(memory.pool_count + 1, sizeof(*sums));
	for (size_t i = 0; i < memory.count; i++) {
		add_record(&sums[memory.records[i].pool], &memory.records[i]);
	}
	for (size_t i = 0; i < memory.pool_count; i++) {
		put_pool(input, &memory, &memory.pools[i], &sums[i], table);
	}
	ra_memory_note_start(input, &memory);
	add_pools(input);
	free(sums);
	ra_memory_fini(&memory);
}

const char ra_memory_none_trace[] =
	"no [memory] events: PyTorch records them with profile_memory=True while the program "
	"allocates; traces of other profilers have none";

const struct ra_report ra_report_memory = {
	.name = "memory",
	.title = "Memory",
	.summary = "memory that CUDA, PyTorch or (by NVTX) a heap allocated: bytes, peak and its "
		   "range",
	.none = "no allocations were recorded: ranges run --cuda memory does that",
	.none_trace = ra_memory_none_trace,
	.is_gpu = true,
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "peak",
	.fill = fill_memory,
};

static const struct ra_table_column peak_columns[] = {
	{ "device_type", "Type", RA_TABLE_CHIP, NULL },
	{ "device", "GPU", RA_TABLE_COUNT, NULL },
	{ "peak_allocated_bytes", "Peak allocated", RA_TABLE_SIZE, NULL },
	{ "peak_reserved_bytes", "Peak reserved", RA_TABLE_SIZE, NULL },
	{ "heap", "Heap", RA_TABLE_TEXT, "" },
};

static void fill_peaks(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_memory memory;
	bool has_heap = false;

	ra_memory_init(&memory, input->model);
	for (size_t i = 0; i < memory.pool_count; i++) {
		const struct ra_memory_pool *pool = &memory.pools[i];
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[0] =
			ra_table_make_number(pool->is_torch ? pool->kind : ra_memory_is_gpu(pool));
		if (pool->device != RA_NONE) {
			cells[1] = ra_table_make_id(pool->device);
		}
		cells[2] = ra_table_make_real((double) pool->peak_bytes);
		cells[3] = ra_table_make_real((double) pool->peak_reserved);
		cells[3].has_value = pool->peak_reserved >= 0;
		if (pool->is_region) {
			cells[4] = ra_table_make_text(pool->heap);
			has_heap = true;
		}
	}
	if (!has_heap) {
		ra_table_hide(table, 4);
	}
	ra_memory_fini(&memory);
}

/* An older, shorter form of the report "memory". */
const struct ra_report ra_report_memory_peak = {
	.name = "memory-peak",
	.title = "Peak memory",
	.summary = "the peaks of the report memory",
	.more_of = "memory",
	.columns = peak_columns,
	.column_count = sizeof(peak_columns) / sizeof(peak_columns[0]),
	.is_long = true, /* "all" includes "memory" */
	.is_gpu = true,
	.fill = fill_peaks,
	.none = "no allocations were recorded: ranges run --cuda memory does that",
	.none_trace = ra_memory_none_trace,
};
