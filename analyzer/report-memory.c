/* SPDX-License-Identifier: MIT */
/* The report "memory": device memory that was allocated and freed. */
#include "analyzer/report.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/util-map.h"
#include "analyzer/util.h"
#include "format/error.h"

static struct rlog_string make_string(const char *text)
{
	const struct rlog_string string = { text, (uint32_t) strlen(text),
		                            (uint32_t) strlen(text) };

	return string;
}

enum memory_column {
	MEMORY_DEVICE,
	MEMORY_KIND,
	MEMORY_ALLOCATIONS,
	MEMORY_ALLOCATED,
	MEMORY_LARGEST,
	MEMORY_FREES,
	MEMORY_FREED,
	MEMORY_PEAK,
	MEMORY_PEAK_TIME,
	MEMORY_LEFT,
	MEMORY_LEFT_BYTES,
	MEMORY_UNMATCHED,
	MEMORY_COLUMNS,
};

static const struct ra_table_column memory_columns[MEMORY_COLUMNS] = {
	[MEMORY_DEVICE] = { "device", "Device", RA_TABLE_COUNT, NULL },
	[MEMORY_KIND] = { "memory", "Memory", RA_TABLE_TEXT, NULL },
	[MEMORY_ALLOCATIONS] = { "allocations", "# of Allocs", RA_TABLE_COUNT, NULL },
	[MEMORY_ALLOCATED] = { "allocated_bytes", "Allocated", RA_TABLE_COUNT, NULL },
	[MEMORY_LARGEST] = { "largest_bytes", "Largest", RA_TABLE_COUNT, NULL },
	[MEMORY_FREES] = { "frees", "# of Frees", RA_TABLE_COUNT, NULL },
	[MEMORY_FREED] = { "freed_bytes", "Freed", RA_TABLE_COUNT, NULL },
	[MEMORY_PEAK] = { "peak_bytes", "Peak", RA_TABLE_COUNT, NULL },
	[MEMORY_PEAK_TIME] = { "peak_time_ns", "Peak at", RA_TABLE_TIME, NULL },
	[MEMORY_LEFT] = { "left", "# Left", RA_TABLE_COUNT, NULL },
	[MEMORY_LEFT_BYTES] = { "left_bytes", "Left", RA_TABLE_COUNT, NULL },
	[MEMORY_UNMATCHED] = { "unmatched", "Unmatched", RA_TABLE_COUNT, "0" },
};

/* Memory of one kind on one device. */
struct pool {
	uint32_t device;
	uint8_t memory;
	uint64_t allocations;
	uint64_t allocated_bytes;
	uint64_t largest_bytes;
	uint64_t frees;
	uint64_t freed_bytes;
	uint64_t live;
	uint64_t live_bytes;
	uint64_t peak_bytes;
	int64_t peak_ns;
	uint64_t unmatched;
};

/* What is allocated at an address. */
struct piece {
	uint64_t bytes;
	uint32_t pool;
};

struct pools {
	struct pool *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map pool_index; /* device << 8 | memory → row */
	struct piece *pieces;          /* owned */
	size_t piece_count;
	size_t piece_capacity;
	struct ra_util_map piece_index; /* address → piece */
};

static int find_pool(struct pools *pools, const struct ra_gpu_memory *memory, uint32_t *pool)
{
	const uint64_t key = (uint64_t) memory->device << 8 | memory->memory;
	int rc;

	*pool = ra_util_map_find(&pools->pool_index, key);
	if (*pool < pools->count) {
		return 0;
	}
	*pool = (uint32_t) pools->count;
	rc = ra_util_grow(&pools->rows, &pools->capacity, pools->count + 1, sizeof(*pools->rows));
	if (rc == 0) {
		rc = ra_util_map_put(&pools->pool_index, key, *pool);
	}
	if (rc == 0) {
		pools->rows[pools->count++] =
			(struct pool){ .device = memory->device, .memory = memory->memory };
	}
	return rc;
}

/* Takes away what is at an address. Return: false if nothing is known to be there. */
static bool release(struct pools *pools, uint64_t address)
{
	const uint32_t place = ra_util_map_find(&pools->piece_index, address);
	const struct piece *piece;
	struct pool *pool;

	if (place >= pools->piece_count) {
		return false;
	}
	piece = &pools->pieces[place];
	pool = &pools->rows[piece->pool];
	pool->live--;
	pool->live_bytes -= piece->bytes;
	ra_util_map_remove(&pools->piece_index, address);
	return true;
}

