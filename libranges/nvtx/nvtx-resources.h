/* SPDX-License-Identifier: MIT */
/* NVTX's resources: objects of the program, described to the tool. */
#ifndef RCAP_NVTX_RESOURCES_H
#define RCAP_NVTX_RESOURCES_H

#include "libranges/abi/nvtx-abi.h"

/* Signatures are NVTX's. Fields outside `size` are as not given; NULL and wild handles are ignored.
 */
const void *rcap_nvtx_resources_create(const void *domain,
                                       const struct rcap_nvtx_resource_attributes *attributes);
void rcap_nvtx_resources_destroy(const void *resource);

#endif
