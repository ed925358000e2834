/* SPDX-License-Identifier: MIT */
/* In the launcher: what is sampled on GPUs, and when. */
#ifndef RCAP_NVML_SAMPLE_H
#define RCAP_NVML_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/nvml/nvml-ring.h"

/*
 * Loads NVML and finds GPUs; a failure becomes a note in the ring.
 *
 * @wanted: enum rcap_gpu_metrics. @every_ns: time between two reads, if values change so often.
 * Return: false if there is nothing to sample. Context: one thread, the same for all below.
 */
bool rcap_nvml_sample_open(struct rcap_nvml_ring *ring, int wanted, uint64_t every_ns);

/* Skips earlier samples: a program records from now on. */
void rcap_nvml_sample_begin(void);

/* Reads what is due. Return: ns until something is due again. */
int64_t rcap_nvml_sample_due(void);

/* Reads the samples kept until now, the energy meters, and the present values. */
void rcap_nvml_sample_all(void);

#endif
