/* SPDX-License-Identifier: MIT */
/* Power and energy of GPUs, as counters. */
#ifndef RCAP_NVML_POWER_H
#define RCAP_NVML_POWER_H

#include <stdbool.h>

#include "libranges/nvml/nvml-ring.h"

/* The GPUs, indexed by NVML's number. */
struct rcap_nvml_devices {
	struct rcap_nvml_ring *ring; /* gets the samples; also has the devices' UUIDs */
	uint32_t count;
	rcap_nvml_device of[RCAP_NVML_MAX_DEVICES]; /* NULL if we may not use the device */
};

/* Writes a sample to the ring. @kind: enum rlog_gpu_counter. @mono_ns: CLOCK_MONOTONIC. */
void rcap_nvml_power_put(const struct rcap_nvml_devices *devices, uint32_t device, uint32_t kind,
                         uint64_t mono_ns, double value);

/* Converts a value of NVML. @type: RCAP_NVML_TYPE_… */
double rcap_nvml_power_value(uint32_t type, const union rcap_nvml_value *value);

/* Writes the present power. */
void rcap_nvml_power_read(const struct rcap_nvml_devices *devices, uint32_t device);

/* Writes the energy meter of a device, if it has one. A call takes some 4 ms of CPU time on a data
 * center's GPU. */
void rcap_nvml_power_meter(const struct rcap_nvml_devices *devices, uint32_t device);

#endif
