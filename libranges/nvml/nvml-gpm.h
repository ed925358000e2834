/* SPDX-License-Identifier: MIT */
/* What the parts of a GPU do, as counters: NVML's GPM, from Hopper on. */
#ifndef RCAP_NVML_GPM_H
#define RCAP_NVML_GPM_H

#include <stdbool.h>

#include "libranges/nvml/nvml-power.h"

/* Metrics of a shorter time are 0 or NaN; 100 ms is what NVIDIA asks for. */
#define RCAP_NVML_GPM_LEAST_NS UINT64_C(100000000)

/* Asks a device whether it has it. Return: true if it does, then it can be read. */
bool rcap_nvml_gpm_open(const struct rcap_nvml_devices *devices, uint32_t device);

/*
 * Writes what it did since it was read last; the first time nothing, and also if that is less than
 * RCAP_NVML_GPM_LEAST_NS ago. Takes some 50 us.
 *
 * @wanted: enum rcap_gpu_metrics: PCIE or GPM or both.
 */
void rcap_nvml_gpm_read(const struct rcap_nvml_devices *devices, uint32_t device, int wanted);

/* The time until now counts no more: the capture was off. */
void rcap_nvml_gpm_pass(void);

#endif
