/* SPDX-License-Identifier: MIT */
/* In the launcher: what is sampled on GPUs, and when. */
#ifndef RCAP_NVML_SAMPLE_H
#define RCAP_NVML_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/nvml/nvml-ring.h"

/*
 * Loads NVML and finds the GPUs. A failure is written to the ring as a note.
 *
 * @wanted: enum rcap_gpu_metrics. @every_ns: time between two reads, for values that change so
 * often.
 * Return: false if there is nothing to sample. Context of all functions here: the same thread.
 */
bool rcap_nvml_sample_open(struct rcap_nvml_ring *ring, int wanted, uint64_t every_ns);

/* Skips earlier samples, because a program records from now on. */
void rcap_nvml_sample_begin(void);

/* Reads the groups that are due. Return: time in ns until a group is due again. */
int64_t rcap_nvml_sample_due(void);

/* Reads the samples that the driver has kept, the energy meters, and the present values. */
void rcap_nvml_sample_all(void);

#endif
