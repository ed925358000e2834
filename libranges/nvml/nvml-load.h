/* SPDX-License-Identifier: MIT */
/* NVIDIA's management library, which comes with the driver: its functions, found at run time. */
#ifndef RCAP_NVML_LOAD_H
#define RCAP_NVML_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Layouts, numbers and names are those of NVML's API reference, which keeps them stable: a changed
 * function gets a new name (_v2). All functions return 0 for success. */
typedef struct rcap_nvml_device *rcap_nvml_device;

struct rcap_nvml_utilization {
	uint32_t gpu;    /* percent of the last period in which a kernel ran */
	uint32_t memory; /* percent in which memory was read or written */
};

struct rcap_nvml_memory {
	uint64_t total; /* bytes */
	uint64_t free;
	uint64_t used;
};

enum {
	RCAP_NVML_CLOCK_SM = 1,
	RCAP_NVML_CLOCK_MEMORY = 2
};
enum {
	RCAP_NVML_SENSOR_GPU = 0
};
/* nvmlDeviceGetUUID() wants no more. */
#define RCAP_NVML_UUID_BYTES 96

/* NULL: this library has no such function. */
struct rcap_nvml {
	int (*init)(void);
	int (*get_count)(uint32_t *count);
	int (*get_device)(uint32_t index, rcap_nvml_device *device);
	int (*get_uuid)(rcap_nvml_device device, char *uuid, uint32_t bytes);
	int (*get_power)(rcap_nvml_device device, uint32_t *milliwatts);
	/* Since the driver was loaded. From Volta on. */
	int (*get_energy)(rcap_nvml_device device, unsigned long long *millijoules);
	int (*get_clock)(rcap_nvml_device device, int which, uint32_t *mhz);
	int (*get_utilization)(rcap_nvml_device device, struct rcap_nvml_utilization *out);
	int (*get_memory)(rcap_nvml_device device, struct rcap_nvml_memory *out);
	int (*get_temperature)(rcap_nvml_device device, int sensor, uint32_t *celsius);
	const char *(*explain)(int code);
};

/* Filled by rcap_nvml_load(). */
extern struct rcap_nvml rcap_nvml __attribute__((visibility("hidden")));

/*
 * Loads and starts the library; it stays.
 *
 * @why: gets one line if it can't. @size: of why.
 * Context: a thread of ours; NVML takes some 10 ms, more where there are many GPUs.
 */
bool rcap_nvml_load(char *why, size_t size);

#endif
