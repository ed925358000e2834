/* SPDX-License-Identifier: MIT */
/* NVIDIA's management library, which comes with the driver: its functions, found at run time. */
#ifndef RCAP_NVML_LOAD_H
#define RCAP_NVML_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Layouts, numbers and names are from NVML's API reference. They do not change: if NVIDIA changes a
 * function, the function gets a new name (_v2). All functions return 0 for success. */
typedef struct rcap_nvml_device *rcap_nvml_device;

struct rcap_nvml_utilization {
	uint32_t gpu;    /* percent of the last period during which a kernel ran */
	uint32_t memory; /* percent of that period during which memory was read or written */
};

struct rcap_nvml_memory {
	uint64_t total; /* bytes */
	uint64_t free;
	uint64_t used;
};

/* A number, which has one of several types. */
union rcap_nvml_value {
	double real;
	uint32_t u32;
	uint64_t u64;
};

/* A sample that the driver has kept. */
struct rcap_nvml_sample {
	uint64_t time_us; /* CLOCK_REALTIME */
	union rcap_nvml_value value;
};

/* A query for one of many values, and the answer. */
struct rcap_nvml_field {
	uint32_t id;
	uint32_t scope;
	int64_t time_us;
	int64_t latency_us;
	uint32_t type; /* RCAP_NVML_TYPE_… */
	int32_t code;
	union rcap_nvml_value value;
};

/* GPM has counters of the chip, from Hopper on. A metric is computed from two states of these
 * counters. */
typedef struct rcap_nvml_gpm_state *rcap_nvml_gpm_state;

struct rcap_nvml_gpm_support {
	uint32_t version; /* RCAP_NVML_GPM_VERSION */
	uint32_t is_supported;
};

struct rcap_nvml_gpm_metric {
	uint32_t id; /* RCAP_NVML_GPM_… */
	int32_t code;
	double value;
	const char *texts[3];
};

/* Later versions have more room. NVML reads only `count` metrics. */
#define RCAP_NVML_GPM_METRICS 98

struct rcap_nvml_gpm_question {
	uint32_t version; /* RCAP_NVML_GPM_VERSION */
	uint32_t count;
	rcap_nvml_gpm_state older;
	rcap_nvml_gpm_state newer;
	struct rcap_nvml_gpm_metric metrics[RCAP_NVML_GPM_METRICS];
};

enum {
	RCAP_NVML_NOT_FOUND = 6 /* there are no newer samples */
};
enum {
	RCAP_NVML_TYPE_DOUBLE = 0,
	RCAP_NVML_TYPE_U32 = 1,
	RCAP_NVML_TYPE_ULONG = 2,
	RCAP_NVML_TYPE_U64 = 3
};
enum {
	RCAP_NVML_SAMPLES_POWER = 0,    /* mW, of the whole board */
	RCAP_NVML_SAMPLES_SM_CLOCK = 5, /* MHz */
	RCAP_NVML_SAMPLES_MEMORY_CLOCK = 6
};
enum {
	RCAP_NVML_FIELD_POWER_INSTANT = 186 /* mW */
};
enum {
	RCAP_NVML_PCIE_TX = 0,
	RCAP_NVML_PCIE_RX = 1
};
enum {
	RCAP_NVML_GPM_VERSION = 1
};
/* Metrics are in %, unless a unit is given. */
enum {
	RCAP_NVML_GPM_SM_ACTIVE = 2,
	RCAP_NVML_GPM_SM_OCCUPANCY = 3,
	RCAP_NVML_GPM_TENSOR = 5,
	RCAP_NVML_GPM_DRAM = 10,
	RCAP_NVML_GPM_FP64 = 11, /* FP64, FP32 and FP16 do not include tensor cores */
	RCAP_NVML_GPM_FP32 = 12,
	RCAP_NVML_GPM_FP16 = 13,
	RCAP_NVML_GPM_PCIE_TX = 20, /* MiB/s, like the three below */
	RCAP_NVML_GPM_PCIE_RX = 21,
	RCAP_NVML_GPM_NVLINK_RX = 60, /* NVLink: sum of all links */
	RCAP_NVML_GPM_NVLINK_TX = 61
};
enum {
	RCAP_NVML_CLOCK_SM = 1,
	RCAP_NVML_CLOCK_MEMORY = 2
};
enum {
	RCAP_NVML_SENSOR_GPU = 0
};
/* Most bytes that nvmlDeviceGetUUID() writes. */
#define RCAP_NVML_UUID_BYTES 96

/* The library's functions. A function that the library does not have is NULL. */
struct rcap_nvml {
	int (*init)(void);
	int (*get_count)(uint32_t *count);
	int (*get_device)(uint32_t index, rcap_nvml_device *device);
	int (*get_uuid)(rcap_nvml_device device, char *uuid, uint32_t bytes);
	int (*get_power)(rcap_nvml_device device, uint32_t *milliwatts);
	/* Energy since the driver was loaded; exists from Volta on. */
	int (*get_energy)(rcap_nvml_device device, unsigned long long *millijoules);
	int (*get_clock)(rcap_nvml_device device, int which, uint32_t *mhz);
	int (*get_utilization)(rcap_nvml_device device, struct rcap_nvml_utilization *out);
	int (*get_memory)(rcap_nvml_device device, struct rcap_nvml_memory *out);
	int (*get_temperature)(rcap_nvml_device device, int sensor, uint32_t *celsius);
	/* Gets the samples that the driver has kept since @after_us, for some seconds at most.
	 * @count: room in `samples`; gets the number of samples. */
	int (*get_samples)(rcap_nvml_device device, int which, unsigned long long after_us,
	                   uint32_t *type, uint32_t *count, struct rcap_nvml_sample *samples);
	int (*get_fields)(rcap_nvml_device device, int count, struct rcap_nvml_field *fields);
	/* Measures for 20 ms, and blocks for that time. */
	int (*get_pcie)(rcap_nvml_device device, int which, uint32_t *kib_per_s);
	int (*gpm_is_supported)(rcap_nvml_device device, struct rcap_nvml_gpm_support *out);
	int (*gpm_alloc)(rcap_nvml_gpm_state *out);
	int (*gpm_get)(rcap_nvml_device device, rcap_nvml_gpm_state state);
	int (*gpm_compare)(struct rcap_nvml_gpm_question *question);
	const char *(*explain)(int code);
};

/* Filled by rcap_nvml_load(). */
extern struct rcap_nvml rcap_nvml __attribute__((visibility("hidden")));

/*
 * Loads and initializes the library. It stays loaded.
 *
 * @why: gets one line on failure. @size: of why.
 * Context: a thread of ours with the program's file table, because NVML keeps file descriptors for
 * the whole process. Takes some 10 ms, and more with many GPUs.
 */
bool rcap_nvml_load(char *why, size_t size);

#endif
