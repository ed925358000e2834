/* SPDX-License-Identifier: MIT */
/* Reads what a log defines about GPUs: devices and launch shapes. */
#ifndef RA_GPU_DEFS_H
#define RA_GPU_DEFS_H

#include "analyzer/model/build/builder.h"

/*
 * Fills model->gpu.devices and .shapes. If a detail is damaged, the device or shape is all zero.
 *
 * @shapes: gets the index of each shape id of the log; the caller frees it.
 */
void ra_gpu_defs_load(struct ra_builder *builder, struct ra_util_map *shapes);

/* Maps contexts to their devices. @devices: gets the device of each context; the caller frees
 * it. */
void ra_gpu_defs_map_contexts(const struct ra_model *model, struct ra_util_map *devices);

/*
 * Reads the numbers in a detail, a string of the log, up to the first that is not a number. Missing
 * numbers are set to 0.
 *
 * @size: number of entries of `out`.
 */
void ra_gpu_defs_read_numbers(const struct ra_model *model, uint64_t string, uint64_t *out,
                              size_t size);

#endif
