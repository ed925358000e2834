/* SPDX-License-Identifier: MIT */
/* What a log defines about GPUs: devices and launch shapes. */
#ifndef RA_GPU_DEFS_H
#define RA_GPU_DEFS_H

#include "analyzer/model/builder.h"

/*
 * Fills model->gpu.devices and .shapes.
 *
 * @shapes: gets the index of each shape id of the log; to be freed by the caller.
 * Details that are damaged give a device or shape of zeros.
 */
void ra_gpu_defs_load(struct ra_builder *builder, struct ra_util_map *shapes);

/* Maps contexts to their devices. @devices: to be freed by the caller. */
void ra_gpu_defs_map_contexts(const struct ra_model *model, struct ra_util_map *devices);

/*
 * Reads the numbers of a detail, a string of the log, up to the first that is none. Those missing
 * are 0.
 *
 * @size: of out.
 */
void ra_gpu_defs_read_numbers(const struct ra_model *model, uint64_t string, uint64_t *out,
                              size_t size);

#endif
