/* SPDX-License-Identifier: MIT */
/* Reads what the capture tells about how it recorded the GPU. */
#ifndef RA_GPU_STATUS_H
#define RA_GPU_STATUS_H

#include <stdbool.h>

#include "format/read/reader.h"

struct ra_gpu_status {
	struct rlog_string text; /* borrowed */
	int32_t result;          /* CUPTI's code; 0: none */
};

/*
 * Iterates over the lines about the GPU, in the order of the log.
 *
 * @at: 0 at the start.
 * Return: false after the last line.
 */
bool ra_gpu_status_next(const struct rlog_reader *reader, size_t *at, struct ra_gpu_status *out);

/* Finds the first line that tells that there is no GPU data, or none from some time on. */
bool ra_gpu_status_find_failure(const struct rlog_reader *reader, struct ra_gpu_status *out);

/* True if GPU activity was recorded, at least at first. */
bool ra_gpu_status_has_capture(const struct rlog_reader *reader);

/* Finds the line that tells that CUDA graphs were not recorded in the same way all the time. */
bool ra_gpu_status_find_graphs(const struct rlog_reader *reader, struct ra_gpu_status *out);

/* True if the capture would have recorded a GPU but has no line about one, because no driver called
 * it. */
bool ra_gpu_status_is_missing(const struct rlog_reader *reader);

/* True if the settings excluded the GPU from the capture. */
bool ra_gpu_status_is_off(const struct rlog_reader *reader);

/* The message if the settings excluded the GPU. */
#define RA_GPU_STATUS_MISSING                                                                   \
	"no GPU data: no CUDA driver has called libranges: libcuda.so.1 was not loaded or not " \
	"initialised; is an NVIDIA driver installed?"
#define RA_GPU_STATUS_OFF "no GPU data: RANGES_CUDA was off"

#endif
