/* SPDX-License-Identifier: MIT */
/* What the driver samples itself and keeps for some seconds: taken together, once a second. */
#ifndef RCAP_NVML_KEPT_H
#define RCAP_NVML_KEPT_H

#include <stdbool.h>

#include "libranges/nvml/nvml-power.h"

/* Bits: whose samples are kept. */
enum rcap_nvml_kept {
	RCAP_NVML_KEPT_POWER = 1 << 0,
	RCAP_NVML_KEPT_CLOCKS = 1 << 1, /* of the SMs and of memory, both */
};

/* Finds out what of it the driver keeps of a device. @wanted: bits. Return: bits. */
int rcap_nvml_kept_open(const struct rcap_nvml_devices *devices, uint32_t device, int wanted);

/* What was kept before now is not wanted. */
void rcap_nvml_kept_begin(void);

/* Writes the samples that were kept since the last time, each at its own time. */
void rcap_nvml_kept_take(const struct rcap_nvml_devices *devices, uint32_t device);

#endif
