/* SPDX-License-Identifier: MIT */
/* Power and energy of GPUs, as counters. */
#ifndef RCAP_NVML_POWER_H
#define RCAP_NVML_POWER_H

#include <stdbool.h>

#include "libranges/nvml/nvml-counters.h"

/* Finds out where the device's power is to be had. Return: true if the driver keeps samples of it:
 * then rcap_nvml_power_take(), else rcap_nvml_power_read() once in a while. */
bool rcap_nvml_power_open(const struct rcap_nvml_devices *devices, uint32_t device);

/* What was kept before now is not wanted. */
void rcap_nvml_power_begin(const struct rcap_nvml_devices *devices);

/* Writes the samples that were kept since the last time, each at its own time. */
void rcap_nvml_power_take(const struct rcap_nvml_devices *devices, uint32_t device);

/* Writes what it is now. */
void rcap_nvml_power_read(const struct rcap_nvml_devices *devices, uint32_t device);

/* Writes what the device's meter of energy says, if it has one. A call takes some 4 ms of CPU on a
 * data center's GPU. */
void rcap_nvml_power_meter(const struct rcap_nvml_devices *devices, uint32_t device);

#endif
