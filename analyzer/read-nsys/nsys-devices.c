/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: its devices. */

#include "analyzer/base/util.h"
#include "analyzer/read-nsys/nsys.h"

enum column {
	ID,
	NAME,
	MEMORY,
	BANDWIDTH,
	CLOCK,
	SMS,
	MAJOR,
	MINOR,
	THREADS,
	WARPS,
	WARP_THREADS,
	REGISTERS,
	SM_REGISTERS,
	SHARED,
	SM_SHARED,
	OPTIN,
	ORDINAL,
};

static int32_t read_i32(const struct ra_nsys_rows *rows, int column)
{
	const int64_t value = ra_nsys_rows_int(rows, column, 0);

	return value < 0 || value > INT32_MAX ? 0 : (int32_t) value;
}

static void add_device(struct ra_nsys *nsys, const struct ra_gpu_device *device)
{
	struct ra_gpu *gpu = &nsys->model->gpu;

	for (size_t i = 0; i < gpu->device_count; i++) {
		if (gpu->devices[i].id == device->id) {
			/* every process has an entry for each device, so it may be known already */
			return;
		}
	}
	RA_UTIL_APPEND(gpu->devices, gpu->device_count, nsys->device_capacity, *device);
}

static struct ra_gpu_device read_device(struct ra_nsys *nsys, const struct ra_nsys_rows *rows)
{
	struct ra_gpu_device device = { .id = ra_nsys_rows_u32(rows, ORDINAL, 0) };
	const struct rlog_string name = ra_nsys_rows_text(rows, NAME);

	device.name = ra_nsys_names_add(nsys, name.bytes, name.length);
	device.memory_bytes = (uint64_t) ra_nsys_rows_int(rows, MEMORY, 0);
	device.bandwidth_kb_s = (uint64_t) ra_nsys_rows_int(rows, BANDWIDTH, 0) / 1000;
	device.clock_khz = (uint32_t) ((uint64_t) ra_nsys_rows_int(rows, CLOCK, 0) / 1000);
	device.limits = (struct ra_occupancy_device){
		.cc_major = read_i32(rows, MAJOR),
		.cc_minor = read_i32(rows, MINOR),
		.multiprocessors = read_i32(rows, SMS),
		.threads_per_block = read_i32(rows, THREADS),
		.registers_per_block = read_i32(rows, REGISTERS),
		.registers_per_sm = read_i32(rows, SM_REGISTERS),
		.shared_per_block_bytes = ra_nsys_rows_int(rows, SHARED, 0),
		.shared_per_sm_bytes = ra_nsys_rows_int(rows, SM_SHARED, 0),
		.shared_optin_bytes = ra_nsys_rows_int(rows, OPTIN, 0),
	};
	/* Both numbers are small, except in a table that nsys did not write. */
	device.limits.threads_per_sm = (int32_t) ((uint32_t) read_i32(rows, WARPS) % 4096 *
	                                          ((uint32_t) read_i32(rows, WARP_THREADS) % 4096));
	return device;
}

/* Makes the key of a device from a process and the process's own number of the device. */
static uint64_t make_key(int64_t pid, uint32_t ordinal)
{
	return (uint64_t) pid << 32 | ordinal;
}

/* Chooses an unused number for a GPU: the process's number; if that is used, nsys' number; if that
 * is used, too, the first free number. */
static uint32_t choose_id(const struct ra_util_map *taken, uint32_t ordinal, uint64_t gpu)
{
	uint32_t id = ordinal;

	if (ra_util_map_find(taken, id) != RA_UTIL_MAP_NONE) {
		id = gpu < UINT32_MAX ? (uint32_t) gpu : 0;
	}
	for (uint32_t next = 0; ra_util_map_find(taken, id) != RA_UTIL_MAP_NONE; next++) {
		id = next;
	}
	return id;
}

/* Gives devices the numbers by which processes know them, which are not nsys' own. If a number
 * means different devices in two processes, the device of the later process gets another number. */
void ra_nsys_devices_link(struct ra_nsys *nsys)
{
	static const char *const columns[] = { "gpuId", "cudaId", "pid", NULL };
	struct ra_util_map taken = { 0 };
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "TARGET_INFO_CUDA_DEVICE", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		const uint64_t gpu = (uint64_t) ra_nsys_rows_int(&rows, 0, 0);
		const uint32_t ordinal = ra_nsys_rows_u32(&rows, 1, 0);
		uint32_t id = ra_util_map_find(&nsys->gpu_ids, gpu);

		if (ra_nsys_rows_is_null(&rows, 0)) {
			continue;
		}
		if (id == RA_UTIL_MAP_NONE) {
			id = choose_id(&taken, ordinal, gpu);
			ra_util_map_put(&taken, id, id);
			ra_util_map_put(&nsys->gpu_ids, gpu, id);
		}
		ra_util_map_put(&nsys->device_ids, make_key(ra_nsys_rows_int(&rows, 2, 0), ordinal),
		                id);
	}
	ra_nsys_rows_close(&rows);
	ra_util_map_free(&taken);
}

uint32_t ra_nsys_devices_find(const struct ra_nsys *nsys, uint64_t global_pid, uint32_t ordinal)
{
	const int64_t pid = (int64_t) (global_pid >> RA_NSYS_TID_BITS & RA_NSYS_ID_MASK);
	const uint32_t id = ra_util_map_find(&nsys->device_ids, make_key(pid, ordinal));

	return id != RA_UTIL_MAP_NONE ? id : ordinal;
}

void ra_nsys_devices_read(struct ra_nsys *nsys)
{
	static const char *const columns[] = { "id",
		                               "name",
		                               "totalMemory",
		                               "memoryBandwidth",
		                               "clockRate",
		                               "smCount",
		                               "computeMajor",
		                               "computeMinor",
		                               "maxThreadsPerBlock",
		                               "maxWarpsPerSm",
		                               "threadsPerWarp",
		                               "maxRegistersPerBlock",
		                               "maxRegistersPerSm",
		                               "maxShmemPerBlock",
		                               "maxShmemPerSm",
		                               "maxShmemPerBlockOptin",
		                               "cuDevice",
		                               NULL };
	struct ra_gpu *gpu = &nsys->model->gpu;
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "TARGET_INFO_GPU", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		struct ra_gpu_device device = read_device(nsys, &rows);
		const uint32_t id =
			ra_util_map_find(&nsys->gpu_ids, (uint64_t) ra_nsys_rows_int(&rows, ID, 0));

		if (nsys->gpu_ids.count == 0 || id != RA_UTIL_MAP_NONE) {
			device.id = id != RA_UTIL_MAP_NONE ? id : device.id;
			add_device(nsys, &device);
		}
	}
	ra_nsys_rows_close(&rows);
	ra_gpu_sort_devices(gpu);
}
