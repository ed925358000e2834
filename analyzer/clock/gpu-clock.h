/* SPDX-License-Identifier: MIT */
/* The clock of GPU records that CUPTI timed by CLOCK_REALTIME: before CUDA 11.6. */
#ifndef RA_GPU_CLOCK_H
#define RA_GPU_CLOCK_H

#include "analyzer/clock/clock.h"
#include "analyzer/model/model.h"

/*
 * Makes a clock whose ticks are CLOCK_REALTIME in ns, by the log's clock points, so that a clock
 * that was set while the program ran moves no record by more than the second between two points.
 * Where it was set back, times that occurred twice are taken for the first.
 */
void ra_gpu_clock_init(struct ra_clock *clock, const struct ra_model *model);

#endif
