/* SPDX-License-Identifier: MIT */
/* Adds to a summary's part the energy of GPUs and the values of NVML's counters. */
#ifndef RA_SUM_BUILD_ENERGY_H
#define RA_SUM_BUILD_ENERGY_H

#include "analyzer/names/labels.h"
#include "analyzer/summary-file/sum-texts.h"
#include "analyzer/summary-file/sum.h"

struct ra_sum_build_energy {
	struct ra_sum_part *part; /* its steps must have been built */
	struct ra_sum_texts *texts;
	const struct ra_model *model; /* the same as in struct ra_sum_build_job */
	const struct ra_model *time;
	const struct ra_model *whole;
	struct ra_labels *labels;
	struct ra_labels *kernels;
	bool is_of_steps; /* only some steps were chosen */
};

/* Adds rows, if the input has samples of GPUs. */
void ra_sum_build_energy(struct ra_sum_build_energy *job);

#endif
