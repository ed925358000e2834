/* SPDX-License-Identifier: MIT */
/* Reads counters about the use of the GPU's parts: NVML's GPM, from Hopper on. */
#ifndef RCAP_NVML_GPM_H
#define RCAP_NVML_GPM_H

#include <stdbool.h>

#include "libranges/nvml/nvml-power.h"

/* Least time between two reads. After a shorter time metrics are 0 or NaN. NVIDIA asks for 100
 * ms. */
#define RCAP_NVML_GPM_LEAST_NS UINT64_C(100000000)

/* Returns whether a device has GPM. If so, it can be read afterwards. */
bool rcap_nvml_gpm_open(const struct rcap_nvml_devices *devices, uint32_t device);

/*
 * Writes the use since the last read. Writes nothing at the first read, or if the last read was
 * less than RCAP_NVML_GPM_LEAST_NS ago. Takes some 50 us.
 *
 * @wanted: enum rcap_gpu_metrics: PCIE or GPM or both.
 */
void rcap_nvml_gpm_read(const struct rcap_nvml_devices *devices, uint32_t device, int wanted);

/* Makes the next read count from now, because the capture was off until now. */
void rcap_nvml_gpm_pass(void);

#endif
