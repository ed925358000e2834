/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: calls of CUDA, waits for the GPU, overhead, memory, calls of the
 * operating system. */
#include <string.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/read-nsys/nsys.h"

enum {
	CLASS_DRIVER = 1,
	CLASS_OS_STARTED = 31, /* nsys notes that it starts or stops watching such calls */
	CLASS_OS_FINISHED = 32,
	CLASS_BACKTRACE = 67
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads the name of a call. Shortens cudaMalloc_v3020 to cudaMalloc, as nsys prints it. Other
 * endings stay. */
static uint32_t read_call_name(struct ra_nsys *nsys, const struct ra_nsys_rows *rows, int column)
{
	const uint32_t name = ra_nsys_names_of_id(nsys, rows, column);
	const struct rlog_string text = ra_model_string(nsys->model, name);
	const char *end = text.bytes + text.length;

	if (name == 0 || text.length <= 6 || end[-6] != '_' || end[-5] != 'v' ||
	    !is_digit(end[-4]) || !is_digit(end[-3]) || !is_digit(end[-2]) || !is_digit(end[-1])) {
		return name;
	}
	return ra_nsys_names_add(nsys, text.bytes, text.length - 6);
}

static void read_calls(struct ra_nsys *nsys)
{
	static const char *const columns[] = { "start",         "end",
		                               "eventClass",    "globalTid",
		                               "correlationId", "nameId",
		                               "returnValue",   NULL };
	struct ra_gpu *gpu = &nsys->model->gpu;
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "CUPTI_ACTIVITY_KIND_RUNTIME", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		struct ra_gpu_api api = { .slice = RA_NONE };

		if (ra_nsys_rows_int(&rows, 2, 0) == CLASS_BACKTRACE ||
		    !ra_nsys_times(nsys, &rows, &api.start_ns, &api.dur_ns)) {
			continue; /* a row with a backtrace repeats a call */
		}
		api.track = ra_nsys_threads_find(nsys, (uint64_t) ra_nsys_rows_int(&rows, 3, 0));
		api.is_driver = ra_nsys_rows_int(&rows, 2, 0) == CLASS_DRIVER;
		api.corr = ra_nsys_threads_corr(nsys, nsys->threads[api.track].process,
		                                ra_nsys_rows_u32(&rows, 4, 0));
		api.name = read_call_name(nsys, &rows, 5);
		api.result = (int32_t) ra_nsys_rows_int(&rows, 6, 0);
		RA_UTIL_APPEND(gpu->apis, gpu->api_count, nsys->api_capacity, api);
		if (api.start_ns + api.dur_ns > nsys->model->end_ns) {
			nsys->model->end_ns = api.start_ns + api.dur_ns;
		}
	}
	ra_nsys_rows_close(&rows);
}

/*
 * Finds the kind of a wait. nsys' numbers have changed their meaning between versions. So the name
 * of the call that waited decides, if there is a call.
 */
static uint8_t find_sync_kind(const struct ra_nsys *nsys, const struct ra_util_map *calls,
                              const struct ra_gpu_sync *sync, uint32_t stored)
{
	static const struct {
		const char *part;
		uint8_t kind;
	} words[] = {
		{ "StreamWaitEvent", 2 },   { "EventSynchronize", 1 },  { "EventQuery", 1 },
		{ "StreamSynchronize", 3 }, { "DeviceSynchronize", 4 }, { "ThreadSynchronize", 4 },
		{ "CtxSynchronize", 4 },
	};
	const uint32_t call = ra_util_map_find(calls, sync->corr);

	if (nsys->has_capture) {
		return stored <= 4 ? (uint8_t) stored : 0;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && call != RA_UTIL_MAP_NONE; i++) {
		struct rlog_string name =
			ra_model_string(nsys->model, nsys->model->gpu.apis[call].name);

		while (name.length > 0) {
			if (ra_util_string_has_prefix(name, words[i].part)) {
				return words[i].kind;
			}
			name.bytes++;
			name.length--;
		}
	}
	if (sync->stream == UINT32_MAX) {
		return 4;
	}
	return stored <= 4 ? (uint8_t) stored : 0;
}

static void read_syncs(struct ra_nsys *nsys)
{
	static const char *const columns[] = { "start",    "end",           "contextId",
		                               "streamId", "correlationId", "globalPid",
		                               "syncType", "eventId",       NULL };
	struct ra_gpu *gpu = &nsys->model->gpu;
	struct ra_util_map calls = { 0 };
	struct ra_nsys_rows rows;

	for (size_t i = 0; i < gpu->api_count; i++) {
		if (gpu->apis[i].corr != 0) {
			ra_util_map_put(&calls, gpu->apis[i].corr, (uint32_t) i);
		}
	}
	ra_nsys_rows_open(&rows, &nsys->db, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		struct ra_gpu_sync sync = { .api = RA_NONE, .recorded_api = RA_NONE };

		if (!ra_nsys_times(nsys, &rows, &sync.start_ns, &sync.dur_ns)) {
			continue;
		}
		sync.context = ra_nsys_rows_u32(&rows, 2, 0);
		sync.stream = ra_nsys_rows_u32(&rows, 3, UINT32_MAX);
		sync.event = ra_nsys_rows_u32(&rows, 7, 0);
		sync.corr = ra_nsys_threads_corr(
			nsys,
			ra_nsys_threads_find_process(nsys,
		                                     (uint64_t) ra_nsys_rows_int(&rows, 5, 0)),
			ra_nsys_rows_u32(&rows, 4, 0));
		sync.kind = find_sync_kind(nsys, &calls, &sync, ra_nsys_rows_u32(&rows, 6, 0));
		RA_UTIL_APPEND(gpu->syncs, gpu->sync_count, nsys->sync_capacity, sync);
	}
	ra_nsys_rows_close(&rows);
	ra_util_map_free(&calls);
}

