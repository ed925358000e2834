/* SPDX-License-Identifier: MIT */
/* Reads the names that the program gave to CUDA devices, contexts and streams through NVTX. */
#ifndef RA_GPU_NAMES_H
#define RA_GPU_NAMES_H

#include "analyzer/model/build/builder.h"

/*
 * Sets name and context_name of queues and label of devices from object names, resources and object
 * ids of the log (doc/format.md section 5, kinds 5, 7 and 20). The queues must exist already.
 */
void ra_gpu_names_load(struct ra_builder *builder);

#endif
