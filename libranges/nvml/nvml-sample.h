/* SPDX-License-Identifier: MIT */
/* What is sampled of GPUs, and when: RANGES_GPU_METRICS. */
#ifndef RCAP_NVML_SAMPLE_H
#define RCAP_NVML_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Loads NVML and looks for GPUs; what fails is a status line in the log.
 *
 * Return: false if there is nothing to sample in this process.
 * Context: one thread, the same for all below, with the program's table of files (nvml-load.h).
 */
bool rcap_nvml_sample_open(void);

/* The capture goes on: what lies before is not taken. */
void rcap_nvml_sample_begin(void);

/* Takes what is due. Return: ns until something is due again. */
int64_t rcap_nvml_sample_due(void);

/* The capture goes off, or the program ends: takes what was kept until now. */
void rcap_nvml_sample_end(void);

#endif
