/* SPDX-License-Identifier: MIT */
/* Samples of GPUs as events of counters: RANGES_GPU_METRICS. */
#ifndef RCAP_NVML_SAMPLE_H
#define RCAP_NVML_SAMPLE_H

#include <stdint.h>

/*
 * Takes the samples that are due, if any are wanted and the capture is on: every RANGES_GPU_EVERY.
 * The first call loads NVML; what fails is a status line in the log, once.
 *
 * Return: ns until it should be called again, at most; INT64_MAX: it need not.
 * Context: the drain's thread, outside of locks.
 */
int64_t rcap_nvml_sample_look(void);

/* Takes a last round: the program ends. Context: as above. */
void rcap_nvml_sample_last(void);

#endif
