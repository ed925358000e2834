/* SPDX-License-Identifier: MIT */
/* Counters of GPUs in the log: their definitions and samples, in a stream of their own. */
#ifndef RCAP_NVML_COUNTERS_H
#define RCAP_NVML_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/nvml/nvml-load.h"

#define RCAP_NVML_MAX_DEVICES 64u

/* By NVML's number. */
struct rcap_nvml_devices {
	uint32_t count;
	rcap_nvml_device of[RCAP_NVML_MAX_DEVICES]; /* NULL: one that is refused */
	char uuid[RCAP_NVML_MAX_DEVICES][RCAP_NVML_UUID_BYTES];
};

/*
 * Begins a stream for them.
 *
 * @devices: lives as long as the process. Return: false if there is no room.
 * Context: one thread, the same for all below, but rcap_nvml_counters_close(); the capture has
 * started.
 */
bool rcap_nvml_counters_open(const struct rcap_nvml_devices *devices);

/* Writes a sample, unless the capture has ended. @kind: enum rlog_gpu_counter. */
void rcap_nvml_counters_put(uint32_t device, uint32_t kind, uint64_t ticks, double value);

/* What was opened or written is of a parent process. Context: no other thread does any of these. */
void rcap_nvml_counters_forget(void);

/* From its return on nothing is written, whatever that thread is at. Context: any other thread. */
void rcap_nvml_counters_close(void);

#endif
