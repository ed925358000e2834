/* SPDX-License-Identifier: MIT */
/* The report "memory-curve": how much memory was allocated at which time. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/figures/memory.h"
#include "analyzer/report/op-names.h"
#include "analyzer/reports/reports.h"

enum column {
	TIME,
	DEVICE,
	ALLOCATED,
	RESERVED,
	CHANGE,
	RANGE,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[TIME] = { "time_ns", "Time", RA_TABLE_TIME, NULL },
	[DEVICE] = { "device", "On", RA_TABLE_TEXT, NULL },
	[ALLOCATED] = { "allocated_bytes", "Allocated", RA_TABLE_COUNT, NULL },
	[RESERVED] = { "reserved_bytes", "Reserved", RA_TABLE_COUNT, "0" },
	[CHANGE] = { "change_bytes", "Change", RA_TABLE_COUNT, NULL },
	[RANGE] = { "range", "Range", RA_TABLE_TEXT, NULL },
};

struct filling {
	const struct ra_report_input *input;
	struct ra_table *table;
	struct rlog_string device;
};

static void put_record(void *context, const struct ra_memory_record *record)
{
	const struct filling *filling = context;
	struct ra_table_cell *cells = ra_table_add_row(filling->table);

	cells[TIME] = ra_table_make_number(record->time_ns);
	cells[DEVICE] = ra_table_make_text(filling->device);
	cells[ALLOCATED] = ra_table_make_number(record->allocated);
	if (record->reserved >= 0) {
		cells[RESERVED] = ra_table_make_number(record->reserved);
	}
	cells[CHANGE] = ra_table_make_number(record->bytes);
	if (record->slice != RA_NONE) {
		cells[RANGE] = ra_table_make_text(ra_op_names_range(filling->input, record->slice));
	}
}

/* A pool and its memory, to sort pools. The pool with the most memory comes first, because tables
 * are cut at their end. */
struct place {
	uint32_t pool;
	int64_t peak_bytes;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left;
	const struct place *b = right;

	return RA_ORDER_THEN(RA_ORDER(b->peak_bytes, a->peak_bytes), RA_ORDER_UP(a, b, pool));
}

static void fill(struct ra_report_input *input, struct ra_table *table)
{
	struct filling filling = { .input = input, .table = table };
	struct ra_memory memory;
	struct place *order;

	ra_memory_init(&memory, input->model);
	order = ra_alloc_zeros(memory.pool_count + 1, sizeof(*order));
	for (uint32_t i = 0; i < memory.pool_count; i++) {
		order[i] = (struct place){ i, memory.pools[i].peak_bytes };
	}
	RA_SORT(order, memory.pool_count, compare_places);
	for (uint32_t i = 0; i < memory.pool_count; i++) {
		const uint32_t pool = order[i].pool;
		char name[RA_MEMORY_NAME_BYTES];

		filling.device =
			ra_table_keep_text(table, name, ra_memory_name(&memory.pools[pool], name));
		ra_memory_walk(&memory, pool, input->settings->memory_points, put_record, &filling);
	}
	free(order);
	ra_memory_fini(&memory);
}

const struct ra_report ra_report_memory_curve = {
	.name = "memory-curve",
	.title = "Memory over time",
	.summary = "memory that was allocated after each allocation and free, by device",
	.more_of = "memory",
	.columns = columns,
	.column_count = COLUMNS,
	.is_long = true,
	.is_gpu = true,
	.fill = fill,
	.none = "no allocations were recorded: ranges run --cuda memory does that",
	.none_trace = ra_memory_none_trace,
};
