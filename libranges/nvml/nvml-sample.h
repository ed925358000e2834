/* SPDX-License-Identifier: MIT */
/* In the launcher: what is sampled of GPUs, and when. */
#ifndef RCAP_NVML_SAMPLE_H
#define RCAP_NVML_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/nvml/nvml-ring.h"

/*
 * Loads NVML and looks for GPUs; what fails is a note in the ring.
 *
 * @wanted: enum rcap_gpu_metrics. @every_ns: from one question to the next, where it can be so
 * soon. Return: false if there is nothing to sample. Context: one thread, the same for all below.
 */
bool rcap_nvml_sample_open(struct rcap_nvml_ring *ring, int wanted, uint64_t every_ns);

/* Somebody records from now on: what lies before is not taken. */
void rcap_nvml_sample_begin(void);

/* Takes what is due. Return: ns until something is due again. */
int64_t rcap_nvml_sample_due(void);

/* Takes what was kept until now, the meters of energy, and what they are at this instant. */
void rcap_nvml_sample_all(void);

#endif
