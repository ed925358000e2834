/* SPDX-License-Identifier: MIT */
/* Makes rows from rocprofv3's records: dispatches, copies, calls, markers. */
#include "analyzer/read-rocprof/rocprof-rows.h"

#include <string.h>

#include "analyzer/base/util.h"

static const struct {
	const char *path;
	size_t offset;
} numbers[] = {
	{ "kind", offsetof(struct ra_rocprof_record, kind) },
	{ "operation", offsetof(struct ra_rocprof_record, operation) },
	{ "thread_id", offsetof(struct ra_rocprof_record, thread) },
	{ "correlation_id/internal", offsetof(struct ra_rocprof_record, correlation) },
	{ "start_timestamp", offsetof(struct ra_rocprof_record, start_ns) },
	{ "end_timestamp", offsetof(struct ra_rocprof_record, end_ns) },
	{ "dispatch_info/agent_id/handle", offsetof(struct ra_rocprof_record, agent) },
	{ "dispatch_info/queue_id/handle", offsetof(struct ra_rocprof_record, queue) },
	{ "dispatch_info/kernel_id", offsetof(struct ra_rocprof_record, kernel) },
	{ "dispatch_info/group_segment_size", offsetof(struct ra_rocprof_record, shared_bytes) },
	{ "dispatch_info/workgroup_size/x", offsetof(struct ra_rocprof_record, block[0]) },
	{ "dispatch_info/workgroup_size/y", offsetof(struct ra_rocprof_record, block[1]) },
	{ "dispatch_info/workgroup_size/z", offsetof(struct ra_rocprof_record, block[2]) },
	{ "dispatch_info/grid_size/x", offsetof(struct ra_rocprof_record, grid[0]) },
	{ "dispatch_info/grid_size/y", offsetof(struct ra_rocprof_record, grid[1]) },
	{ "dispatch_info/grid_size/z", offsetof(struct ra_rocprof_record, grid[2]) },
	{ "stream_id/handle", offsetof(struct ra_rocprof_record, stream) },
	{ "src_agent_id/handle", offsetof(struct ra_rocprof_record, source) },
	{ "dst_agent_id/handle", offsetof(struct ra_rocprof_record, target) },
	{ "bytes", offsetof(struct ra_rocprof_record, bytes) },
};

void ra_rocprof_rows_begin(struct ra_rocprof_rows *rows)
{
	rows->record = (struct ra_rocprof_record){ .stream = -1 };
}

void ra_rocprof_rows_take(struct ra_rocprof_rows *rows, const struct ra_rocprof_value *value)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (strcmp(value->path, numbers[i].path) == 0) {
			memcpy((char *) &rows->record + numbers[i].offset, &value->number,
			       sizeof(value->number));
			return;
		}
	}
}

static void begin_row(struct ra_rocprof_rows *rows, uint32_t name, const char *category)
{
	const struct ra_rocprof_record *record = &rows->record;

	ra_kineto_fill_begin(&rows->fill, 'X', ra_kineto_string(rows->tables->store->kineto, name));
	ra_kineto_fill_category(&rows->fill, category);
	/* Both times have at most 18 digits. They count from the boot of the machine, so 0 means
	 * that there is no time. */
	if (record->start_ns > 0) {
		ra_kineto_fill_time(&rows->fill, record->start_ns,
		                    record->end_ns - record->start_ns);
	}
}

/* Sets the process and thread where Kineto would put the work of this device. */
static void place_work(struct ra_rocprof_rows *rows, int64_t device)
{
	const struct ra_rocprof_record *record = &rows->record;
	const int64_t stream =
		rows->by_queue || record->stream < 0 ? record->queue : record->stream;

	ra_kineto_fill_place(&rows->fill, device, stream);
	rows->record.stream = stream;
}

static void end_work(struct ra_rocprof_rows *rows, int64_t device)
{
	const struct ra_rocprof_record *record = &rows->record;

	ra_kineto_fill_int(&rows->fill, RA_KINETO_ARG_DEVICE, device);
	ra_kineto_fill_int(&rows->fill, RA_KINETO_ARG_STREAM, record->stream);
	if (record->correlation > 0) {
		ra_kineto_fill_int(&rows->fill, RA_KINETO_ARG_CORRELATION, record->correlation);
	}
}

/* Computes the number of workgroups from the number of threads. The last workgroup may have fewer
 * threads. */
static void count_groups(const struct ra_rocprof_record *record, int64_t groups[3])
{
	for (int i = 0; i < 3; i++) {
		const int64_t size = record->block[i] > 0 ? record->block[i] : 1;

		groups[i] = record->grid[i] / size + (record->grid[i] % size > 0);
	}
}

