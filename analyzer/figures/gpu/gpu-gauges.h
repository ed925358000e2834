/* SPDX-License-Identifier: MIT */
/* Finds mean and peak of NVML's counters of each GPU in the log. */
#ifndef RA_GPU_GAUGES_H
#define RA_GPU_GAUGES_H

#include "analyzer/model/model.h"

/* The mean and peak of one counter of a GPU. */
struct ra_gpu_gauge {
	uint32_t device; /* as in struct ra_gpu_device; RA_NONE: the program does not use it */
	uint32_t kind;   /* enum rlog_gpu_counter */
	size_t first;    /* number of samples */
	size_t end;
	uint64_t count; /* number of samples with a value */
	double sum;
	double peak; /* the highest value; 0 if there are no values */
};

struct ra_gpu_gauges {
	struct ra_gpu_gauge *rows; /* owned; in the order of the counters */
	size_t count;
};

void ra_gpu_gauges_init(struct ra_gpu_gauges *gauges, const struct ra_model *model);
void ra_gpu_gauges_fini(struct ra_gpu_gauges *gauges);

/* Return: NULL if the device has no samples of the counter. */
const struct ra_gpu_gauge *ra_gpu_gauges_find(const struct ra_gpu_gauges *gauges, uint32_t device,
                                              uint32_t kind);

/* Reads a sample's value. Return: false if the value is no number. */
bool ra_gpu_gauges_value(const struct ra_sample *sample, double *value);

#endif