/* CUPTI's number for nsys' name of an overhead; 0: CUPTI has no such overhead. */
static uint32_t find_overhead_kind(const struct ra_nsys *nsys, uint32_t name)
{
	static const struct {
		const char *word;
		uint32_t kind;
	} words[] = { { "flush", 1 << 16 }, { "nstrumentation", 2 << 16 }, { "esource", 3 << 16 } };
	const struct rlog_string text = ra_model_string(nsys->model, name);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (ra_util_string_has_prefix(text, "CUPTI") &&
		    memmem(text.bytes, text.length, words[i].word, strlen(words[i].word)) != NULL) {
			return words[i].kind;
		}
	}
	return 0;
}

/*
 * Reads the time that CUDA or CUPTI spent on its own work. CUPTI's table is read completely; of
 * nsys' own table, only rows with a name that CUPTI has. In older versions, the table has no types.
 */
static void read_overheads(struct ra_nsys *nsys, const char *table, bool is_own)
{
	/* CUPTI's number for each number of ENUM_CUPTI_OVERHEAD_TYPE. */
	static const uint32_t kinds[] = { 0,       0,       1,       1 << 16, 2 << 16,
		                          3 << 16, 4 << 16, 5 << 16, 6 << 16 };
	static const char *const columns[] = { "start",        "end",    "globalTid",
		                               "overheadType", "nameId", NULL };
	struct ra_gpu *gpu = &nsys->model->gpu;
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, table, columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		struct ra_gpu_overhead overhead = { .track = RA_NONE };
		const uint32_t type = ra_nsys_rows_u32(&rows, 3, 0);

		overhead.kind =
			is_own ? find_overhead_kind(nsys, ra_nsys_names_of_id(nsys, &rows, 4))
			: type < sizeof(kinds) / sizeof(kinds[0]) ? kinds[type]
								  : 0;
		if ((is_own && overhead.kind == 0) ||
		    !ra_nsys_times(nsys, &rows, &overhead.start_ns, &overhead.dur_ns)) {
			continue;
		}
		if (!ra_nsys_rows_is_null(&rows, 2)) {
			overhead.track = ra_nsys_threads_find(
				nsys, (uint64_t) ra_nsys_rows_int(&rows, 2, 0));
		}
		RA_UTIL_APPEND(gpu->overheads, gpu->overhead_count, nsys->overhead_capacity,
		               overhead);
	}
	ra_nsys_rows_close(&rows);
}

static void read_memories(struct ra_nsys *nsys)
{
	static const char *const columns[] = {
		"start",    "start",   "globalPid",           "bytes",         "address",
		"deviceId", "memKind", "memoryOperationType", "correlationId", NULL
	};
	struct ra_gpu *gpu = &nsys->model->gpu;
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "CUDA_GPU_MEMORY_USAGE_EVENTS", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		struct ra_gpu_memory memory = { .api = RA_NONE };
		const uint32_t kind = ra_nsys_rows_u32(&rows, 6, 7);
		const uint64_t pid = (uint64_t) ra_nsys_rows_int(&rows, 2, 0);
		int64_t none;

		if (!ra_nsys_times(nsys, &rows, &memory.time_ns, &none)) {
			continue;
		}
		memory.bytes = (uint64_t) ra_nsys_rows_int(&rows, 3, 0);
		memory.address = (uint64_t) ra_nsys_rows_int(&rows, 4, 0);
		memory.device = ra_nsys_devices_find(nsys, pid, ra_nsys_rows_u32(&rows, 5, 0));
		memory.memory = kind < 7 ? (uint8_t) (kind + 1) : 0;
		memory.is_free = ra_nsys_rows_int(&rows, 7, 0) == 1;
		memory.corr = ra_nsys_threads_corr(nsys, ra_nsys_threads_find_process(nsys, pid),
		                                   ra_nsys_rows_u32(&rows, 8, 0));
		RA_UTIL_APPEND(gpu->memories, gpu->memory_count, nsys->memory_capacity, memory);
	}
	ra_nsys_rows_close(&rows);
}

void ra_nsys_calls_read_os(struct ra_nsys *nsys)
{
	static const char *const columns[] = { "start",     "end",    "eventClass",
		                               "globalTid", "nameId", NULL };
	struct ra_model *m = nsys->model;
	struct ra_nsys_rows rows;
	size_t capacity = 0;

	ra_nsys_rows_open(&rows, &nsys->db, "OSRT_API", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		const int64_t event_class = ra_nsys_rows_int(&rows, 2, 0);
		const uint32_t thread = ra_util_map_find(&nsys->thread_of,
		                                         (uint64_t) ra_nsys_rows_int(&rows, 3, 0));
		struct ra_os_call call = { .track = RA_NONE };

		if (event_class == CLASS_OS_STARTED || event_class == CLASS_OS_FINISHED ||
		    !ra_nsys_times(nsys, &rows, &call.start_ns, &call.dur_ns)) {
			continue;
		}
		call.start_ns += m->origin_ns;
		call.name = ra_nsys_names_of_id(nsys, &rows, 4);
		if (thread != RA_UTIL_MAP_NONE) {
			call.track = nsys->threads[thread].track;
		}
		RA_UTIL_APPEND(m->os_calls, m->os_call_count, capacity, call);
	}
	ra_nsys_rows_close(&rows);
}

void ra_nsys_calls_read(struct ra_nsys *nsys)
{
	read_calls(nsys); /* first, because the other three refer to calls */
	read_syncs(nsys);
	read_overheads(nsys, "CUPTI_ACTIVITY_KIND_OVERHEAD", false);
	read_overheads(nsys, "PROFILER_OVERHEAD", true);
	read_memories(nsys);
}
