/* SPDX-License-Identifier: MIT */
/* Defines the things that GPU events refer to: devices, contexts, streams, launch shapes. */
#ifndef RCAP_CUPTI_DEFS_H
#define RCAP_CUPTI_DEFS_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/abi/cupti-abi.h"

/* Context of all functions here, if not stated otherwise: one thread at a time (the converter); no
 * malloc. */

void rcap_cupti_defs_add_device(const struct rcap_cupti_device *device);
void rcap_cupti_defs_add_context(const struct rcap_cupti_context *context);
void rcap_cupti_defs_add_stream(const struct rcap_cupti_stream *stream);

/* Returns the id of a launch shape. Defines the shape in the log when it is new. Return: 0 if the
 * table is full. */
uint32_t rcap_cupti_defs_shape(const struct rcap_cupti_kernel *kernel);

/*
 * Writes CUPTI's id of an object that the program has named through NVTX.
 *
 * @type: as in an object name, doc/format.md section 5. Context: any thread, within NVTX's call.
 */
void rcap_cupti_defs_name_object(uint32_t type, uint64_t object);

/* True if the driver is initialised. Some of CUPTI's settings must wait for that. */
bool rcap_cupti_defs_is_ready(void);

#endif
