/* SPDX-License-Identifier: MIT */
/* Reads samples that the driver takes itself and keeps for some seconds. They are read together,
 * once a second. */
#ifndef RCAP_NVML_KEPT_H
#define RCAP_NVML_KEPT_H

#include <stdbool.h>

#include "libranges/nvml/nvml-power.h"

/* Bits: values whose samples the driver keeps. */
enum rcap_nvml_kept {
	RCAP_NVML_KEPT_POWER = 1 << 0,
	RCAP_NVML_KEPT_CLOCKS = 1 << 1, /* of the SMs and of memory, both */
};

/* Finds out which of these values the driver keeps for a device. @wanted: bits. Return: bits. */
int rcap_nvml_kept_open(const struct rcap_nvml_devices *devices, uint32_t device, int wanted);

/* Skips everything kept before now. */
void rcap_nvml_kept_begin(void);

/* Writes the samples kept since the last call, each at its own time. */
void rcap_nvml_kept_take(const struct rcap_nvml_devices *devices, uint32_t device);

#endif
