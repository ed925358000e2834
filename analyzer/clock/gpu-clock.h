/* SPDX-License-Identifier: MIT */
/* The clock for GPU records that CUPTI (before CUDA 11.6) timed by CLOCK_REALTIME. */
#ifndef RA_GPU_CLOCK_H
#define RA_GPU_CLOCK_H

#include "analyzer/clock/clock.h"
#include "analyzer/model/model.h"

/*
 * Makes a clock whose ticks are ns of CLOCK_REALTIME, from the log's clock points. If the clock was
 * set while the program ran, a record is off by at most the second between two points. If the clock
 * was set back, a time that occurred twice is taken as its first occurrence.
 */
void ra_gpu_clock_init(struct ra_clock *clock, const struct ra_model *model);

#endif
