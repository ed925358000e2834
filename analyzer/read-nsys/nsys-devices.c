/* SPDX-License-Identifier: MIT */
/* Reading an export of nsys: its devices. */
#include <stdlib.h>

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
	struct ra_gpu_device *place;

	for (size_t i = 0; i < gpu->device_count; i++) {
		if (gpu->devices[i].id == device->id) {
			return; /* every process has an entry for each */
		}
	}
	place = ra_nsys_grow(nsys, &gpu->devices, &nsys->device_capacity, gpu->device_count,
	                     sizeof(*place));
	if (place != NULL) {
		*place = *device;
		gpu->device_count++;
	}
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
	/* Both small, or the table is none of nsys'. */
	device.limits.threads_per_sm = (int32_t) ((uint32_t) read_i32(rows, WARPS) % 4096 *
	                                          ((uint32_t) read_i32(rows, WARP_THREADS) % 4096));
	return device;
}

/* Devices by the number that processes know them by, which is not nsys' own. */
static void read_links(struct ra_nsys *nsys, struct ra_util_map *ordinals)
{
	static const char *const columns[] = { "gpuId", "cudaId", NULL };
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "TARGET_INFO_CUDA_DEVICE", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		if (!ra_nsys_rows_is_null(&rows, 0)) {
			ra_nsys_db_fail(&nsys->db,
			                ra_util_map_put(ordinals,
			                                (uint64_t) ra_nsys_rows_int(&rows, 0, 0),
			                                ra_nsys_rows_u32(&rows, 1, 0)));
		}
	}
	ra_nsys_rows_close(&rows);
}

static int compare_devices(const void *left, const void *right)
{
	const struct ra_gpu_device *a = left;
	const struct ra_gpu_device *b = right;

	return a->id < b->id ? -1 : a->id > b->id;
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
	struct ra_util_map ordinals = { 0 };
	struct ra_nsys_rows rows;

	read_links(nsys, &ordinals);
	ra_nsys_rows_open(&rows, &nsys->db, "TARGET_INFO_GPU", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		struct ra_gpu_device device = read_device(nsys, &rows);
		const uint32_t ordinal =
			ra_util_map_find(&ordinals, (uint64_t) ra_nsys_rows_int(&rows, ID, 0));

		if (ordinals.count == 0 || ordinal != RA_UTIL_MAP_NONE) {
			device.id = ordinal != RA_UTIL_MAP_NONE ? ordinal : device.id;
			add_device(nsys, &device);
		}
	}
	ra_nsys_rows_close(&rows);
	ra_util_map_free(&ordinals);
	if (gpu->device_count > 0) {
		qsort(gpu->devices, gpu->device_count, sizeof(*gpu->devices), compare_devices);
	}
}
