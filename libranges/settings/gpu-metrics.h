/* SPDX-License-Identifier: MIT */
/* Handles RANGES_GPU_METRICS: what is sampled on GPUs. */
#ifndef RCAP_GPU_METRICS_H
#define RCAP_GPU_METRICS_H

#include <stddef.h>

/* Bytes of the longest setting, with its NUL. */
#define RCAP_GPU_METRICS_BYTES 64

enum rcap_gpu_metrics {
	RCAP_GPU_METRICS_POWER = 1,        /* power in watts, energy in joules */
	RCAP_GPU_METRICS_CLOCKS = 2,       /* clocks of SMs and memory */
	RCAP_GPU_METRICS_UTIL = 4,         /* use of SMs and memory, as nvidia-smi defines it */
	RCAP_GPU_METRICS_MEMORY = 8,       /* bytes in use by all processes */
	RCAP_GPU_METRICS_TEMPERATURE = 16, /* temperature of the chip */
	RCAP_GPU_METRICS_PCIE = 32,        /* bytes sent and received on PCIe */
	RCAP_GPU_METRICS_GPM = 64          /* use of the GPU's parts; from Hopper on */
};

/*
 * Parses a list with commas, like "power,clocks". "" is an empty list.
 *
 * @why: gets one line if the text is refused. @size: of why.
 * Return: enum rcap_gpu_metrics; -1 if the text is refused. Context: any; no allocation.
 */
int rcap_gpu_metrics_parse(const char *text, char *why, size_t size);

#endif
