/* SPDX-License-Identifier: MIT */
/* Writes nsys' schema: calls of CUDA, waits for the GPU, overhead, memory, calls of the operating
 * system. */
#include "analyzer/write-sqlite/sqlite.h"

/* Classes of rows in CUPTI_ACTIVITY_KIND_OVERHEAD and OSRT_API. */
#define CLASS_OVERHEAD 103
#define CLASS_OS_CALL  27

static int64_t corr_of(uint32_t corr)
{
	return corr != 0 ? (int64_t) corr : RA_SQLITE_NULL;
}

static void put_calls(struct ra_sqlite *sqlite)
{
	const struct ra_gpu *gpu = &sqlite->model->gpu;
	struct ra_sqlite_table table = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_runtime);

	ra_sqlite_table_create(&table);
	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const int64_t start_ns = api->start_ns + sqlite->shift_ns;
		const int64_t row[] = {
			start_ns,           start_ns + api->dur_ns,
			api->is_driver,     ra_sqlite_ids_of_track(sqlite, api->track),
			corr_of(api->corr), ra_sqlite_texts_of_name(sqlite, api->name),
			api->result,
		};

		ra_sqlite_table_add(&table, row, sizeof(row) / sizeof(row[0]));
	}
	ra_sqlite_table_close(&table);
}

/* The device of a context of a process; 0 if nothing ran in that context. */
static int64_t find_device(const struct ra_sqlite *sqlite, const struct ra_gpu_sync *sync,
                           int64_t pid)
{
	const struct ra_gpu *gpu = &sqlite->model->gpu;

	for (size_t i = 0; i < gpu->queue_count; i++) {
		const struct ra_gpu_queue *queue = &gpu->queues[i];

		if (queue->context == sync->context &&
		    queue->process < sqlite->model->process_count &&
		    (int64_t) sqlite->pids[queue->process] == pid) {
			return queue->device;
		}
	}
	return 0;
}

static void put_syncs(struct ra_sqlite *sqlite)
{
	const struct ra_gpu *gpu = &sqlite->model->gpu;
	struct ra_sqlite_table table = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_sync);

	for (size_t i = 0; i < gpu->sync_count; i++) {
		const struct ra_gpu_sync *sync = &gpu->syncs[i];
		const int64_t start_ns = sync->start_ns + sqlite->shift_ns;
		const int64_t pid = ra_sqlite_ids_of_call(sqlite, sync->api);
		const int64_t row[] = {
			start_ns,
			start_ns + sync->dur_ns,
			find_device(sqlite, sync, pid),
			sync->context,
			sync->stream,
			corr_of(sync->corr),
			pid,
			sync->kind,
			sync->event,
		};

		ra_sqlite_table_add(&table, row, sizeof(row) / sizeof(row[0]));
	}
	ra_sqlite_table_close(&table);
}

/* Converts the number of an overhead from CUPTI's to nsys'. */
static int64_t overhead_of(uint32_t kind)
{
	return kind == 0                                  ? 1
	       : kind == 1                                ? 2
	       : kind % (1 << 16) == 0 && kind >> 16 <= 6 ? (int64_t) (kind >> 16) + 2
	                                                  : 0;
}

static void put_overheads(struct ra_sqlite *sqlite)
{
	const struct ra_gpu *gpu = &sqlite->model->gpu;
	struct ra_sqlite_table table = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_overhead);

	for (size_t i = 0; i < gpu->overhead_count; i++) {
		const struct ra_gpu_overhead *overhead = &gpu->overheads[i];
		const int64_t start_ns = overhead->start_ns + sqlite->shift_ns;
		const int64_t row[] = {
			start_ns,
			start_ns + overhead->dur_ns,
			CLASS_OVERHEAD,
			overhead->track != RA_NONE ? ra_sqlite_ids_of_track(sqlite, overhead->track)
						   : RA_SQLITE_NULL,
			corr_of(overhead->corr),
			overhead_of(overhead->kind),
		};

		ra_sqlite_table_add(&table, row, sizeof(row) / sizeof(row[0]));
	}
	ra_sqlite_table_close(&table);
}

/* Writes CUDA's allocations. Regions that the program reported by NVTX are left out, because the
 * schema has no place for them. */
static void put_memories(struct ra_sqlite *sqlite)
{
	const struct ra_gpu *gpu = &sqlite->model->gpu;
	struct ra_sqlite_table table = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_memory);

	for (size_t i = 0; i < gpu->memory_count; i++) {
		const struct ra_gpu_memory *memory = &gpu->memories[i];
		const int64_t row[] = {
			memory->time_ns + sqlite->shift_ns,
			ra_sqlite_ids_of_call(sqlite, memory->api),
			memory->device,
			0, /* the context is unknown */
			(int64_t) memory->address,
			0, /* the place in the program is unknown */
			(int64_t) memory->bytes,
			memory->memory > 0 && memory->memory <= 7 ? memory->memory - 1 : 7,
			memory->is_free,
			corr_of(memory->corr),
		};

		if (!memory->is_region) {
			ra_sqlite_table_add(&table, row, sizeof(row) / sizeof(row[0]));
		}
	}
	ra_sqlite_table_close(&table);
}

static void put_os_calls(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	struct ra_sqlite_table table = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_os);

	for (size_t i = 0; i < m->os_call_count; i++) {
		const struct ra_os_call *call = &m->os_calls[i];
		const int64_t start_ns = call->start_ns + sqlite->shift_ns;
		const int64_t row[] = {
			start_ns,
			start_ns + call->dur_ns,
			CLASS_OS_CALL,
			ra_sqlite_ids_of_track(sqlite, call->track),
			ra_sqlite_texts_of_name(sqlite, call->name),
			0, /* result, caller and arguments are unknown */
			0,
			0,
		};

		ra_sqlite_table_add(&table, row, sizeof(row) / sizeof(row[0]));
	}
	ra_sqlite_table_close(&table);
}

void ra_sqlite_calls_put(struct ra_sqlite *sqlite)
{
	put_calls(sqlite);
	put_syncs(sqlite);
	put_overheads(sqlite);
	put_memories(sqlite);
	put_os_calls(sqlite);
}