static int allocate(struct pools *pools, uint32_t index, const struct ra_gpu_memory *memory)
{
	struct pool *pool = &pools->rows[index];
	/* Sums of what is live stay in range whatever a file says. */
	const uint64_t bytes = memory->bytes < UINT64_MAX / 2 - pool->live_bytes
	                               ? memory->bytes
	                               : UINT64_MAX / 2 - pool->live_bytes;
	int rc;

	pool->unmatched += release(pools, memory->address); /* its end is not in the log */
	rc = ra_util_grow(&pools->pieces, &pools->piece_capacity, pools->piece_count + 1,
	                  sizeof(*pools->pieces));
	if (rc == 0) {
		rc = ra_util_map_put(&pools->piece_index, memory->address,
		                     (uint32_t) pools->piece_count);
	}
	if (rc != 0) {
		return rc;
	}
	pools->pieces[pools->piece_count++] = (struct piece){ bytes, index };
	pool->allocations++;
	pool->allocated_bytes = ra_util_add(pool->allocated_bytes, memory->bytes);
	pool->largest_bytes =
		memory->bytes > pool->largest_bytes ? memory->bytes : pool->largest_bytes;
	pool->live++;
	pool->live_bytes += bytes;
	if (pool->live_bytes > pool->peak_bytes) {
		pool->peak_bytes = pool->live_bytes;
		pool->peak_ns = memory->time_ns;
	}
	return 0;
}

static int take_memory(struct pools *pools, const struct ra_gpu_memory *memory)
{
	uint32_t index;
	const int rc = find_pool(pools, memory, &index);
	struct pool *pool;

	if (rc != 0) {
		return rc;
	}
	if (!memory->is_free) {
		return allocate(pools, index, memory);
	}
	pool = &pools->rows[index];
	pool->frees++;
	pool->freed_bytes = ra_util_add(pool->freed_bytes, memory->bytes);
	pool->unmatched += !release(pools, memory->address);
	return 0;
}

static int put_pool(const struct pool *pool, struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	if (cells == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	cells[MEMORY_DEVICE] = ra_table_make_count(pool->device);
	cells[MEMORY_KIND] = ra_table_make_text(make_string(ra_gpu_memory_name(pool->memory)));
	cells[MEMORY_ALLOCATIONS] = ra_table_make_count(pool->allocations);
	cells[MEMORY_ALLOCATED] = ra_table_make_count(pool->allocated_bytes);
	cells[MEMORY_LARGEST] = ra_table_make_count(pool->largest_bytes);
	cells[MEMORY_FREES] = ra_table_make_count(pool->frees);
	cells[MEMORY_FREED] = ra_table_make_count(pool->freed_bytes);
	cells[MEMORY_PEAK] = ra_table_make_count(pool->peak_bytes);
	if (pool->peak_bytes > 0) {
		cells[MEMORY_PEAK_TIME] = ra_table_make_number(pool->peak_ns);
	}
	cells[MEMORY_LEFT] = ra_table_make_count(pool->live);
	cells[MEMORY_LEFT_BYTES] = ra_table_make_count(pool->live_bytes);
	cells[MEMORY_UNMATCHED] = ra_table_make_count(pool->unmatched);
	return 0;
}

static int fill_memory(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_gpu *gpu = &input->model->gpu;
	struct pools pools = { 0 };
	int rc = 0;

	for (size_t i = 0; i < gpu->memory_count && rc == 0; i++) {
		rc = take_memory(&pools, &gpu->memories[i]);
	}
	for (size_t i = 0; i < pools.count && rc == 0; i++) {
		rc = put_pool(&pools.rows[i], table);
	}
	free(pools.rows);
	free(pools.pieces);
	ra_util_map_free(&pools.pool_index);
	ra_util_map_free(&pools.piece_index);
	return rc;
}

const struct ra_report ra_report_memory = {
	.name = "memory",
	.title = "Memory",
	.summary = "memory allocated through CUDA by device and kind: bytes, peak",
	.none = "no allocations; ranges run --cuda memory records them",
	.none_trace = "no allocations through CUDA; what PyTorch's allocator did is in op-memory "
		      "and memory-peak, if the trace has it",
	.is_gpu = true,
	.columns = memory_columns,
	.column_count = MEMORY_COLUMNS,
	.sort = "peak",
	.fill = fill_memory,
};
