/* SPDX-License-Identifier: MIT */
/* Reads samples that the driver takes itself and keeps for some seconds. They are read together,
 * once a second. */
#ifndef RCAP_NVML_KEPT_H
#define RCAP_NVML_KEPT_H

#include <stdbool.h>

#include "libranges/nvml/nvml-power.h"

/* Values whose samples the driver keeps, as bits. */
enum rcap_nvml_kept {
	RCAP_NVML_KEPT_POWER = 1 << 0,
	RCAP_NVML_KEPT_CLOCKS = 1 << 1, /* clocks of the SMs and of memory: both are kept */
};

/* Finds out which values the driver keeps for a device. @wanted: bits of the values that are
 * wanted. Return: bits of those that are kept. */
int rcap_nvml_kept_open(const struct rcap_nvml_devices *devices, uint32_t device, int wanted);

/* Makes the next rcap_nvml_kept_read() leave out all samples from before now. */
void rcap_nvml_kept_begin(void);

/* Writes the samples kept since the last call, each with its own time. */
void rcap_nvml_kept_take(const struct rcap_nvml_devices *devices, uint32_t device);

#endif