static void put_kernel(struct ra_rocprof_rows *rows)
{
	const struct ra_rocprof_record *record = &rows->record;
	const struct ra_rocprof_tables *tables = rows->tables;
	const struct ra_rocprof_agent *agent = ra_rocprof_tables_agent(tables, record->agent);
	const int64_t device = agent != NULL ? agent->number : 0;
	const uint64_t kernel = (uint64_t) record->kernel;
	const uint32_t name = ra_util_map_find(&tables->kernel_names, kernel);
	const uint32_t registers = ra_util_map_find(&tables->kernel_registers, kernel);
	int64_t groups[3];

	place_work(rows, device);
	begin_row(rows, name == RA_UTIL_MAP_NONE ? 0 : name, "kernel");
	end_work(rows, device);
	if (record->block[0] > 0) {
		count_groups(record, groups);
		ra_kineto_fill_dims(&rows->fill, RA_KINETO_ARG_GRID, groups);
		ra_kineto_fill_dims(&rows->fill, RA_KINETO_ARG_BLOCK, record->block);
		ra_kineto_fill_int(&rows->fill, RA_KINETO_ARG_SHARED_MEMORY, record->shared_bytes);
		ra_kineto_fill_int(&rows->fill, RA_KINETO_ARG_REGISTERS,
		                   registers == RA_UTIL_MAP_NONE ? 0 : registers);
	}
	ra_kineto_fill_int(&rows->fill, rows->queue, record->queue);
	ra_kineto_fill_end(&rows->fill);
}

/* Writes a copy. It belongs to the device to which it goes; if that is no GPU, to the device from
 * which it comes. */
static void put_copy(struct ra_rocprof_rows *rows)
{
	const struct ra_rocprof_record *record = &rows->record;
	const struct ra_rocprof_agent *target =
		ra_rocprof_tables_agent(rows->tables, record->target);
	const struct ra_rocprof_agent *source =
		ra_rocprof_tables_agent(rows->tables, record->source);
	const struct ra_rocprof_agent *agent =
		target != NULL && target->type == RA_ROCPROF_GPU ? target : source;
	const int64_t device = agent != NULL ? agent->number : 0;

	place_work(rows, device);
	begin_row(rows, ra_rocprof_tables_operation(rows->tables, record->kind, record->operation),
	          "gpu_memcpy");
	end_work(rows, device);
	if (record->bytes > 0) {
		ra_kineto_fill_int(&rows->fill, RA_KINETO_ARG_BYTES, record->bytes);
	}
	ra_kineto_fill_end(&rows->fill);
}

static void put_call(struct ra_rocprof_rows *rows, const char *category, bool is_marker)
{
	const struct ra_rocprof_record *record = &rows->record;
	uint32_t name = ra_rocprof_tables_operation(rows->tables, record->kind, record->operation);

	if (is_marker) {
		const uint32_t text =
			ra_util_map_find(&rows->tables->markers, (uint64_t) record->correlation);

		name = text == RA_UTIL_MAP_NONE ? name : text;
	}
	ra_kineto_fill_place(&rows->fill, rows->pid, record->thread);
	begin_row(rows, name, category);
	if (!is_marker && record->correlation > 0) {
		ra_kineto_fill_int(&rows->fill, RA_KINETO_ARG_CORRELATION, record->correlation);
	}
	ra_kineto_fill_end(&rows->fill);
}

/* Lists of records that belong to threads, and the category that each gets. */
static const struct {
	const char *section;
	const char *category;
	bool is_marker;
} calls[] = {
	{ "hip_api", "hip_runtime", false },       { "hsa_api", "hsa_driver", false },
	{ "marker_api", "user_annotation", true }, { "rccl_api", "rccl", false },
	{ "rocdecode_api", "rocdecode", false },   { "rocjpeg_api", "rocjpeg", false },
};

void ra_rocprof_rows_end(struct ra_rocprof_rows *rows, const char *section)
{
	struct ra_kineto *k = rows->tables->store->kineto;

	if (strcmp(section, "kernel_dispatch") == 0) {
		put_kernel(rows);
		return;
	}
	if (strcmp(section, "memory_copy") == 0) {
		put_copy(rows);
		return;
	}
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strcmp(section, calls[i].section) == 0) {
			put_call(rows, calls[i].category, calls[i].is_marker);
			return;
		}
	}
	if (k->oddities.unknown_records++ == 0) {
		k->unknown_record = ra_kineto_strings_add(&rows->tables->store->strings, section,
		                                          strlen(section));
	}
}
